//! Draws samples from the game store.

mod alter;
mod board;
mod difference;
pub mod goal;
mod merge;
mod permutation;
mod sampler;
mod satisfaction;
pub mod sequence;
mod strata;
mod visits;

pub use board::PackedBoard;
pub use permutation::Permutation;
pub use sampler::{Pair, Sampler};
pub use satisfaction::{DatasetError, MAX_CONSTRAINTS, SatisfactionSet};

#[cfg(test)]
pub(crate) use satisfaction::tests;
