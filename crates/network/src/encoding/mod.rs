//! Encodings of boards and goals as planes, of moves as indices, and of network outputs as distributions over moves.
//!
//! Positions, players and aims come in, and the numbers that a network reads come out. Logits come in, and a
//! [`Distribution`] over the legal moves comes out. The trainer calls the same functions, so the encodings of training
//! and play cannot differ.
//!
//! To add a feature to the policy's input, append it in `goal_policy/features.rs`. To add another encoding, add a
//! folder here and an input in [`crate::inputs`].

mod distribution;
pub mod goal_policy;
pub mod history;
pub mod lc0;
pub mod moves;
pub mod skill;
pub mod thesis;
pub mod transformer;

pub use distribution::{Distribution, Sampling, softmax};
