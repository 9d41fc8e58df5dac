//! Data sets: N positions for each constraint and rating, all different, with a card that describes how they were
//! generated.
//!
//! Internally a data set is a [tournament](crate::tournament): the entrants are ratings, the games are candidates, and
//! the journal, the folder, the shards, resuming and merging are the same. [`read_plan`] reads the plan from TOML.
//! [`generate`] generates the candidates; `selection` decides which of them are kept, and how many more are needed.
//! [`publish`] writes the positions as JSON lines and Parquet, and the card. [`merge`] merges the shards of several
//! machines.
//!
//! To add a column, add a field of [`Position`], its code in `columns.rs`, and its meaning in `card.rs`.

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
pub use run::{DatasetProgress, Ended, generate};
pub use selection::{Selection, Share};

use crate::tournament::Kind;

/// The kind of a data set's folder.
pub static DATASET: Kind = Kind {
    noun: "data set",
    manifest: "dataset.json",
    results: "candidates.jsonl",
    damaged: "candidates.damaged",
    published: &["positions.jsonl", "positions.parquet", "README.md"],
};
