//! What can be wrong with a game, and why a game is left out.

use thiserror::Error;

/// A game that cannot be taken as it stands. Plies count from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Fault {
    #[error("cut off: no termination marker (1-0, 0-1, 1/2-1/2 or *) after ply {ply}")]
    CutOff { ply: usize },
    #[error("longer than {limit} bytes")]
    TooLong { limit: usize },
    #[error("tag {tag} is \"{value}\", expected {expected}")]
    Tag { tag: String, value: String, expected: &'static str },
    #[error("not from the initial position: {0}")]
    StartPosition(String),
    #[error("unreadable movetext after ply {ply}: {problem}")]
    Movetext { ply: usize, problem: String },
    #[error("ambiguous move {san} at ply {ply}")]
    AmbiguousMove { ply: usize, san: String },
    #[error("illegal move {san} at ply {ply}")]
    IllegalMove { ply: usize, san: String },
}

/// Why a game is not in the store. A game is counted under the first reason that holds, in this order
/// (a move is ambiguous or illegal, whichever comes first in the game).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reason {
    TooLong,
    CutOff,
    Tag,
    StartPosition,
    Movetext,
    AmbiguousMove,
    IllegalMove,
    NoResult,
    RatingUnknown,
    LowRating,
    TimeControl,
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
