//! Data sets and networks for Entente: from human games to the models that the engine embeds.
//!
//! The trainer uses the engine's own `constraint` and `encoding`, so that training and playing can
//! never encode a position differently.

pub mod analysis;
pub mod cli;
pub mod dataset;
pub mod evaluations;
pub mod export;
pub mod games;
pub mod labels;
pub mod network;
pub mod prediction;
pub mod realism;
pub mod sequence;
pub mod skill;
pub mod training;
pub mod valuer;
