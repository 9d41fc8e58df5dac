//! The squares that pictures highlight for a constraint.

use shakmaty::Bitboard;

use super::{Constraint, Situation};

impl Constraint {
    /// The squares named by the conditions that hold: squares with a named man, single empty squares, and the square of
    /// a mated king. Numbers of men, diagrams and negated conditions name none: highlighting every pawn of a picture
    /// would not help the reader.
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
    fn squares_of_named_men_and_of_mated_kings_are_highlighted() {
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
            ("[Rr]@edge=4", "a1 h1 a8 h8"),
            ("attacks(R, r)", "a8 h8"),
            ("-@d4-e4=2 !pinned(n)", "d4 e4"),
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
