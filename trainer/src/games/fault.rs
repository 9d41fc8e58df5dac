//! Faults of games, and reasons to leave a game out.

use thiserror::Error;

/// A fault because of which a game cannot be imported. Plies count from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Fault {
    /// The game ends without a termination marker.
    #[error("cut off: no termination marker (1-0, 0-1, 1/2-1/2 or *) after ply {ply}")]
    CutOff {
        /// The last ply that was read, counted from 1.
        ply: usize,
    },
    /// The text is too long to be a game.
    #[error("longer than {limit} bytes")]
    TooLong {
        /// The maximum number of bytes.
        limit: usize,
    },
    /// A tag cannot be read.
    #[error("tag {tag} is \"{value}\", expected {expected}")]
    Tag {
        /// The name of the tag.
        tag: String,
        /// Its value.
        value: String,
        /// A description of the expected values.
        expected: &'static str,
    },
    /// The game does not begin at the initial position.
    #[error("not from the initial position: {0}")]
    StartPosition(String),
    /// The movetext is not valid PGN.
    #[error("unreadable movetext after ply {ply}: {problem}")]
    Movetext {
        /// The last ply that was read, counted from 1.
        ply: usize,
        /// A description of the problem.
        problem: String,
    },
    /// A move matches several legal moves.
    #[error("ambiguous move {san} at ply {ply}")]
    AmbiguousMove {
        /// The ply, counted from 1.
        ply: usize,
        /// The move as written in the file.
        san: String,
    },
    /// A move is illegal.
    #[error("illegal move {san} at ply {ply}")]
    IllegalMove {
        /// The ply, counted from 1.
        ply: usize,
        /// The move as written in the file.
        san: String,
    },
}

/// Why a game is left out. A game is counted under the first reason that applies, in this order. Of ambiguous and
/// illegal moves, the first one in the game counts.
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
    /// The game has no result.
    NoResult,
    /// A rating is missing.
    RatingUnknown,
    /// A rating is below the minimum.
    LowRating,
    /// The base time is excluded.
    TimeControl,
    /// The game has too few plies.
    TooShort,
}

impl Reason {
    /// All reasons, in the order in which they are checked.
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

    /// True if the game is damaged, false if a filter leaves it out.
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
