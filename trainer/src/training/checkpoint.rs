//! A run's state in one file, replaced at once, so that a killed run loses minutes.

use std::{
    io,
    path::{Path, PathBuf},
};

use tch::{Device, Tensor};
use thiserror::Error;

use super::{Kind, Progress, Task, tensors};

/// All that a run needs to go on exactly.
pub struct Checkpoint<T: Task> {
    /// Where the run is.
    pub progress: Progress<T>,
    /// Its rows of numbers.
    pub rows: Rows,
}

/// The rows of a run, each as long as its weights.
#[derive(Debug)]
pub struct Rows {
    /// The weights.
    pub weights: Tensor,
    /// Their running average.
    pub average: Tensor,
    /// The optimizer's first moments.
    pub first: Tensor,
    /// Its second moments.
    pub second: Tensor,
    /// The kept weights; the initial ones before the first validation.
    pub best: Tensor,
}

/// Why a checkpoint cannot be read or written.
#[derive(Debug, Error)]
pub enum CheckpointError {
    /// The file cannot be read, written or renamed.
    #[error("{}: {error}", path.display())]
    Io {
        /// Which file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// It is not a checkpoint, or not whole.
    #[error("{}: not a checkpoint of this program: {reason}", path.display())]
    Format {
        /// Which file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
}

/// The checkpoint's name within a run's folder.
pub const CHECKPOINT: &str = "checkpoint.safetensors";

impl<T: Task> Checkpoint<T> {
    /// Writes the checkpoint to `path`, replacing it at once or not at all.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), CheckpointError> {
        write(path, &self.progress, &self.rows)
    }

    /// Reads the checkpoint at `path`; its tensors go to `device`.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is no whole checkpoint of such a network.
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

/// What kind of network the checkpoint at `path` is of.
///
/// # Errors
///
/// If the file cannot be read or is no checkpoint.
pub fn checkpoint_kind(path: &Path) -> Result<Kind, CheckpointError> {
    let state: toml::Table = tensors::read(path)?.state()?;
    let kind = state.get("recipe").and_then(|recipe| recipe.get("kind")).cloned();
    kind.and_then(|kind| kind.try_into().ok())
        .ok_or_else(|| tensors::format_error(path, "its recipe says no kind of network"))
}
