//! Training of the transformer: which moves people play, by the last ones and the board.

mod card;
mod measures;
mod recipe;
mod task;

pub use measures::{Groups, Measures};
pub use recipe::TransformerRecipe;
pub use task::{MovePrediction, Record, Test};
