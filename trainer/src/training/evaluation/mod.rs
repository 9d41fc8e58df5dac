//! Training of evaluation networks: what positions are worth, as an engine says.

mod card;
mod learner;
mod measures;
mod recipe;
mod task;

pub use learner::Network;
pub use measures::Measures;
pub use recipe::EvaluationRecipe;
pub use task::{Evaluation, Record};
