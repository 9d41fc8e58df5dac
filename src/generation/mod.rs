//! Generation: from a constraint to a proof game.
//!
//! [`Generator`] plays one game after another, with a method choosing the moves, until the goal is
//! satisfied; [`generate_many`] spreads positions over threads; [`Statistics`] sums them up.

mod choices;
mod generator;
mod many;
mod output;
mod placements;
mod statistics;

pub use choices::{EvaluatorChoice, MethodChoice};
pub use generator::{Budget, Generation, Generator, Outcome, Settings};
pub use many::{Plan, generate_many};
pub use output::{Context, Format, fen, write_board};
pub use statistics::Statistics;
