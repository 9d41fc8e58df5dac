//! Tournaments of generation: which method, network or setting generates best, and data sets by the hundred thousand.
//!
//! A [`Plan`], read from TOML, says which entrants generate for which constraints and how often. [`run`] plays it into a
//! folder, whatever interrupts it, [`merge`] joins what several machines played, and [`publish`] makes the tables, the
//! games and the report of what is there.

mod error;
mod folder;
mod heading;
mod interval;
mod journal;
mod measures;
mod merge;
mod pairing;
mod plan;
mod publish;
mod reading;
mod report;
mod run;
mod schedule;
mod text_file;

pub use error::TournamentError;
pub use folder::{Folder, Lock, Manifest};
pub use journal::{Damage, Damages, Journal};
pub use merge::merge;
pub use pairing::Pairing;
pub use plan::{Constraints, Entrant, Plan, Published};
pub use publish::publish;
pub use reading::PlanError;
pub use run::{Progress, run};
pub use schedule::{Game, Schedule, Shard};
