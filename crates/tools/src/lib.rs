#![doc = include_str!("../README.md")]
//!
//! [`TOOLS`] lists the tools. Arguments come in as JSON, [`Arguments::read`] checks them, and [`Tool::run`] does the
//! work on the thread that calls it: the servers give each call a thread, and stop it through its [`Call`]; `Running`
//! of the feature `tokio` does this for them.
//!
//! To add a tool, add a file with a [`Tool`], as `draw.rs` does, and name it in `tools.rs`. Parameters are declared once:
//! the schema that clients see and the check of arguments are made of the same declaration, and those of settings of the
//! table of settings.

mod arguments;
mod call;
mod check;
mod draw;
mod game;
mod generate;
mod parameter;
mod play;
mod policy;
mod proof_in_words;
mod prove;
mod refusal;
#[cfg(feature = "tokio")]
mod running;
mod solve;
mod tool;
mod tools;

pub use arguments::{Arguments, position};
pub use call::{Call, Report, Shared};
pub use game::{MOST_MOVES, game};
pub use parameter::{Inputs, Parameter, Shape, schema};
pub use proof_in_words::in_words;
pub use refusal::Refusal;
#[cfg(feature = "tokio")]
pub use running::{Failure, Running, Step, StopOnDrop};
pub use tool::{Answer, Tool};
pub use tools::TOOLS;
