//! The evaluation networks for play. They are read from safetensors files and have their own inference code, because a
//! search evaluates millions of positions per second.

mod accumulators;
mod embedded;
mod error;
pub(in crate::scorer) mod file;

pub use accumulators::{Accumulator, EvaluationNetwork, NEURON_ONE, OUTPUT_ONE, Output, SCALE, WEIGHT_ONE};
pub use embedded::{NARROW, WIDE};
pub use error::EvaluationError;
