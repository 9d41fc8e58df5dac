//! The training loop, the kinds of networks that it trains, and the files that it writes.
//!
//! A single loop ([`Trainer`]) trains all kinds of networks. Each kind implements [`Task`] in a folder of its own.

mod allocator;
mod best;
mod checkpoint;
pub mod evaluation;
mod history;
mod inputs;
mod metrics;
mod optimizer;
pub(crate) mod output;
mod plot;
pub mod policy;
mod progress;
mod recipe;
pub mod satisfaction;
mod schedule;
mod stretch;
mod task;
mod teacher;
pub mod tensors;
mod trainer;
mod workers;

pub use allocator::keep_freed_memory;
pub use best::{Best, Origin};
pub use checkpoint::{CHECKPOINT, Checkpoint, Rows, checkpoint_kind};
pub use history::write_csv;
pub use inputs::Inputs;
pub use metrics::{Score, auc, mean_bce, probability_in_top, score};
pub use optimizer::{Adam, Optimizer};
pub use output::{Output, prepare};
pub use plot::loss_plot;
pub use progress::{Progress, Sums};
pub use recipe::{Kind, RecipeError, TomlRecipe, in_range};
pub use schedule::Schedule;
pub use stretch::Stretch;
pub use task::{BestOf, Saved, Task, TaskRecipe};
pub use teacher::{Teacher, TeacherRecipe};
pub use tensors::CheckpointError;
pub use trainer::{Event, Outcome, RunOptions, Trainer, check_recipe};
pub use workers::Workers;
