//! Builds data sets from human games, and trains the networks that the engine embeds.
//!
//! The trainer uses the engine's own crates for constraints and encodings, so training and play cannot encode a
//! position differently.

// Training rounds as libtorch and the system do. Only what the engine computes is the same everywhere.
#![allow(clippy::disallowed_methods)]

pub mod analysis;
pub mod cli;
pub mod difficulty;
pub mod evaluations;
pub mod export;
pub mod files;
pub mod games;
pub mod labelling;
pub mod labels;
pub mod network;
pub mod prediction;
pub mod progress;
pub mod realism;
pub mod samples;
pub mod skill;
pub mod training;
pub mod transformer;
pub mod valuer;
