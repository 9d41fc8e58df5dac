//! Draws samples from the game store.

mod alter;
mod board;
mod difference;
mod error;
pub mod goal;
mod merge;
mod pair;
mod permutation;
mod sampler;
mod satisfaction;
mod strata;
mod visits;

pub use board::PackedBoard;
pub use error::{MAX_CONSTRAINTS, SampleError};
pub use pair::Pair;
pub use permutation::Permutation;
pub use sampler::Sampler;
pub use satisfaction::SatisfactionSet;

#[cfg(test)]
pub(crate) use satisfaction::tests;
