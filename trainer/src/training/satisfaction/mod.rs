//! Training of satisfaction networks.

mod card;
mod figures;
mod recipe;
mod samples;
mod split_set;
mod task;
mod test_split;
mod validation;

pub use card::{DataDescription, model_card};
pub use figures::{Record, TestFigures, TestScore};
pub use recipe::Recipe;
pub use samples::{ConstraintSet, GameSelection, Sampling};
pub use split_set::{SplitError, split_set};
pub use task::{Place, Satisfaction};
pub use test_split::{measure_as_played, test_figures};
pub use validation::{Measured, Validation};
