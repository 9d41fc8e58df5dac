//! The UCI protocol: text in, text out. `docs/protocol.md` describes it.
//!
//! `event` reads lines, and `command` and `go` parse them into typed commands. `reply` has every message, and
//! `writer` prints messages without mixing them. `session` connects the two: it keeps the game and the settings,
//! runs one job at a time (`running`), and listens to the input meanwhile. Other commands wait in a `queue`. The
//! jobs call the [`Engine`](entente::engine::Engine): `play`, `cooperate` and `generate` search, `examine` and
//! `measure` do the rest. `options` writes the table of settings as UCI options.
//!
//! To add a command, add a variant of [`Command`] and its parser in `command.rs`, its effect in `session.rs`, and its
//! messages in `reply/`. To add an option, give a setting a UCI name in `settings/table.rs`.

mod book;
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
