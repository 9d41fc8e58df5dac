//! Evaluation networks for play. Each is read from a safetensors file and has its own inference code, because a search
//! evaluates millions of positions per second.

mod accumulators;
pub mod article;
mod error;
mod file;

pub use accumulators::{
    Accumulator, EvaluationNetwork, NEURON_ONE, OUTPUT_ONE, Output, SCALE, WEIGHT_ONE, WIDTH,
};
pub use article::{ArticleNetwork, Scaling};
pub use error::EvaluationError;
