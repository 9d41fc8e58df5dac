//! ONNX files: their messages, and what operators say in their attributes.

mod attributes;
mod messages;

pub use messages::*;
