//! Generation: from a constraint to a proof game.
//!
//! [`Generator`] plays one game after another, with a method choosing the moves, until the goal is
//! satisfied; [`generate_many`] spreads positions over threads; [`Statistics`] sums them up. [`cooperate`] chooses
//! one move of a game that another engine, or a person, plays too.

mod choices;
mod cooperation;
mod generator;
mod many;
mod output;
mod placements;
mod statistics;

pub use choices::{BackendChoice, EvaluatorChoice, MethodChoice};
pub use cooperation::{PLANS, cooperate};
pub use generator::{Budget, Generation, Generator, Outcome, Settings};
pub use many::{Plan, generate_many};
pub use output::{Context, Format, fen, write_board};
pub use statistics::Statistics;
