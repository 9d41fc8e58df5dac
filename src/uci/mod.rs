//! The UCI protocol: text in, text out.
//!
//! [`command`] and [`go`] read lines, [`options`] declares what can be set, [`reply`] writes lines,
//! [`session`] lives between them: it holds the position and the options, runs one search at a time
//! in a thread of its own and listens meanwhile. [`generate`] and [`play`] are the searches.
//! `docs/protocol.md` describes the protocol.

pub mod command;
mod generate;
pub mod go;
pub mod options;
mod play;
mod position;
pub mod reply;
mod session;
mod stop;
mod writer;

pub use session::run;
