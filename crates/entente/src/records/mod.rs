//! Generated positions and their games, written down and counted.
//!
//! In come [`Generation`](crate::generation::Generation)s, and a [`Provenance`], which says what all positions of a run
//! have in common. Out come texts: [`Provenance::render`] writes a position in a [`Format`], [`pgn`] a game, and
//! [`Exercise`] a position with its solution for worksheets, studies and cards. A [`Record`] is a position as JSON, and
//! [`Record::replay`] proves its game. [`Statistics`] counts positions, and [`command`] is the command line that
//! generates them again.
//!
//! The room is in this crate, and not in that of the program, because the trainer and other programs read records and
//! write games too. Generation knows nothing of it.
//!
//! To add a format, add a variant of [`Format`] with its file extensions, and its arm in [`Provenance::render`].

mod command;
mod exercise;
mod format;
mod output;
pub mod pgn;
mod policy_totals;
mod provenance;
mod record;
mod replay;
mod statistics;
mod study;
mod text;

pub use command::command;
pub use exercise::Exercise;
pub use format::Format;
pub use policy_totals::PolicyTotals;
pub use provenance::Provenance;
pub use record::{PolicyRecord, PuzzleRecord, Record};
pub use replay::{RecordError, Replay};
pub use statistics::{Sample, Statistics};
pub use text::{fen, ratings, san, write_board};
