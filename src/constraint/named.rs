//! The squares of a board that a constraint points at, for pictures.

use shakmaty::{Bitboard, Position};

use super::{Atom, Check, Constraint, End, RIGHTS, Region, Situation, homes};

impl Constraint {
    /// The men, and single empty squares, that the conditions speak of which hold. Whole armies and diagrams
    /// single out nobody, and neither does what is denied.
    pub fn named_squares(&self, situation: Situation<'_>) -> Bitboard {
        match self {
            Constraint::All(parts) | Constraint::Any(parts) => parts
                .iter()
                .filter(|part| part.holds(situation))
                .fold(Bitboard::EMPTY, |named, part| named | part.named_squares(situation)),
            Constraint::Not(_) => Bitboard::EMPTY,
            Constraint::Atom(atom) if atom.holds(situation) => atom.named_squares(situation),
            Constraint::Atom(_) => Bitboard::EMPTY,
        }
    }
}

impl Atom {
    /// As above, for a condition that holds.
    fn named_squares(&self, Situation { position, .. }: Situation<'_>) -> Bitboard {
        let board = position.board();
        let king = |color| board.by_color(color) & board.kings();
        match self {
            Atom::Count(count) => [Some(count.piece), count.minus]
                .into_iter()
                .flatten()
                .fold(Bitboard::EMPTY, |named, piece| named | board.by_piece(piece)),
            Atom::Sum(sum) => [Some(sum.class), sum.minus]
                .into_iter()
                .flatten()
                .flat_map(|class| class.pieces())
                .fold(Bitboard::EMPTY, |named, piece| named | board.by_piece(piece)),
            Atom::Square(square) => match (square.man, square.region) {
                (Some(piece), region) => board.by_piece(piece) & region.squares(),
                (None, Region::Square(square)) => square.into(),
                (None, _) => Bitboard::EMPTY,
            },
            Atom::Castling(castling) => RIGHTS
                .into_iter()
                .zip(castling.rights)
                .filter(|(_, is_named)| *is_named)
                .flat_map(|((_, color, side), _)| homes(color, side))
                .map(|(square, _)| square)
                .collect(),
            Atom::Check(Check::Of(color)) => king(*color),
            Atom::Check(Check::Any) | Atom::End(End::Checkmate | End::Stalemate) => king(position.turn()),
            Atom::Check(Check::None)
            | Atom::Tuple(_)
            | Atom::Material(_)
            | Atom::Diagram(_)
            | Atom::Turn(_)
            | Atom::Rating(_)
            | Atom::Ply(_) => Bitboard::EMPTY,
        }
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Chess, Square, fen::Fen};

    use super::*;

    #[test]
    fn the_men_that_a_condition_speaks_of_are_named() {
        let fen = "r3k2r/8/8/5N2/8/8/3Q1n2/R3K2R b KQkq - 0 1";
        let position: Chess = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
        for (constraint, squares) in [
            ("N@f5", "f5"),
            ("N@a-h | N@c3", "f5"),
            ("-@d4 -@3", "d4"),
            ("Q-n=0", "d2 f2"),
            ("[Nn]=2 !Q=0", "f2 f5"),
            ("castling>=Kq", "e1 h1 a8 e8"),
            ("Q=3 | N=1", "f5"),
            ("(1,2,0,1,0) turn=black check=none", ""),
        ] {
            let constraint: Constraint = constraint.parse().unwrap();
            let named = constraint.named_squares(Situation::root(&position));
            let expected: Bitboard =
                squares.split_whitespace().map(|name| name.parse::<Square>().unwrap()).collect();
            assert_eq!(named, expected, "{constraint}");
        }
        let mate = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1";
        let mate: Chess = mate.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
        for constraint in ["checkmate", "check=any", "check=black"] {
            let constraint: Constraint = constraint.parse().unwrap();
            assert_eq!(constraint.named_squares(Situation::root(&mate)), Square::H8.into());
        }
    }
}
