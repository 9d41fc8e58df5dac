//! Generation: from a constraint to a proof game.
//!
//! In comes a [`Request`], what somebody asked for wherever they said it; it is resolved, in one place, into a [`Job`] that
//! leaves nothing open. A [`Generator`] does the job: its players try one after another, until one finds a game or the
//! budget is spent. Out comes a [`Generation`]; [`generate_many`] spreads many over threads, [`Statistics`] sums them up,
//! [`Record`] and [`Provenance`] write them down. [`cooperate`] chooses one move of a game that another engine, or a person,
//! plays too.
//!
//! To add a method, add its word to [`Method`](crate::settings::Method), a player in `players/`, and the stages that it
//! plays in. To add a setting of a method, add its row to [`settings`](crate::settings), and use its field in the player.

mod command;
mod cooperation;
mod distance;
mod error;
mod generator;
mod job;
mod many;
mod output;
pub mod pgn;
mod placements;
mod player;
mod players;
pub mod policy;
mod policy_totals;
mod provenance;
mod record;
mod request;
mod statistics;

pub use command::command;
pub use cooperation::{PLANS, cooperate};
pub use distance::{Distance, Unreachable};
pub use error::GenerationError;
pub use generator::{Generation, Generator, Outcome};
pub use job::{Budget, Job, KNOWN_RATINGS, known_rating};
pub use many::{Quota, generate_many};
pub use output::Format;
pub use policy_totals::PolicyTotals;
pub use provenance::{Provenance, fen};
pub use record::{PolicyRecord, Record, RecordError, Replay};
pub use request::{NetworkWanted, Request, RequestError, Resolved};
pub use statistics::{Sample, Statistics};
