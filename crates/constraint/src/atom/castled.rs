//! How the players have castled: `white.castled=long`, `castled=none`.

use std::fmt::{self, Display, Formatter};

use shakmaty::{CastlingSide, Color, Position as _};

use super::{Atom, Condition, color_name};
use crate::{ParseError, Situation, men::side, reader::Reader};

/// How a player has castled in the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Castled {
    /// The player; `None` for both.
    pub player: Option<Color>,
    /// The ways that satisfy the condition.
    pub how: HowCastled,
}

/// A set of the three ways: not at all, kingside (short), queenside (long).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HowCastled(u8);

impl HowCastled {
    /// The player has not castled.
    pub const NONE: HowCastled = HowCastled(1);
    /// Kingside.
    pub const SHORT: HowCastled = HowCastled(2);
    /// Queenside.
    pub const LONG: HowCastled = HowCastled(4);
    /// On either wing.
    pub const YES: HowCastled = HowCastled(6);
    /// In any way or not at all.
    pub(crate) const ANY: HowCastled = HowCastled(7);

    /// The words of the language. `queenside` and `kingside` mean the same as `long` and `short`.
    const WORDS: [(&str, HowCastled); 6] = [
        ("long", HowCastled::LONG),
        ("short", HowCastled::SHORT),
        ("none", HowCastled::NONE),
        ("yes", HowCastled::YES),
        ("queenside", HowCastled::LONG),
        ("kingside", HowCastled::SHORT),
    ];

    /// All words, including those for both sides together, which [`Atom`] does not have.
    pub(crate) const ALL_WORDS: [&str; 8] =
        ["long", "short", "none", "yes", "queenside", "kingside", "opposite", "same"];

    /// The way with this word.
    pub(crate) fn named(word: &str) -> Option<HowCastled> {
        HowCastled::WORDS.into_iter().find_map(|(known, how)| (known == word).then_some(how))
    }

    /// The ways that are in both sets.
    pub(crate) fn and(self, other: HowCastled) -> HowCastled {
        HowCastled(self.0 & other.0)
    }

    /// The ways that are not in the set.
    pub(crate) fn negated(self) -> HowCastled {
        HowCastled(!self.0 & HowCastled::ANY.0)
    }

    /// True if no way is in the set.
    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// True if the set contains castling on this wing, or no castling.
    pub(crate) fn contains(self, castled: Option<CastlingSide>) -> bool {
        let one = match castled {
            None => HowCastled::NONE,
            Some(CastlingSide::KingSide) => HowCastled::SHORT,
            Some(CastlingSide::QueenSide) => HowCastled::LONG,
        };
        !self.and(one).is_empty()
    }

    /// True if a side has castled in one of the ways, or still can.
    pub(crate) fn is_open(self, situation: Situation<'_>, color: Color) -> bool {
        self == HowCastled::ANY || {
            let castled = situation.past.castled(color);
            self.contains(castled)
                || castled.is_none() && self.still_possible(situation, color).next().is_some()
        }
    }

    /// The wings of the set on which a side can still castle.
    pub(crate) fn still_possible(
        self,
        situation: Situation<'_>,
        color: Color,
    ) -> impl Iterator<Item = CastlingSide> {
        let castles = situation.position.castles();
        let wings = [CastlingSide::KingSide, CastlingSide::QueenSide].into_iter();
        wings.filter(move |wing| self.contains(Some(*wing)) && castles.has(color, *wing))
    }
}

impl Castled {
    /// The rest of `castled = [ side "." ] "castled=" way`, for one player or both.
    pub(crate) fn read_way(reader: &mut Reader) -> Result<&'static str, ParseError> {
        reader.expect('=', "'=' and long, short, none, yes, opposite or same")?;
        reader.one_of(&HowCastled::ALL_WORDS)
    }
}

impl Condition for Castled {
    fn holds(&self, situation: Situation<'_>) -> bool {
        let holds = |color| self.how.contains(situation.past.castled(color));
        match self.player {
            Some(color) => holds(color),
            None => Color::ALL.into_iter().all(holds),
        }
    }

    fn in_words(&self) -> String {
        let who = self.player.map_or("each side".to_owned(), |color| side(color).to_owned());
        match self.how {
            HowCastled::LONG => format!("{who} has castled queenside"),
            HowCastled::SHORT => format!("{who} has castled kingside"),
            HowCastled::YES => format!("{who} has castled"),
            _ if self.player.is_none() => "neither side has castled".to_owned(),
            _ => format!("{who} has not castled"),
        }
    }

    fn mirrored(&self) -> Atom {
        Atom::Castled(Castled { player: self.player.map(Color::other), ..*self })
    }
}

impl Display for Castled {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(color) = self.player {
            write!(f, "{}.", color_name(color))?;
        }
        let word = HowCastled::WORDS.into_iter().find_map(|(word, how)| (how == self.how).then_some(word));
        write!(f, "castled={}", word.expect("every written way has a word"))
    }
}
