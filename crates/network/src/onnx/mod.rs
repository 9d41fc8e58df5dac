//! ONNX files: their messages, and what operators say in their attributes.

mod attributes;
mod messages;
mod size;

pub use messages::*;
pub(crate) use size::check as check_size;
