use std::path::PathBuf;

use thiserror::Error;

/// An error in a plan, with its place.
#[derive(Debug, Error)]
#[error("{}{}: {}{reason}", file.display(), line.map_or_else(String::new, |line| format!(":{line}")),
    if field.is_empty() { String::new() } else { format!("{field}: ") })]
pub struct PlanError {
    /// The file.
    pub file: PathBuf,
    /// The line, from 1.
    pub line: Option<usize>,
    /// The field, with its entrant; empty if it is not known.
    pub field: String,
    /// What was expected, and what is wrong.
    pub reason: String,
}

/// A place in a file.
#[derive(Clone)]
pub(crate) struct Location {
    pub file: PathBuf,
    pub line: Option<usize>,
    pub field: String,
}

impl Location {
    /// An error at this place.
    pub(crate) fn error(&self, reason: impl Into<String>) -> PlanError {
        let Location { file, line, field } = self.clone();
        PlanError { file, line, field, reason: reason.into() }
    }
}
