//! A run's state in one file, replaced at once, so that a killed run loses minutes.

use std::{
    io,
    path::{Path, PathBuf},
};

use tch::{Device, Tensor};
use thiserror::Error;

use super::{Progress, tensors};

/// All that a run needs to go on exactly: weights, their running average, both moments of Adam, the best
/// weights so far, and [`Progress`].
#[derive(Debug)]
pub struct Checkpoint {
    /// Where the run is.
    pub progress: Progress,
    /// All weights in a row; see [`crate::network::Parameters`].
    pub parameters: Tensor,
    /// Their running average.
    pub average: Tensor,
    /// Adam's first moments.
    pub first: Tensor,
    /// Adam's second moments.
    pub second: Tensor,
    /// The weights of the best validation; the initial ones before the first.
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

impl Checkpoint {
    /// The checkpoint's name within a run's folder.
    pub const FILE: &'static str = "checkpoint.safetensors";

    /// Writes the checkpoint to `path`, replacing it at once or not at all.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), CheckpointError> {
        tensors::write(path, &self.progress, &self.tensors())
    }

    /// Reads the checkpoint at `path`; its tensors go to `device`.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is no whole checkpoint.
    pub fn read(path: &Path, device: Device) -> Result<Checkpoint, CheckpointError> {
        let mut file = tensors::read(path)?;
        let progress: Progress = file.state()?;
        let architecture =
            progress.recipe.architecture().map_err(|error| tensors::format_error(path, error))?;
        let length = crate::network::Parameters::count(&architecture);
        let mut row = |name: &str| file.row(name, length, device);
        Ok(Checkpoint {
            parameters: row("parameters")?,
            average: row("average")?,
            first: row("adam.first")?,
            second: row("adam.second")?,
            best: row("best")?,
            progress,
        })
    }

    fn tensors(&self) -> [(&'static str, &Tensor); 5] {
        [
            ("parameters", &self.parameters),
            ("average", &self.average),
            ("adam.first", &self.first),
            ("adam.second", &self.second),
            ("best", &self.best),
        ]
    }
}
