#![doc = include_str!("../README.md")]
//!
//! # What the library is for
//!
//! The program calls [`cli::run`]. The trainer uses [`tournament`], [`table`], [`pgn`] and
//! [`whole_file`], too.
//! Programs of your own should use the crate `entente`.

pub mod bench;
pub mod cli;
pub mod dataset;
#[cfg(feature = "mcp")]
pub mod mcp;
pub mod pgn;
pub mod table;
pub mod tournament;
pub mod uci;
pub mod whole_file;

pub use shakmaty;
