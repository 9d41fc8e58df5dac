//! The UCI protocol: text in, text out.
//!
//! [`event`], [`command`] and [`go`] read lines, [`options`] holds what can be set, each option a
//! [`declaration`], [`reply`] and [`writer`] write lines. [`session`] lives between them: it holds the
//! position and the options, keeps one search [`running`] at a time and listens meanwhile. [`generate`]
//! and [`play`] are the searches, [`networks`] loads what they need.
//! `docs/protocol.md` describes the protocol.

mod command;
mod declaration;
mod event;
mod generate;
mod go;
mod networks;
mod options;
mod play;
mod player;
mod position;
mod reply;
mod running;
mod session;
mod stop;
mod writer;

pub use session::run;
