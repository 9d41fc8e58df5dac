//! Writes rows of numbers and a state in TOML to one safetensors file, which is replaced atomically, and reads them.

use std::{
    collections::HashMap,
    fs, io,
    path::{Path, PathBuf},
};

use entente_cli::whole_file::replace_by;
use serde::{Serialize, de::DeserializeOwned};
use tch::{Device, Kind, Tensor};
use thiserror::Error;

/// The name of the tensor with the state as TOML, which represents all numbers exactly.
const STATE: &str = "state";

/// Why a checkpoint cannot be read or written.
#[derive(Debug, Error)]
pub enum CheckpointError {
    /// The file cannot be read, written or renamed.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The cause.
        error: io::Error,
    },
    /// The file is not a checkpoint, or is incomplete.
    #[error("{}: not a checkpoint of this program: {reason}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// A description of the problem.
        reason: String,
    },
}

/// Writes `state` and `rows` to `path`, which is replaced atomically.
///
/// # Errors
///
/// If it cannot be written.
pub fn write(path: &Path, state: &impl Serialize, rows: &[(&str, &Tensor)]) -> Result<(), CheckpointError> {
    let failed = |error| CheckpointError::Io { path: path.to_owned(), error };
    let state = toml::to_string(state).map_err(|error| failed(io::Error::other(error)))?;
    let tensors: Vec<(&str, Tensor)> = rows
        .iter()
        .map(|(name, tensor)| (*name, tensor.to_device(Device::Cpu)))
        .chain([(STATE, Tensor::from_slice(state.as_bytes()))])
        .collect();
    replace_by(path, |part| Tensor::write_safetensors(&tensors, part).map_err(io::Error::other))
        .map_err(failed)
}

/// The tensors of a file.
pub struct TensorsFile {
    path: PathBuf,
    tensors: HashMap<String, Tensor>,
}

/// Reads the file at `path`.
///
/// # Errors
///
/// If the file cannot be read or is not a safetensors file.
pub fn read(path: &Path) -> Result<TensorsFile, CheckpointError> {
    fs::metadata(path).map_err(|error| CheckpointError::Io { path: path.to_owned(), error })?;
    let tensors = Tensor::read_safetensors(path).map_err(|error| format_error(path, error))?;
    Ok(TensorsFile { path: path.to_owned(), tensors: tensors.into_iter().collect() })
}

impl TensorsFile {
    /// Reads the state.
    ///
    /// # Errors
    ///
    /// If it is missing or has another form.
    pub fn state<T: DeserializeOwned>(&mut self) -> Result<T, CheckpointError> {
        let state = self.take(STATE)?;
        let bytes = Vec::<u8>::try_from(state).map_err(|error| format_error(&self.path, error))?;
        let text = String::from_utf8(bytes).map_err(|error| format_error(&self.path, error))?;
        toml::from_str(&text).map_err(|error| format_error(&self.path, error))
    }

    /// Reads the row with this name, which must have `length` 32-bit numbers.
    ///
    /// # Errors
    ///
    /// If it is missing or has another form.
    pub fn row(&mut self, name: &str, length: i64, device: Device) -> Result<Tensor, CheckpointError> {
        let tensor = self.take(name)?;
        if tensor.size() != [length] || tensor.kind() != Kind::Float {
            let found = format!("tensor \"{name}\" is {:?}, expected {length} floats", tensor.size());
            return Err(format_error(&self.path, found));
        }
        Ok(tensor.to_device(device))
    }

    fn take(&mut self, name: &str) -> Result<Tensor, CheckpointError> {
        let tensor = self.tensors.remove(name);
        tensor.ok_or_else(|| format_error(&self.path, format!("no tensor \"{name}\"")))
    }
}

/// The error for a file that is not a checkpoint.
pub fn format_error(path: &Path, reason: impl ToString) -> CheckpointError {
    CheckpointError::Format { path: path.to_owned(), reason: reason.to_string() }
}
