//! What a constraint says of a position, read word for word.

use shakmaty::Chess;

use super::Constraint;

/// A position and how the game came to it: all that conditions are decided by.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    /// The position.
    pub position: &'a Chess,
    /// Plies from the root of the game.
    pub ply: u32,
}

impl Situation<'_> {
    /// The beginning of a game.
    pub fn root(position: &Chess) -> Situation<'_> {
        Situation { position, ply: 0 }
    }
}

impl Constraint {
    /// True if the constraint holds. Ratings always do: they are wishes for the game.
    pub fn holds(&self, situation: Situation<'_>) -> bool {
        match self {
            Constraint::All(parts) => parts.iter().all(|part| part.holds(situation)),
            Constraint::Any(parts) => parts.iter().any(|part| part.holds(situation)),
            Constraint::Not(inner) => !inner.holds(situation),
            Constraint::Atom(atom) => atom.holds(situation),
        }
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen};

    use super::*;

    fn holds(constraint: &str, fen: &str, ply: u32) -> bool {
        let position: Chess = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
        let constraint: Constraint = constraint.parse().expect(constraint);
        constraint.holds(Situation { position: &position, ply })
    }

    #[test]
    fn every_condition_is_read_word_for_word() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        for constraint in [
            "(1,2,2,2,8)",
            "black(1,2,2,2,8)",
            "Q=1 q>=1",
            "K@e1 k@e8",
            "P@2 !P@3",
            "-@e4 -@3-6",
            "B@light B@dark",
            "castling=KQkq",
            "castling>=K",
            "check=none",
            "turn=white",
            "ply=0",
            "ply<=40",
            "elo=1500..1700 turn=white",
            "fen=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
            "!checkmate !stalemate",
            "Q@d-e",
            "white.elo=0..4000",
            "material=KQRRBBNNPPPPPPPPvKQRRBBNNPPPPPPPP",
        ] {
            assert!(holds(constraint, start, 0), "{constraint}");
        }
        for constraint in [
            "castling=none",
            "castling=KQk",
            "check=any",
            "turn=black",
            "ply>0",
            "N@f3",
            "-@e2",
            "k@e1",
            "fen=rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR",
            "material=KvK",
        ] {
            assert!(!holds(constraint, start, 0), "{constraint}");
        }
        let mate = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1";
        assert!(holds("checkmate check=black material=KQvK turn=black ply=31..33", mate, 32));
        assert!(!holds("check=white", mate, 32));
    }
}
