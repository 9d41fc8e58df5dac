//! What can be wrong with a game, and why a game is left out.

use thiserror::Error;

/// A game that cannot be taken as it stands. Plies count from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Fault {
    /// It ends without a termination marker.
    #[error("cut off: no termination marker (1-0, 0-1, 1/2-1/2 or *) after ply {ply}")]
    CutOff {
        /// The last ply that was read, counted from 1.
        ply: usize,
    },
    /// It is longer than any game.
    #[error("longer than {limit} bytes")]
    TooLong {
        /// The most bytes that a game may have.
        limit: usize,
    },
    /// A tag cannot be read.
    #[error("tag {tag} is \"{value}\", expected {expected}")]
    Tag {
        /// Its name.
        tag: String,
        /// What it holds.
        value: String,
        /// What it should hold.
        expected: &'static str,
    },
    /// It begins elsewhere.
    #[error("not from the initial position: {0}")]
    StartPosition(String),
    /// Something among the moves is no move.
    #[error("unreadable movetext after ply {ply}: {problem}")]
    Movetext {
        /// The last ply that was read, counted from 1.
        ply: usize,
        /// What is wrong.
        problem: String,
    },
    /// A move could be one of several.
    #[error("ambiguous move {san} at ply {ply}")]
    AmbiguousMove {
        /// The ply, counted from 1.
        ply: usize,
        /// The move as it is written.
        san: String,
    },
    /// A move is against the rules.
    #[error("illegal move {san} at ply {ply}")]
    IllegalMove {
        /// The ply, counted from 1.
        ply: usize,
        /// The move as it is written.
        san: String,
    },
}

/// Why a game is not in the store. A game is counted under the first reason that holds, in this order
/// (a move is ambiguous or illegal, whichever comes first in the game).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reason {
    /// [`Fault::TooLong`].
    TooLong,
    /// [`Fault::CutOff`].
    CutOff,
    /// [`Fault::Tag`].
    Tag,
    /// [`Fault::StartPosition`].
    StartPosition,
    /// [`Fault::Movetext`].
    Movetext,
    /// [`Fault::AmbiguousMove`].
    AmbiguousMove,
    /// [`Fault::IllegalMove`].
    IllegalMove,
    /// It has no result.
    NoResult,
    /// A rating is missing.
    RatingUnknown,
    /// A rating is below the least.
    LowRating,
    /// Its base time is excluded.
    TimeControl,
    /// It has too few plies.
    TooShort,
}

impl Reason {
    /// All reasons, in the order in which they are looked at.
    pub const ALL: [Reason; 12] = [
        Reason::TooLong,
        Reason::CutOff,
        Reason::Tag,
        Reason::StartPosition,
        Reason::Movetext,
        Reason::AmbiguousMove,
        Reason::IllegalMove,
        Reason::NoResult,
        Reason::RatingUnknown,
        Reason::LowRating,
        Reason::TimeControl,
        Reason::TooShort,
    ];

    /// The reason's name in tables.
    pub fn label(self) -> &'static str {
        match self {
            Reason::TooLong => "too long to be a game",
            Reason::Tag => "bad tag",
            Reason::StartPosition => "not from the initial position",
            Reason::CutOff => "cut off",
            Reason::Movetext => "unreadable movetext",
            Reason::AmbiguousMove => "ambiguous move",
            Reason::IllegalMove => "illegal move",
            Reason::NoResult => "no result",
            Reason::RatingUnknown => "rating unknown",
            Reason::LowRating => "low rating",
            Reason::TimeControl => "unallowed time control",
            Reason::TooShort => "too short",
        }
    }

    /// True for damage, false for a filter's choice.
    pub fn is_fault(self) -> bool {
        self <= Reason::IllegalMove
    }
}

impl Fault {
    /// The reason under which the game is counted.
    pub fn reason(&self) -> Reason {
        match self {
            Fault::CutOff { .. } => Reason::CutOff,
            Fault::TooLong { .. } => Reason::TooLong,
            Fault::Tag { .. } => Reason::Tag,
            Fault::StartPosition(_) => Reason::StartPosition,
            Fault::Movetext { .. } => Reason::Movetext,
            Fault::AmbiguousMove { .. } => Reason::AmbiguousMove,
            Fault::IllegalMove { .. } => Reason::IllegalMove,
        }
    }
}

/// Text from outside for a message: one line, bounded, no control characters.
pub(super) fn quote(bytes: &[u8]) -> String {
    const LONGEST: usize = 60;
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(4 * LONGEST)]);
    let mut quoted: String =
        text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).take(LONGEST).collect();
    if text.chars().count() > LONGEST {
        quoted.push('…');
    }
    quoted
}
