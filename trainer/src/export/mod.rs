//! Writes networks as ONNX files, after a check that the engine computes the same outputs as the trainer.

mod lc0;
pub(crate) mod onnx;
mod parity;
mod policy;
mod tower;
pub(crate) mod writer;

pub use lc0::{Grafted, is_lc0, lc0_weights};
pub use onnx::{Metadata, onnx_bytes};
pub(crate) use parity::check_outputs;
pub use parity::{ExportError, TOLERANCE, sample_inputs, write_model};
pub use policy::write_policy;
pub use tower::{recipe_of, tower_bytes, tower_weights};
