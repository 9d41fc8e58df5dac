//! How large a constraint may become when it is written out.

use thiserror::Error;

/// The most alternatives that a constraint may have; `!=` and `|` under `&` multiply them.
pub(super) const MOST_ALTERNATIVES: usize = 1024;

/// A constraint that cannot be brought into normal form.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GoalError {
    /// It speaks of something that search cannot aim at.
    #[error("games cannot be led to '{0}' in this version, only to numbers of men")]
    NotAimedAt(String),
    /// Written out, it has too many alternatives.
    #[error(
        "the constraint is too complex: written out, its '|', '!=' and '!' give more than \
         {MOST_ALTERNATIVES} alternatives{}",
        if *.denies_tuple { "; each '!' before a tuple gives up to ten, one for too many and one for too few of each kind" } else { "" }
    )]
    TooComplex {
        /// True if it denies a tuple, which is short to write and long written out.
        denies_tuple: bool,
    },
}
