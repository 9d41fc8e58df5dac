//! A run's state in one file, written under a temporary name and renamed, so that a killed run loses minutes.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use tch::{Device, Kind, Tensor};
use thiserror::Error;

use super::{Recipe, Record, Score};

/// Where a run is, apart from its tensors.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Progress {
    /// What is being trained.
    pub recipe: Recipe,
    /// Games and different positions of the training split: the run goes on with the same data only.
    pub games: u64,
    /// See `games`.
    pub positions: u64,
    /// Steps (batches) done.
    pub steps: u64,
    /// Sum of the batches' losses, and their number, since the last record.
    pub loss_sum: f64,
    /// See `loss_sum`.
    pub loss_count: u64,
    /// Seconds spent in steps since the last record.
    pub seconds: f64,
    /// Seconds spent in steps in all.
    pub total_seconds: f64,
    /// The best validation so far.
    pub best: Option<Best>,
    /// The lowest validation loss at the end of an epoch, and epochs since.
    pub best_epoch_loss: Option<f64>,
    /// See `best_epoch_loss`.
    pub epochs_without_improvement: u64,
    /// One row for each validation.
    pub records: Vec<Record>,
}

/// The best validation of a run.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Best {
    /// Steps done when it was measured.
    pub steps: u64,
    /// Mean training loss of the stretch before it.
    pub train_loss: f64,
    /// Over all pairs of the validation sample.
    pub score: Score,
    /// For each constraint.
    pub by_constraint: Vec<Score>,
}

/// All that a run needs to go on exactly: weights, their running average, both moments of Adam, the best
/// weights so far, and [`Progress`].
///
/// What is not kept: the time of day of the next validation within an epoch, which changes no weight.
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
    /// The file cannot be written or renamed.
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

const STATE: &str = "state";

impl Checkpoint {
    /// The checkpoint's name within a run's folder.
    pub const FILE: &'static str = "checkpoint.safetensors";

    /// Writes the checkpoint to `path`, replacing it at once or not at all.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), CheckpointError> {
        let json = serde_json::to_vec(&self.progress).map_err(|error| format_error(path, error))?;
        let tensors: Vec<(&str, Tensor)> = self
            .tensors()
            .map(|(name, tensor)| (name, tensor.to_device(Device::Cpu)))
            .into_iter()
            .chain([(STATE, Tensor::from_slice(&json))])
            .collect();
        let temporary = path.with_extension("part");
        Tensor::write_safetensors(&tensors, &temporary).map_err(|error| format_error(path, error))?;
        let sync = fs::File::open(&temporary).and_then(|file| file.sync_all());
        sync.and_then(|()| fs::rename(&temporary, path))
            .map_err(|error| CheckpointError::Io { path: path.to_owned(), error })
    }

    /// Reads the checkpoint at `path`; its tensors go to `device`.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is no whole checkpoint.
    pub fn read(path: &Path, device: Device) -> Result<Checkpoint, CheckpointError> {
        fs::metadata(path).map_err(|error| CheckpointError::Io { path: path.to_owned(), error })?;
        let mut tensors: std::collections::HashMap<String, Tensor> =
            Tensor::read_safetensors(path).map_err(|error| format_error(path, error))?.into_iter().collect();
        let mut take = |name: &str| {
            tensors.remove(name).ok_or_else(|| format_error(path, format!("no tensor \"{name}\"")))
        };
        let state = take(STATE)?;
        let bytes = Vec::<u8>::try_from(state).map_err(|error| format_error(path, error))?;
        let progress: Progress = serde_json::from_slice(&bytes).map_err(|error| format_error(path, error))?;
        let architecture = progress.recipe.architecture().map_err(|error| format_error(path, error))?;
        let length = crate::network::Parameters::count(&architecture);
        let mut row = |name: &str| {
            let tensor = take(name)?;
            if tensor.size() != [length] || tensor.kind() != Kind::Float {
                let found = format!("tensor \"{name}\" is {:?}, expected {length} floats", tensor.size());
                return Err(format_error(path, found));
            }
            Ok(tensor.to_device(device))
        };
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

fn format_error(path: &Path, reason: impl ToString) -> CheckpointError {
    CheckpointError::Format { path: path.to_owned(), reason: reason.to_string() }
}
