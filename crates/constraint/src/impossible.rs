use shakmaty::{Color, Piece};
use thiserror::Error;

use super::{Comparison, men::side};

/// Why no legal game can satisfy a constraint.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Impossible {
    /// The conditions contradict each other.
    #[error("the conditions contradict each other")]
    Contradiction,
    /// A number of men would have to be negative.
    #[error("the number of {} would have to be negative", .piece.char())]
    Negative {
        /// The kind of man.
        piece: Piece,
    },
    /// More pawns are required than there are, and pawns never return.
    #[error(
        "{} needs at least {needed} {} and has {present}; pawns never return",
        side(*.color), if *.needed == 1 { "pawn" } else { "pawns" }
    )]
    Pawns {
        /// The side.
        color: Color,
        /// The fewest pawns that it must have.
        needed: i8,
        /// The number of pawns that it has.
        present: i8,
    },
    /// More promotions are required than there are pawns that may be missing.
    #[error(
        "{} needs {needed} promoted {}, but only {available} of its pawns may be missing",
        side(*.color), if *.needed == 1 { "man" } else { "men" }
    )]
    Promotions {
        /// The side.
        color: Color,
        /// How many promotions it needs.
        needed: u32,
        /// How many of its pawns may be missing.
        available: u32,
    },
    /// Another contradiction between the conditions, or between them and the rules of chess.
    #[error("{reason}")]
    Because {
        /// The reason, a sentence without its full stop.
        reason: String,
    },
    /// No reachable numbers of men have the required difference.
    #[error("no reachable numbers of men have {}-{}{demanded}", .minuend.char(), .subtrahend.char())]
    Difference {
        /// The kind whose number is the minuend.
        minuend: Piece,
        /// The kind whose number is subtracted.
        subtrahend: Piece,
        /// The comparison that the difference must satisfy.
        demanded: Comparison,
    },
}
