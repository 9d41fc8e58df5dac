//! The players' ratings: `elo=1500..1700`. A preference for the game, which every position satisfies.

use std::fmt::{self, Display, Formatter};

use shakmaty::Color;

use super::{Atom, Condition, color_name};
use crate::{Comparison, IntegerRange, ParseError, Situation, men::side, reader::Reader};

/// The highest rating that may be written.
const MAX_ELO: i32 = 4000;

/// The ratings of the players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rating {
    /// The player; `None` for both.
    pub player: Option<Color>,
    /// The rating.
    pub range: IntegerRange<i16>,
}

impl Rating {
    /// The rest of `rating = ( "elo" | "white.elo" | "black.elo" ) "=" range`, whose keyword begins at `start`.
    pub(super) fn read(reader: &mut Reader, player: Option<Color>, start: usize) -> Result<Atom, ParseError> {
        reader.expect('=', "'=' and a rating, such as 1500 or 1500..1700")?;
        reader.rating = Some(start);
        if reader.peek() == Some('-') {
            return Err(reader.error("a rating that is not negative"));
        }
        Ok(Atom::Rating(Rating { player, range: reader.range(MAX_ELO)? }))
    }
}

impl Condition for Rating {
    fn holds(&self, _: Situation<'_>) -> bool {
        true
    }

    fn in_words(&self) -> String {
        let whose =
            self.player.map_or("both players".to_owned(), |color| format!("{}'s player", side(color)));
        format!("{whose} rated {}", Comparison::In(self.range).in_words())
    }

    fn mirrored(&self) -> Atom {
        Atom::Rating(Rating { player: self.player.map(Color::other), ..*self })
    }
}

impl Display for Rating {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.player {
            None => write!(f, "elo={}", self.range),
            Some(color) => write!(f, "{}.elo={}", color_name(color), self.range),
        }
    }
}
