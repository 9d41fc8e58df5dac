//! The evaluation network for play. It is read from a safetensors file and has its own inference code, because a search
//! evaluates millions of positions per second.

mod accumulators;
mod error;
pub(in crate::scorer) mod file;

pub use accumulators::{
    Accumulator, EvaluationNetwork, NEURON_ONE, OUTPUT_ONE, Output, SCALE, WEIGHT_ONE, WIDTH,
};
pub use error::EvaluationError;
