use thiserror::Error;

/// Maximum number of constraints in a data set: each has one bit of a word, and one bit is reserved.
pub const MAX_CONSTRAINTS: usize = 31;

/// Why a data set cannot be built.
#[derive(Debug, Error)]
pub enum SampleError {
    /// The split has no games.
    #[error("the split \"{split}\" has no games; use a store with more games")]
    Empty {
        /// The name of the split.
        split: String,
    },
    /// There are no constraints or too many.
    #[error("a data set must have 1 to {MAX_CONSTRAINTS} constraints, but has {0}")]
    Constraints(usize),
    /// A block of the store cannot be read.
    #[error("cannot read the games")]
    Games(#[source] Box<dyn std::error::Error + Send + Sync>),
}
