use std::path::PathBuf;

use thiserror::Error;

/// What is wrong with a plan, and where.
#[derive(Debug, Error)]
#[error("{}{}: {}{reason}", file.display(), line.map_or_else(String::new, |line| format!(":{line}")),
    if field.is_empty() { String::new() } else { format!("{field}: ") })]
pub struct PlanError {
    /// The file.
    pub file: PathBuf,
    /// The line, from 1.
    pub line: Option<usize>,
    /// The field, with its entrant; empty where it is not known.
    pub field: String,
    /// What is wrong, and what was expected.
    pub reason: String,
}

/// A place in a file.
#[derive(Clone)]
pub(crate) struct Place {
    pub file: PathBuf,
    pub line: Option<usize>,
    pub field: String,
}

impl Place {
    /// Says that something is wrong there.
    pub(crate) fn error(&self, reason: impl Into<String>) -> PlanError {
        let Place { file, line, field } = self.clone();
        PlanError { file, line, field, reason: reason.into() }
    }
}
