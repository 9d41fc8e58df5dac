use shakmaty::{Color, Piece};
use thiserror::Error;

use super::{Comparison, men::side};

/// Why no legal game can satisfy a constraint.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Impossible {
    /// Its conditions exclude each other.
    #[error("the conditions contradict each other")]
    Contradiction,
    /// A count would have to be negative.
    #[error("the number of {} would have to be negative", .piece.char())]
    Negative {
        /// The kind of man.
        piece: Piece,
    },
    /// Pawns never return.
    #[error("{} needs at least {needed} pawns and has {present}; pawns never return", side(*.color))]
    Pawns {
        /// The side.
        color: Color,
        /// The least number of pawns it must have.
        needed: i8,
        /// The number it has.
        present: i8,
    },
    /// Only pawns that may be missing can be promoted.
    #[error(
        "{} needs {needed} promoted {}, but only {available} of its pawns may be missing",
        side(*.color), if *.needed == 1 { "man" } else { "men" }
    )]
    Promotions {
        /// The side.
        color: Color,
        /// How many promotions it needs.
        needed: u32,
        /// How many pawns it can give for them.
        available: u32,
    },
    /// Something else in it contradicts the rules or itself.
    #[error("{reason}")]
    Because {
        /// What.
        reason: String,
    },
    /// No numbers that can still come about differ as demanded.
    #[error("no numbers of men that can come about have {}-{}{demanded}", .minuend.char(), .subtrahend.char())]
    Difference {
        /// The kind subtracted from.
        minuend: Piece,
        /// The kind subtracted.
        subtrahend: Piece,
        /// What the difference must be.
        demanded: Comparison,
    },
}
