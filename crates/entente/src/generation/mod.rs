//! Generation: from a constraint to a proof game.
//!
//! In comes a [`Request`]: a target, a root position and settings. [`Engine::job`](crate::engine::Engine::job) resolves
//! it into a [`Job`]: target, root, seed and limits, and a [`Plan`] with exactly what the players of the method read. A
//! [`Generator`] does the job in stages: each stage has a player, which makes attempts until one finds a game or the
//! budget is spent. Out comes a [`Generation`]. [`Engine::run`](crate::engine::Engine::run) shares a [`Quota`] of
//! positions out to threads, [`Statistics`] sums them up, and [`Record`] and [`Provenance`] write them down.
//! [`cooperate`] chooses one move of a game in which another engine or a person plays the other side.
//!
//! To add a method, add its word to [`Method`](crate::settings::Method), a variant of [`Plan`], a player in `players/`,
//! and its stages in `players/mod.rs`. To add a setting of a method, add its row to [`settings`](crate::settings), a field
//! to the method's plan, and use it in the player. To add an output format, add a variant of [`Format`].

mod cooperation;
mod distance;
mod error;
mod exercise;
mod generator;
mod job;
mod length;
mod many;
mod output;
pub mod pgn;
mod placements;
mod plan;
mod player;
mod players;
pub mod policy;
mod policy_totals;
mod provenance;
mod record;
mod request;
mod statistics;
mod study;
mod text;

pub use cooperation::{PLANS, cooperate};
pub use distance::{Distance, Unreachable};
pub use error::GenerationError;
pub use exercise::Exercise;
pub use generator::{Generation, Generator, Outcome};
pub use job::{Budget, Job};
pub use length::{DEFAULT_MAX_PLIES, default_max_plies};
pub use many::Quota;
pub(crate) use many::generate_many;
pub use output::{Format, counted};
pub use plan::{
    FastPlan, GoalPolicyPlan, KNOWN_RATINGS, NegamaxPlan, Plan, PolicyPlan, PuctPlan, RolloutPlan,
    TemperatureOverrides, known_rating,
};
pub use policy_totals::PolicyTotals;
pub use provenance::{Provenance, fen};
pub use record::{PolicyRecord, Record, RecordError, Replay};
pub(crate) use request::{NetworkWanted, drawn_seed};
pub use request::{Request, RequestError, Resolved, command};
pub use statistics::{Sample, Statistics};
pub use text::{ratings, san, write_board};
