use std::{io, path::PathBuf};

use crate::material::Material;

/// Why an ending could not be read or made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EndingsError {
    /// No folder was given in which tables could be kept.
    #[error("{material} cannot be made: no folder was given in which to keep tables")]
    NoFolder {
        /// The ending.
        material: Material,
    },
    /// The table would take too much memory.
    #[error("{material} takes {} MiB of memory to make; at most {} are allowed", needed >> 20, limit >> 20)]
    TooMuchMemory {
        /// The ending.
        material: Material,
        /// The bytes that it takes.
        needed: usize,
        /// The bytes that are allowed.
        limit: usize,
    },
    /// A file or folder cannot be read or written.
    #[error("{}: {reason}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system says. It is not called `source`, because the message already contains it.
        reason: io::Error,
    },
    /// A file is not the table that its name promises.
    #[error("{}: {reason}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong, and what was expected.
        reason: String,
    },
    /// The caller asked to stop.
    #[error("stopped before the table of {material} was complete")]
    Stopped {
        /// The table that was in progress.
        material: Material,
    },
}
