//! The training loop and what it writes.

mod adam;
mod allocator;
mod card;
mod checkpoint;
mod history;
mod metrics;
mod output;
mod plot;
pub mod policy;
mod progress;
mod recipe;
mod replace;
mod run;
mod samples;
mod schedule;
mod split_set;
pub mod tensors;
mod test_split;
mod validation;

pub use adam::Adam;
pub use allocator::keep_freed_memory;
pub use card::{DataDescription, model_card};
pub use checkpoint::{Checkpoint, CheckpointError};
pub use history::{Record, write_csv};
pub use metrics::{Score, auc, mean_bce, score};
pub use output::Output;
pub use plot::loss_plot;
pub use progress::{Best, Origin, Progress, TestFigures, TestScore};
pub use recipe::{Recipe, RecipeError, TomlRecipe, in_range};
pub use replace::replace as replace_file;
pub use run::{Event, Outcome, RunOptions, Trainer};
pub use samples::{ConstraintSet, Dataset, GameSelection, Sampling};
pub use split_set::{SplitError, split_set};
pub use test_split::{measure_as_played, test_figures};
pub use validation::{Measured, Validation};
