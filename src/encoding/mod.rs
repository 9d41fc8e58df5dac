//! What networks see and say: boards and goals to planes, moves to indices, outputs to distributions over moves.
//! Training and playing use the same functions.

mod distribution;
pub mod goal_policy;
pub mod moves;
pub mod thesis;

pub use distribution::{Distribution, Sampling, softmax};
