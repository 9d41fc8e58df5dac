//! Tournaments of generation: which method, network or setting generates best.
//!
//! In comes a [`Plan`], read from TOML: entrants, constraints, and how many games each pair gets. [`run`] plays it into
//! a folder and can continue after any interruption; [`merge`] joins what several machines played. [`publish`] writes
//! tables, games and the report from the results in the folder.
//!
//! Data sets are tournaments, too: [`dataset`](crate::dataset) uses the plan, the journal, the folder, the schedule and
//! the parts here, and lets further games stand in for those that it cannot use.
//!
//! To add a measure, add a method of `Measures` and its columns in `measures/`. A new setting needs nothing here: plans
//! read their keys from [`settings`](entente::settings).

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
pub use run::{Progress, run};
pub(crate) use schedule::seed as schedule_seed;
pub use schedule::{Game, Schedule};
pub use shard::Shard;
