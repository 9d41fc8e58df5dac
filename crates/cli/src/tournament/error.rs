use std::{io, path::PathBuf};

use entente::generation::GenerationError;
use thiserror::Error;

use super::PlanError;
use entente_render::PlotError;

/// An error that stops a tournament or another run of a plan.
#[derive(Debug, Error)]
pub enum TournamentError {
    /// The plan is wrong.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A file or folder cannot be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// Its path.
        path: PathBuf,
        /// The error of the system. It is part of the text and therefore not a source.
        error: io::Error,
    },
    /// A folder or file does not contain what was expected.
    #[error("{}: {reason}", path.display())]
    Folder {
        /// Its path.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// Another process is using a folder; a later try may succeed.
    #[error("{}: another process is using this {noun}", path.display())]
    Busy {
        /// Its path.
        path: PathBuf,
        /// The noun for its contents.
        noun: &'static str,
    },
    /// A game cannot be generated.
    #[error("\"{entrant}\", {constraint}: {error}")]
    Generation {
        /// The name of the entrant.
        entrant: String,
        /// The constraint.
        constraint: String,
        /// Why.
        error: GenerationError,
    },
    /// A plot cannot be drawn.
    #[error(transparent)]
    Plot(#[from] PlotError),
}

impl TournamentError {
    /// Makes a function that adds the path to an error of the system.
    pub(crate) fn file(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> TournamentError {
        let path = path.into();
        move |error| TournamentError::File { path, error }
    }

    /// The error that the folder or file at `path` does not contain what was expected.
    pub(crate) fn folder(path: impl Into<PathBuf>, reason: impl Into<String>) -> TournamentError {
        TournamentError::Folder { path: path.into(), reason: reason.into() }
    }
}
