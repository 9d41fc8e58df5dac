//! Training of evaluation networks on the evaluations of an engine.

mod card;
mod learner;
mod measures;
mod recipe;
mod task;

pub use measures::{Measures, Test};
pub use recipe::{EvaluationRecipe, Network};
pub use task::{Evaluation, Record};
