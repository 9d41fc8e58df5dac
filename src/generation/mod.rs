//! Generation: from a constraint to a proof game.
//!
//! [`Generator`] looks for a game that satisfies the target, by a [`Method`]: cooperative negamax plays one game after
//! another, best-first search plans one; [`generate_many`] spreads positions over threads; [`Statistics`] sums them up. [`cooperate`] chooses
//! one move of a game that another engine, or a person, plays too.

mod choices;
mod cooperation;
mod distance;
mod game_by_game;
mod generator;
pub mod goal_policy;
mod many;
mod method;
mod output;
pub mod pgn;
mod placements;
mod policy_totals;
mod record;
mod request;
mod statistics;

pub use choices::{Asked, BackendChoice, EvaluatorChoice, MethodChoice, MethodKind};
pub use cooperation::{PLANS, cooperate};
pub use distance::{Distance, Unreachable};
pub use generator::{Budget, Generation, Generator, Outcome, Settings};
pub use many::{Plan, generate_many};
pub use method::{GenerationError, Method};
pub use output::{Context, Format, fen};
pub use policy_totals::PolicyTotals;
pub use record::{PolicyRecord, Record, RecordError, Replay};
pub use request::{Request, RequestError};
pub use statistics::{Sample, Statistics};
