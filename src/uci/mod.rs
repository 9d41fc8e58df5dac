//! The UCI protocol: text in, text out.
//!
//! [`event`], [`command`] and [`go`] read lines, [`options`] holds what can be set, each option a
//! [`declaration`], [`reply`] and [`writer`] write lines. [`session`] lives between them: it holds the
//! game and the options, keeps one job [`running`] at a time and listens meanwhile; what comes behind waits in a
//! [`queue`]. [`play`], [`cooperate`] and [`generate`] are the searches, [`examine`] and [`measure`] the other jobs;
//! [`resources`] holds what they need and what takes long to make: the player with its table, and [`networks`].
//! `docs/protocol.md` describes the protocol.

mod command;
mod cooperate;
mod event;
mod examine;
mod generate;
mod go;
mod measure;
mod options;
mod play;
mod position;
mod queue;
mod reply;
mod running;
mod session;
mod stop;
mod words;
mod writer;

pub use command::{Command, parse};
pub use go::{Generate, Go};
pub use session::run;
pub use words::CommandError;
