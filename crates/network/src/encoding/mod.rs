//! Encodings: boards and goals as planes, moves as indices, and the outputs of networks as distributions over moves.
//!
//! In come positions, players and aims; out come the numbers that a network reads. In come logits; out comes a
//! [`Distribution`] over the legal moves. The trainer calls the same functions, so training and playing cannot encode
//! differently.
//!
//! To add a feature to the policy's input, add it to the end of `goal_policy/features.rs`. A different encoding gets a
//! folder of its own here, and an input in [`crate::inputs`].

mod distribution;
pub mod goal_policy;
pub mod history;
pub mod lc0;
pub mod moves;
pub mod sequence;
pub mod skill;
pub mod thesis;
pub mod vocabulary;

pub use distribution::{Distribution, Sampling, softmax};
