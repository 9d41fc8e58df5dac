//! Tournaments of generation: which method, network or setting generates best.
//!
//! A [`Plan`], read from TOML, names entrants, constraints, and the number of games for each pair. [`run`] plays it
//! into a folder and can continue after any interruption; [`merge`] merges the shards of several machines. [`publish`]
//! writes tables, games and the report from the results in the folder.
//!
//! Data sets are tournaments, too: [`dataset`](crate::dataset) uses the plan, the journal, the folder, the schedule and
//! the merging of this module. It replaces games that it cannot use by further games.
//!
//! To add a measure, add a method of `Measures` and its columns in `measures/`. A new setting needs no change here,
//! because plans take their keys from [`settings`](entente::settings).

mod array;
mod error;
mod folder;
mod heading;
pub mod interval;
mod journal;
mod kind;
mod manifest;
mod measures;
mod merge;
mod pairing;
mod plan;
mod publish;
mod reading;
mod report;
mod run;
mod schedule;
mod shard;
mod text_file;

pub use error::TournamentError;
pub use folder::{Folder, Lock};
pub use journal::{Damage, Damages, Journal};
pub use kind::Kind;
pub use manifest::Manifest;
pub(crate) use measures::markdown;
pub(crate) use merge::Parts;
pub use merge::merge;
pub use pairing::Pairing;
pub use plan::{Constraints, Entrant, Plan, Published};
pub use publish::publish;
pub use reading::PlanError;
pub(crate) use reading::{OneOrMore, Source, Written, written};
pub(crate) use run::play;
pub use run::{TournamentProgress, run};
pub(crate) use schedule::seed as schedule_seed;
pub use schedule::{Game, Schedule};
pub use shard::Shard;
