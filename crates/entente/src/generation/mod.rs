//! Generation: from a constraint to a proof game.
//!
//! In comes a [`Request`]: a target, a root position and settings. [`Engine::job`](crate::engine::Engine::job) resolves
//! it into a [`Job`]: target, root, seed and limits, and a [`Plan`] with exactly what the players of the method read. A
//! [`Generator`] does the job in stages. Each stage has a player, which makes attempts until one finds a game or the
//! budget is spent. Out comes a [`Generation`]. [`Engine::run`](crate::engine::Engine::run) spreads a [`Quota`] of
//! positions over threads, a [`Series`] tries longer games where that finds nothing, and [`records`](crate::records)
//! writes them down. [`cooperate`] chooses one move of a game in which another engine or a human plays the other side.
//!
//! To add a method, add its word to [`Method`](crate::settings::Method), a variant of [`Plan`], a player in `players/`,
//! and its stages in `players/mod.rs`. To add a setting of a method, add its row to [`settings`](crate::settings), a
//! field to the method's plan, and use it in the player.

mod book;
mod cooperation;
mod diagram;
mod distance;
mod error;
mod generator;
mod job;
mod length;
mod many;
mod placements;
mod plan;
mod player;
mod players;
pub mod policy;
mod request;
mod request_error;
mod series;

pub use book::book_constraint;
pub(crate) use cooperation::rank;
pub use cooperation::{PLANS, cooperate};
use diagram::Diagram;
pub use distance::{Distance, Unreachable, reason_impossible};
pub use error::GenerationError;
pub use generator::{Generation, Generator, Outcome};
pub use job::{Budget, Job};
pub use length::{DEFAULT_MAX_PLIES, default_max_plies};
pub use many::Quota;
pub(crate) use many::generate_many;
pub(crate) use placements::Placements;
pub use plan::{
    FastPlan, GoalPolicyPlan, KNOWN_RATINGS, NegamaxPlan, Plan, PolicyPlan, PuctPlan, RolloutPlan,
    TemperatureOverrides, known_rating,
};
pub use request::Request;
pub(crate) use request::{NetworkWanted, drawn_seed, search_for};
pub use request_error::{RequestError, RequestFault};
pub use series::Series;
