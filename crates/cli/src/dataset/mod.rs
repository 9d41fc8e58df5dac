//! Data sets: so many positions for each constraint and rating, no two of them equal, with a card that says how they
//! came about.
//!
//! A data set is a [tournament](crate::tournament) inside: the entrants are ratings, the games are candidates, and the
//! journal, the folder, the shards and the ways to resume and to join are the same. In comes a plan, which
//! [`read_plan`] reads from TOML. [`generate`] makes the candidates; `selection` decides which of them stay, and how
//! many more are needed. [`publish`] writes those that stay as JSON lines and as Parquet, and the card. [`merge`] joins
//! what several machines generated.
//!
//! To add a column, add a field of [`Position`], its arms in `columns.rs`, and its meaning in `card.rs`.

mod candidates;
mod card;
mod columns;
mod merge;
mod position;
mod publish;
mod reading;
mod run;
mod selection;

pub use card::PLAYERS;
pub use merge::{Merged, merge};
pub use position::Position;
pub use publish::publish;
pub use reading::read_plan;
pub use run::{Ended, Progress, generate};
pub use selection::{Selection, Share};

use crate::tournament::Kind;

/// The folder of a data set.
pub static DATASET: Kind = Kind {
    noun: "data set",
    manifest: "dataset.json",
    results: "candidates.jsonl",
    damaged: "candidates.damaged",
    published: &["positions.jsonl", "positions.parquet", "README.md"],
};
