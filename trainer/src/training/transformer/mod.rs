//! Training of the transformer: which moves people play, by the last ones and the board.

mod card;
mod games;
mod habits;
mod measures;
mod objective;
mod recipe;
mod task;

pub use measures::{Groups, Measures};
use objective::Objective;
pub use recipe::TransformerRecipe;
pub use task::{MovePrediction, Record, Test};
