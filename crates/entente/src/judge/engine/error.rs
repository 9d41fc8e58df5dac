//! Errors of UCI engines.

use std::{io, path::PathBuf};

use thiserror::Error;

/// An error of a UCI engine.
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
