//! What may be wrong with a UCI engine.

use std::{io, path::PathBuf};

use thiserror::Error;

/// What is wrong with a UCI engine.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum EngineError {
    /// It cannot be started.
    #[error("{option} {path}: cannot be started: {reason}", path = path.display())]
    Start {
        /// What named it.
        option: &'static str,
        /// The program.
        path: PathBuf,
        /// Why.
        reason: io::Error,
    },
    /// It does not answer, or not as UCI has it.
    #[error("{option} {path}: {complaint}", path = path.display())]
    Answer {
        /// What named it.
        option: &'static str,
        /// The program.
        path: PathBuf,
        /// What was expected, and what it said last.
        complaint: String,
    },
}
