//! The length of the game from its root: `ply<=40`.

use std::fmt::{self, Display, Formatter};

use super::{Atom, Condition};
use crate::{Comparison, ParseError, Situation, reader::Reader};

/// The greatest number of plies that may be written.
const MAX_PLIES: i32 = 1000;

/// The comparison that the number of plies from the root must satisfy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ply(pub Comparison<i16>);

impl Ply {
    /// The rest of `ply = "ply" compare`.
    pub(super) fn read(reader: &mut Reader) -> Result<Atom, ParseError> {
        Ok(Atom::Ply(Ply(reader.comparison(MAX_PLIES, " or >=")?)))
    }
}

impl Condition for Ply {
    fn holds(&self, situation: Situation<'_>) -> bool {
        self.0.holds(i16::try_from(situation.ply).unwrap_or(i16::MAX))
    }

    fn in_words(&self) -> String {
        format!("the number of plies from the start of the game is {}", self.0.in_words())
    }

    fn mirrored(&self) -> Atom {
        Atom::Ply(*self)
    }
}

impl Display for Ply {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "ply{}", self.0)
    }
}
