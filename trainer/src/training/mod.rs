//! The training loop and what it writes.

mod adam;
mod allocator;
mod card;
mod checkpoint;
mod history;
mod metrics;
mod output;
mod plot;
mod recipe;
mod run;
mod samples;
mod schedule;
mod validation;

pub use adam::Adam;
pub use allocator::keep_freed_memory;
pub use card::{DataDescription, model_card};
pub use checkpoint::{Best, Checkpoint, CheckpointError, Progress};
pub use history::{Record, replace as replace_file, write_csv};
pub use metrics::{Score, auc, mean_bce, score};
pub use output::Output;
pub use plot::loss_plot;
pub use recipe::{Recipe, RecipeError};
pub use run::{Event, Outcome, RunOptions, Trainer};
pub use samples::{ConstraintSet, Dataset, GameSelection, Sampling};
pub use validation::{Measured, Validation};
