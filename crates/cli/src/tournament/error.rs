use std::{io, path::PathBuf};

use entente::generation::GenerationError;
use thiserror::Error;

use super::PlanError;
use crate::render::PlotError;

/// Why a tournament, or another run of a plan, cannot go on.
#[derive(Debug, Error)]
pub enum TournamentError {
    /// The plan is none.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A file or folder cannot be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// What the system said. Part of the text, and so no source of it besides.
        error: io::Error,
    },
    /// A folder does not hold what was expected.
    #[error("{}: {reason}", path.display())]
    Folder {
        /// Which.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// A folder is in use: later it may not be.
    #[error("{}: another process works on this {noun}", path.display())]
    Busy {
        /// Which.
        path: PathBuf,
        /// What is in it.
        noun: &'static str,
    },
    /// A game cannot be generated.
    #[error("\"{entrant}\", {constraint}: {error}")]
    Generation {
        /// Whose.
        entrant: String,
        /// What for.
        constraint: String,
        /// Why.
        error: GenerationError,
    },
    /// A plot cannot be drawn.
    #[error(transparent)]
    Plot(#[from] PlotError),
}

impl TournamentError {
    /// Names the file that `error` is about.
    pub(crate) fn file(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> TournamentError {
        let path = path.into();
        move |error| TournamentError::File { path, error }
    }

    /// That the folder or file at `path` is not what was expected.
    pub(crate) fn folder(path: impl Into<PathBuf>, reason: impl Into<String>) -> TournamentError {
        TournamentError::Folder { path: path.into(), reason: reason.into() }
    }
}
