//! Check: `check=white`.

use std::fmt::{self, Display, Formatter};

use shakmaty::{Chess, Color, Position};

use super::{Atom, Condition, color_name};
use crate::{ParseError, Situation, men::side, reader::Reader};

/// Which king is in check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Check {
    /// The king of this side.
    Of(Color),
    /// Either king; only the king of the side to move can be in check.
    Any,
    /// Neither king.
    None,
}

impl Check {
    /// True if the condition holds in `position`.
    pub fn holds_in(self, position: &Chess) -> bool {
        match self {
            Check::Of(color) => position.is_check() && position.turn() == color,
            Check::Any => position.is_check(),
            Check::None => !position.is_check(),
        }
    }

    /// The rest of `check = "check=" ( "white" | "black" | "any" | "none" )`.
    pub(super) fn read(reader: &mut Reader) -> Result<Atom, ParseError> {
        reader.expect('=', "'=' and the king in check")?;
        Ok(Atom::Check(match reader.one_of(&["white", "black", "any", "none"])? {
            "white" => Check::Of(Color::White),
            "black" => Check::Of(Color::Black),
            "any" => Check::Any,
            _ => Check::None,
        }))
    }
}

impl Condition for Check {
    fn holds(&self, situation: Situation<'_>) -> bool {
        self.holds_in(situation.position)
    }

    fn in_words(&self) -> String {
        match self {
            Check::Of(color) => format!("{} is in check", side(*color)),
            Check::Any => "the side to move is in check".to_owned(),
            Check::None => "neither side is in check".to_owned(),
        }
    }

    fn mirrored(&self) -> Atom {
        Atom::Check(match *self {
            Check::Of(color) => Check::Of(color.other()),
            same => same,
        })
    }
}

impl Display for Check {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let whose = match self {
            Check::Of(color) => color_name(*color),
            Check::Any => "any",
            Check::None => "none",
        };
        write!(f, "check={whose}")
    }
}
