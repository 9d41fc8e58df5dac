//! The side to move: `turn=white`.

use std::fmt::{self, Display, Formatter};

use shakmaty::{Color, Position};

use super::{Atom, Condition, color_name};
use crate::{ParseError, Situation, men::side, reader::Reader};

/// This side is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Turn(pub Color);

impl Turn {
    /// The rest of `turn = "turn=" ( "white" | "black" )`.
    pub(super) fn read(reader: &mut Reader) -> Result<Atom, ParseError> {
        reader.expect('=', "'=' and the side to move")?;
        Ok(Atom::Turn(Turn(Color::from_white(reader.one_of(&["white", "black"])? == "white"))))
    }
}

impl Condition for Turn {
    fn holds(&self, situation: Situation<'_>) -> bool {
        situation.position.turn() == self.0
    }

    fn in_words(&self) -> String {
        format!("{} is to move", side(self.0))
    }

    fn mirrored(&self) -> Atom {
        Atom::Turn(Turn(self.0.other()))
    }
}

impl Display for Turn {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "turn={}", color_name(self.0))
    }
}
