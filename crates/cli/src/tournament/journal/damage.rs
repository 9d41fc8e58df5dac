use std::{fmt, path::PathBuf};

/// A line that is no result, or no time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The file.
    pub file: PathBuf,
    /// Its line, from 1; 0 if that is not known.
    pub line: u64,
    /// What is wrong with it.
    pub reason: String,
}

/// What is wrong with the files of a run: the first of it, and how much more there is.
#[derive(Clone, Debug, Default)]
pub struct Damages {
    /// Some of it.
    pub first: Vec<Damage>,
    /// Lines that are not told apart any more.
    pub more: u64,
}

impl Damages {
    /// As many as a reader wants to see; a file of nothing but damage has millions.
    const TOLD: usize = 20;

    /// Adds another line.
    pub(super) fn add(&mut self, damage: Damage) {
        if self.first.len() < Damages::TOLD {
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
