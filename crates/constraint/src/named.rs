//! The squares of a board that a constraint names, for pictures.

use shakmaty::Bitboard;

use super::{Constraint, Situation};

impl Constraint {
    /// The squares that the conditions name which hold: of the men on them, single empty ones, and that of a mated
    /// king. Numbers of men and diagrams name none, and neither does what is denied: a frame around every pawn of a
    /// picture would point at nothing.
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
    fn the_squares_of_places_and_mates_are_named() {
        let fen = "r3k2r/8/8/5N2/8/8/3Q1n2/R3K2R b KQkq - 0 1";
        let position: Chess = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
        for (constraint, squares) in [
            ("N@f5", "f5"),
            ("N@a-h | N@c3", "f5"),
            ("-@d4 -@3", "d4"),
            ("Q@d !N@f6", "d2"),
            ("Q-n=0", ""),
            ("[Nn]=2 !Q=0", ""),
            ("castling>=Kq", ""),
            ("Q=3 | N=1 N@5", "f5"),
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
        for (constraint, squares) in
            [("checkmate", Square::H8.into()), ("check=any check=black", Bitboard::EMPTY)]
        {
            let constraint: Constraint = constraint.parse().unwrap();
            assert_eq!(constraint.named_squares(Situation::root(&mate)), squares, "{constraint}");
        }
    }
}
