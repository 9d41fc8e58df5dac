//! A run's state in one file, replaced at once, so that a killed run loses minutes.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use tch::{Device, Kind, Tensor};
use thiserror::Error;

use super::{Progress, replace::replace_by};

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

/// [`Progress`] as TOML, in which numbers come back exactly as they were.
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
        let failed = |error| CheckpointError::Io { path: path.to_owned(), error };
        let state = toml::to_string(&self.progress).map_err(|error| failed(io::Error::other(error)))?;
        let tensors: Vec<(&str, Tensor)> = self
            .tensors()
            .map(|(name, tensor)| (name, tensor.to_device(Device::Cpu)))
            .into_iter()
            .chain([(STATE, Tensor::from_slice(state.as_bytes()))])
            .collect();
        replace_by(path, |part| Tensor::write_safetensors(&tensors, part).map_err(io::Error::other))
            .map_err(failed)
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
        let text = String::from_utf8(bytes).map_err(|error| format_error(path, error))?;
        let progress: Progress = toml::from_str(&text).map_err(|error| format_error(path, error))?;
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
