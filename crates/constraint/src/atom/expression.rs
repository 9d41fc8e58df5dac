//! Conditions joined by `&`, `|` and `!`.

use super::{Atom, Count, Situation, Tuple};

/// A constraint as the user wrote it.
///
/// Parse it with [`str::parse`] and print it with [`Display`](std::fmt::Display). The printed text parses to the same
/// value. `docs/constraints.md` describes the language.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Constraint {
    /// All parts hold. There are at least two.
    All(Vec<Constraint>),
    /// At least one part holds. There are at least two.
    Any(Vec<Constraint>),
    /// The inner constraint does not hold.
    Not(Box<Constraint>),
    /// A single condition.
    Atom(Atom),
}

impl Constraint {
    /// True if the constraint asks for players of certain ratings.
    pub fn has_ratings(&self) -> bool {
        self.atoms().iter().any(|atom| atom.is_always_satisfied())
    }

    /// True if the constraint has conditions on the game that leads to the position, other than its length.
    pub fn is_of_the_game(&self) -> bool {
        self.atoms().iter().any(|atom| atom.is_of_the_game())
    }

    /// The greatest number of earlier positions for which it asks in order.
    pub(crate) fn stages(&self) -> usize {
        let stages = |atom: &Atom| match atom {
            Atom::Earlier(earlier) => 1 + earlier.0.stages(),
            _ => 0,
        };
        self.atoms().into_iter().map(stages).max().unwrap_or(0)
    }

    /// The number of its conditions, including those on earlier positions.
    pub(crate) fn size(&self) -> usize {
        let size = |atom: &&Atom| match atom {
            Atom::Earlier(earlier) => 1 + earlier.0.size(),
            _ => 1,
        };
        self.atoms().iter().map(size).sum()
    }

    /// All conditions of the constraint on the position and its game, in the order in which they are written.
    /// Conditions on earlier positions are part of one condition.
    pub fn atoms(&self) -> Vec<&Atom> {
        match self {
            Constraint::All(parts) | Constraint::Any(parts) => {
                parts.iter().flat_map(Constraint::atoms).collect()
            }
            Constraint::Not(inner) => inner.atoms(),
            Constraint::Atom(atom) => vec![atom],
        }
    }
}

impl Constraint {
    /// True if the constraint holds, assuming the best of the conditions that a
    /// [`ConditionOracle`](crate::ConditionOracle) must judge. Ratings always hold: they are preferences for the game.
    pub fn holds(&self, situation: Situation<'_>) -> bool {
        self.holds_if(situation, true)
    }

    /// True if the constraint holds if every judged condition has the verdict that is best (`judged`) or worst
    /// (`!judged`) for the whole constraint.
    pub(crate) fn holds_if(&self, situation: Situation<'_>, judged: bool) -> bool {
        match self {
            Constraint::All(parts) => parts.iter().all(|part| part.holds_if(situation, judged)),
            Constraint::Any(parts) => parts.iter().any(|part| part.holds_if(situation, judged)),
            Constraint::Not(inner) => !inner.holds_if(situation, !judged),
            Constraint::Atom(Atom::Judged(_)) => judged,
            Constraint::Atom(atom) => atom.holds(situation),
        }
    }
}

impl From<Atom> for Constraint {
    fn from(atom: Atom) -> Constraint {
        Constraint::Atom(atom)
    }
}

impl From<Tuple> for Constraint {
    fn from(tuple: Tuple) -> Constraint {
        Constraint::Atom(Atom::Tuple(tuple))
    }
}

impl From<Count> for Constraint {
    fn from(count: Count) -> Constraint {
        Constraint::Atom(Atom::Count(count))
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Chess, fen::Fen};

    use super::*;

    fn holds(constraint: &str, fen: &str, ply: u32) -> bool {
        let position: Chess = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
        let constraint: Constraint = constraint.parse().expect(constraint);
        constraint.holds(Situation::first(&position, ply))
    }

    #[test]
    fn every_kind_of_condition_is_tested_on_the_position() {
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
            "P@d=1 P@queenside-p@queenside=0 -@c3-f6=16",
            "isolated(P)=0 islands(P)=1 locked([Pp])=0 doubled(P)=0",
            "mobility(N)=4 attacks(N, -@3)=4 defended(P)=8",
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
