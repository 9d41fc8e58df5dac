use std::{fmt, path::PathBuf};

/// A damaged line of the results or the times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The file.
    pub file: PathBuf,
    /// The number of the line, from 1; 0 if it is not known.
    pub line: u64,
    /// What is wrong with it.
    pub reason: String,
}

/// The damaged lines in the files of a run.
#[derive(Clone, Debug, Default)]
pub struct Damages {
    /// The first of them.
    pub first: Vec<Damage>,
    /// The number of the others.
    pub more: u64,
}

impl Damages {
    /// The number of lines that are described. A completely damaged file may have millions.
    const LISTED: usize = 20;

    /// Adds a damaged line.
    pub(super) fn add(&mut self, damage: Damage) {
        if self.first.len() < Damages::LISTED {
            self.first.push(damage);
        } else {
            self.more += 1;
        }
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.file.display(), self.reason),
            line => write!(f, "{}:{line}: {}", self.file.display(), self.reason),
        }
    }
}
