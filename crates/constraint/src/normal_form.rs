//! The limit on the number of alternatives into which a constraint expands.

use thiserror::Error;

/// The most alternatives that a constraint may have; `!=` and `|` under `&` multiply them.
pub(super) const MAX_ALTERNATIVES: usize = 1024;

/// A constraint that cannot be expanded into a goal or a target.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GoalError {
    /// A condition is not about numbers of men of single kinds.
    #[error("a goal consists of numbers of men alone, and '{0}' is another condition")]
    NotAimedAt(String),
    /// The constraint expands into too many alternatives.
    #[error(
        "the constraint is too complex: its '|', '!=' and '!' expand into more than {MAX_ALTERNATIVES} \
         alternatives{}",
        if *.denies_tuple {
            "; each '!' before a tuple gives up to ten, one for too many and one for too few of each kind"
        } else {
            ""
        }
    )]
    TooComplex {
        /// True if a tuple is negated, which is short to write but expands into many alternatives.
        denies_tuple: bool,
    },
}
