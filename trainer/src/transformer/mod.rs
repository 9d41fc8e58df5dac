//! The transformer, which predicts human moves from the last moves and the board: everything that only it needs.
//!
//! The training loop knows it as a [`Task`](crate::training::Task), [`MovePrediction`](training::MovePrediction), and
//! the engine as an input of networks. No other kind of network uses this room.

mod export;
pub mod network;
mod samples;
pub mod text;
pub mod training;

pub use export::{transformer_bytes, write_transformer};
pub use samples::{MoveSample, Stretches, Stretching, batch, index, sample};
