//! Training of the transformer, which predicts human moves from the last moves and the board.

mod card;
mod games;
mod habits;
mod measures;
mod objective;
mod recipe;
mod task;

pub use measures::{Groups, Measures, Test};
use objective::Objective;
pub use recipe::TransformerRecipe;
pub use task::{MovePrediction, Record};
