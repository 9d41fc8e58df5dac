//! Errors of the judge and of UCI engines.

use std::{io, path::PathBuf};

use entente_network::NetworkError;
use thiserror::Error;

/// An error of a UCI engine, or of a judge.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The program cannot be started.
    #[error("{option} {path}: cannot be started: {reason}", path = path.display())]
    Start {
        /// The option that names it.
        option: &'static str,
        /// The program.
        path: PathBuf,
        /// The reason.
        reason: io::Error,
    },
    /// The embedded network that rates puzzles cannot be used.
    #[error("puzzle: {0}")]
    Network(Box<NetworkError>),
    /// It does not answer, or not according to UCI.
    #[error("{option} {path}: {complaint}", path = path.display())]
    Answer {
        /// The option that names it.
        option: &'static str,
        /// The program.
        path: PathBuf,
        /// What was expected, and what it said last.
        complaint: String,
    },
}

impl From<NetworkError> for EngineError {
    fn from(error: NetworkError) -> EngineError {
        EngineError::Network(Box::new(error))
    }
}
