//! Training of evaluation networks: what positions are worth, as an engine says.

mod card;
mod gradient;
mod measures;
mod recipe;
mod task;
mod weights;

pub use gradient::Gradient;
pub use measures::Measures;
pub use recipe::EvaluationRecipe;
pub use task::{Evaluation, Record};
pub use weights::{COUNT, quantised};
