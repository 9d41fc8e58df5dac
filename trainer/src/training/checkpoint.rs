//! The state of a run in one file, which is replaced atomically, so that a killed run loses only minutes.

use std::path::Path;

use tch::{Device, Tensor};

use super::{CheckpointError, Kind, Progress, Task, tensors};

/// Everything that a run needs to continue exactly where it stopped.
pub struct Checkpoint<T: Task> {
    /// The progress of the run.
    pub progress: Progress<T>,
    /// Its weights and moments.
    pub rows: Rows,
}

/// The rows of numbers of a run, each as long as the weights.
#[derive(Debug)]
pub struct Rows {
    /// The weights.
    pub weights: Tensor,
    /// The running average of the weights.
    pub average: Tensor,
    /// The optimizer's first moments.
    pub first: Tensor,
    /// The optimizer's second moments.
    pub second: Tensor,
    /// The best weights so far; the initial ones before the first validation.
    pub best: Tensor,
}

/// The name of the checkpoint in the folder of a run.
pub const CHECKPOINT: &str = "checkpoint.safetensors";

impl<T: Task> Checkpoint<T> {
    /// Writes the checkpoint to `path`, which is replaced atomically.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), CheckpointError> {
        write(path, &self.progress, &self.rows)
    }

    /// Reads the checkpoint at `path` and moves its tensors to `device`.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is not a complete checkpoint of such a network.
    pub fn read(path: &Path, device: Device) -> Result<Checkpoint<T>, CheckpointError> {
        let mut file = tensors::read(path)?;
        let progress: Progress<T> = file.state()?;
        let length = T::count(&progress.recipe);
        let mut row = |name: &str| file.row(name, length, device);
        let rows = Rows {
            weights: row("weights")?,
            average: row("average")?,
            first: row("first")?,
            second: row("second")?,
            best: row("best")?,
        };
        Ok(Checkpoint { progress, rows })
    }
}

/// Writes a checkpoint; see [`Checkpoint::write`].
///
/// # Errors
///
/// If it cannot be written.
pub(super) fn write<T: Task>(
    path: &Path,
    progress: &Progress<T>,
    rows: &Rows,
) -> Result<(), CheckpointError> {
    let Rows { weights, average, first, second, best } = rows;
    let rows =
        [("weights", weights), ("average", average), ("first", first), ("second", second), ("best", best)];
    tensors::write(path, progress, &rows)
}

/// The kind of network in the checkpoint at `path`.
///
/// # Errors
///
/// If the file cannot be read or is not a checkpoint.
pub fn checkpoint_kind(path: &Path) -> Result<Kind, CheckpointError> {
    let state: toml::Table = tensors::read(path)?.state()?;
    let kind = state.get("recipe").and_then(|recipe| recipe.get("kind")).cloned();
    kind.and_then(|kind| kind.try_into().ok())
        .ok_or_else(|| tensors::format_error(path, "its recipe names no kind of network"))
}
