//! The program `entente`, as a library for the trainer.

pub mod bench;
pub mod cli;
pub mod dataset;
pub mod render;
pub mod table;
pub mod tournament;
pub mod uci;
