//! The number of captures in the game: `captures<=4`.

use std::fmt::{self, Display, Formatter};

use shakmaty::{Chess, Position as _};

use super::{Atom, Condition};
use crate::{Comparison, ParseError, Situation, reader::Reader};

/// The greatest number of captures that may be written. No game has more than thirty.
const MAX_CAPTURES: i32 = 99;

/// The comparison that the number of captures since the first position of the game must satisfy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Captures(pub Comparison<i16>);

impl Captures {
    /// The rest of `captures = "captures" compare`.
    pub(super) fn read(reader: &mut Reader) -> Result<Atom, ParseError> {
        Ok(Atom::Captures(Captures(
            reader.comparison(MAX_CAPTURES, " or >= and the number of captures in the game")?,
        )))
    }

    /// The number of captures in the game. Men disappear in no other way.
    pub(crate) fn so_far(situation: Situation<'_>) -> i16 {
        let men = |position: &Chess| position.board().occupied().count() as i16;
        men(situation.past.first_position()) - men(situation.position)
    }
}

impl Condition for Captures {
    fn holds(&self, situation: Situation<'_>) -> bool {
        self.0.holds(Captures::so_far(situation))
    }

    fn in_words(&self) -> String {
        format!("the number of captures in the game is {}", self.0.in_words())
    }

    fn mirrored(&self) -> Atom {
        Atom::Captures(*self)
    }
}

impl Display for Captures {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "captures{}", self.0)
    }
}
