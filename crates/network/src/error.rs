use std::{
    io,
    path::{Path, PathBuf},
};

use entente_constraint::nearest;
use thiserror::Error;

/// A network file larger than this is not read: no network of this program comes near it.
pub(super) const MAX_FILE_BYTES: u64 = 256 << 20;

/// The names of the networks in the program, policies and others.
pub(super) const OWN_NETWORKS: [&str; 3] = ["goal-policy", "thesis-1", "thesis-2"];

/// Where a file is missing whose name could be a network's: the networks in the program, and which of them may be meant.
fn own_networks(path: &Path, error: &io::Error) -> String {
    let word = path.to_str().filter(|word| !word.contains(['.', '/', '\\']));
    let (io::ErrorKind::NotFound, Some(word)) = (error.kind(), word) else { return String::new() };
    let meant = nearest(word, OWN_NETWORKS).map_or(String::new(), |name| format!("; did you mean '{name}'?"));
    format!("; the program has {}{meant}", OWN_NETWORKS.join(", "))
}

/// Why a network cannot be used.
#[derive(Debug, Error)]
pub enum NetworkError {
    /// The file cannot be read.
    #[error("network {}: {error}{}", path.display(), own_networks(path, error))]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said. Part of the text, and so no source of it besides.
        error: io::Error,
    },
    /// The file is too large to be a network.
    #[error("network {}: more than {MAX_FILE_BYTES} bytes, as no network here has", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
    },
    /// It is no ONNX model, or one that the backend cannot run.
    #[error("network {name}: not a usable ONNX model: {reason}")]
    Model {
        /// The network.
        name: String,
        /// What the backend said.
        reason: String,
    },
    /// Its input or output is not what it should be.
    #[error("network {name}: expected {expected}, found {found}")]
    Shape {
        /// The network.
        name: String,
        /// What it should be.
        expected: String,
        /// What it is.
        found: String,
    },
    /// What a policy's metadata says of its skill is not understood.
    #[error("network {name}: its skill cannot be used: {reason}")]
    Skill {
        /// The network.
        name: String,
        /// What was expected, and what was found.
        reason: String,
    },
    /// This build lacks the backend that was asked for.
    #[error("network {name}: {reason}")]
    Backend {
        /// The network.
        name: String,
        /// What would help.
        reason: String,
    },
    /// The constraint says more than the network's input can.
    #[error("network {name} reads only exact counts of White, such as (1,2,1,1,7); use the evaluator men")]
    Unreadable {
        /// The network.
        name: String,
    },
}

#[cfg(feature = "tract")]
impl NetworkError {
    /// What a panic within tract means for a user.
    pub(super) fn gave_up(name: &str) -> NetworkError {
        NetworkError::model(name, "tract gave up on a part of it that makes no sense")
    }

    /// A model that cannot be run.
    pub(super) fn model(name: &str, reason: impl Into<String>) -> NetworkError {
        NetworkError::Model { name: name.to_owned(), reason: reason.into() }
    }

    /// A model of other shapes.
    pub(super) fn shape(name: &str, expected: impl Into<String>, found: impl Into<String>) -> NetworkError {
        NetworkError::Shape { name: name.to_owned(), expected: expected.into(), found: found.into() }
    }
}
