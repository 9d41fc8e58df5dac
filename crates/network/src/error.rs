use std::{
    io,
    path::{Path, PathBuf},
};

use entente_constraint::nearest;
use thiserror::Error;

/// Network files larger than this are not read. The networks of this program are far smaller.
pub(super) const MAX_FILE_BYTES: u64 = 256 << 20;

/// The names of the built-in networks: policies, then satisfaction networks.
pub(super) const OWN_NETWORKS: [&str; 4] = ["goal-policy", "human-policy", "thesis-1", "thesis-2"];

/// A hint for a missing file whose name could be that of a built-in network: their names, and the one that may be
/// meant.
fn own_networks(path: &Path, error: &io::Error) -> String {
    let word = path.to_str().filter(|word| !word.contains(['.', '/', '\\']));
    let (io::ErrorKind::NotFound, Some(word)) = (error.kind(), word) else { return String::new() };
    let meant = nearest(word, OWN_NETWORKS).map_or(String::new(), |name| format!("; did you mean '{name}'?"));
    format!("; the built-in networks are {}{meant}", OWN_NETWORKS.join(", "))
}

/// Why a network cannot be used.
#[derive(Debug, Error)]
pub enum NetworkError {
    /// The file cannot be read.
    #[error("network {}: {error}{}", path.display(), own_networks(path, error))]
    File {
        /// The file.
        path: PathBuf,
        /// The operating system's error. It is part of the message, and therefore not also its source.
        error: io::Error,
    },
    /// The file is too large to be a network.
    #[error("network {}: larger than {MAX_FILE_BYTES} bytes, the most that Entente reads", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
    },
    /// It is not an ONNX model, or the backend cannot run it.
    #[error("network {name}: not a usable ONNX model: {reason}")]
    Model {
        /// The network.
        name: String,
        /// The backend's message.
        reason: String,
    },
    /// It has the wrong inputs or outputs.
    #[error("network {name}: expected {expected}, found {found}")]
    Shape {
        /// The network.
        name: String,
        /// The expected input or output.
        expected: String,
        /// The actual one.
        found: String,
    },
    /// The skill in a policy's metadata is invalid.
    #[error("network {name}: its skill cannot be used: {reason}")]
    Skill {
        /// The network.
        name: String,
        /// What was expected and what was found.
        reason: String,
    },
    /// This build lacks the backend that was asked for.
    #[error("network {name}: {reason}")]
    Backend {
        /// The network.
        name: String,
        /// Why it is missing and how to get it.
        reason: String,
    },
    /// The network's input cannot represent the constraint.
    #[error("network {name} reads only exact counts of White, such as (1,2,1,1,7); use the evaluator men")]
    Unreadable {
        /// The network.
        name: String,
    },
}

impl NetworkError {
    /// The error for a panic in a backend or in the thread that runs the network.
    pub(super) fn gave_up(name: &str) -> NetworkError {
        NetworkError::model(name, "the backend failed on a malformed part of it")
    }

    /// The error for a model that the backend cannot run.
    pub(super) fn model(name: &str, reason: impl Into<String>) -> NetworkError {
        NetworkError::Model { name: name.to_owned(), reason: reason.into() }
    }

    /// The error for a model with the wrong inputs or outputs.
    pub(super) fn shape(name: &str, expected: impl Into<String>, found: impl Into<String>) -> NetworkError {
        NetworkError::Shape { name: name.to_owned(), expected: expected.into(), found: found.into() }
    }
}
