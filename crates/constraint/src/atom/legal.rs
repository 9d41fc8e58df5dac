//! The number of legal moves: `legal<=3`.

use std::fmt::{self, Display, Formatter};

use shakmaty::Position as _;

use super::{Atom, Condition};
use crate::{Comparison, ParseError, Situation, reader::Reader};

/// The greatest number of legal moves that may be written. No position of a game has more than 218.
const MAX_LEGAL: i32 = 218;

/// The comparison that the number of legal moves of the side to move must satisfy. Promotions to different pieces are
/// different moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Legal(pub Comparison<i16>);

impl Legal {
    /// The rest of `legal = "legal" compare`.
    pub(super) fn read(reader: &mut Reader) -> Result<Atom, ParseError> {
        Ok(Atom::Legal(Legal(reader.comparison(MAX_LEGAL, " or >= and the number of legal moves")?)))
    }
}

impl Condition for Legal {
    fn holds(&self, situation: Situation<'_>) -> bool {
        self.0.holds(situation.position.legal_moves().len() as i16)
    }

    fn in_words(&self) -> String {
        format!("the number of legal moves is {}", self.0.in_words())
    }

    fn mirrored(&self) -> Atom {
        Atom::Legal(*self)
    }
}

impl Display for Legal {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "legal{}", self.0)
    }
}
