//! Conditions on an earlier position of the game: `earlier(Q=0 q=0)`, `(Q=1 q=1) then (Q=0 q=0)`.

use std::fmt::{self, Display, Formatter};

use super::{Atom, Condition, Constraint, number_of};
use crate::Situation;

/// The constraint held at an earlier position of the game.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Earlier(pub Constraint);

impl Earlier {
    /// A number by which notes on a game know that the constraint has held.
    pub(super) fn number(&self) -> u64 {
        number_of(&("earlier", &self.0))
    }
}

impl Condition for Earlier {
    fn holds(&self, situation: Situation<'_>) -> bool {
        situation.has_happened(self.number(), false, |before| self.0.holds(before))
    }

    fn in_words(&self) -> String {
        let lines = self.0.in_words();
        let words: Vec<String> = lines.iter().map(|line| line.text.clone()).collect();
        format!("at an earlier position of the game: {}", words.join("; "))
    }

    fn mirrored(&self) -> Atom {
        Atom::Earlier(Box::new(Earlier(self.0.clone().mirrored())))
    }
}

impl Display for Earlier {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "earlier({})", self.0)
    }
}
