//! The evaluation networks for play. They are read from safetensors files and have their own inference code, because a
//! search evaluates millions of positions per second.

mod accumulators;
mod embedded;
mod error;
pub(in crate::scorer) mod file;
mod width;

pub use accumulators::{Accumulator, EvaluationNetwork, NEURON_ONE, OUTPUT_ONE, Output, SCALE, WEIGHT_ONE};
pub use error::EvaluationError;
pub use width::{NARROW, WIDE};
