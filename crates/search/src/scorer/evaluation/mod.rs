//! Evaluation networks: what a position is worth to strong play. Each reads a safetensors file and is evaluated by code of its
//! own, since a search asks millions of times a second.

mod accumulators;
pub mod article;
mod error;
mod file;

pub use accumulators::{
    Accumulator, EvaluationNetwork, NEURON_ONE, OUTPUT_ONE, Output, SCALE, WEIGHT_ONE, WIDTH,
};
pub use article::{ArticleNetwork, Scaling};
pub use error::EvaluationError;
