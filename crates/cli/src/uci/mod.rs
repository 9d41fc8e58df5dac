//! The UCI protocol: text in, text out. `docs/protocol.md` describes it.
//!
//! In come lines: [`event`] reads them, [`command`] and [`go`] turn them into typed commands. Out go lines: [`reply`]
//! has every message, and [`writer`] prints each whole. [`session`] is between them: it keeps the game and the
//! settings, keeps one job [`running`] at a time, and listens meanwhile; other commands wait in a [`queue`]. The jobs
//! call the [`Engine`](entente::engine::Engine): [`play`], [`cooperate`] and [`generate`] search, [`examine`] and
//! [`measure`] do the rest. [`options`] writes the table of settings as UCI options.
//!
//! To add a command, add a variant of [`Command`] and its words in `command.rs`, its effect in `session.rs`, and its
//! messages in `reply/`. To add an option, give a setting a UCI name in `settings/table.rs`.

mod command;
mod cooperate;
mod event;
mod examine;
mod generate;
mod genfens;
mod go;
mod measure;
mod options;
mod play;
mod position;
mod prove;
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
