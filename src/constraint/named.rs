//! The squares of a board that a constraint points at, for pictures.

use shakmaty::Bitboard;

use super::{Constraint, Situation};

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
            Constraint::Atom(atom) if atom.holds(situation) => atom.named_squares(situation.position),
            Constraint::Atom(_) => Bitboard::EMPTY,
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
