//! Training of evaluation networks on the evaluations of an engine.

mod card;
mod learner;
mod measures;
mod recipe;
mod task;

pub use learner::Network;
pub use measures::Measures;
pub use recipe::EvaluationRecipe;
pub use task::{Evaluation, Record};
