use std::{
    fs::File,
    io::{self, BufReader, Read, Seek, SeekFrom},
    iter::Peekable,
    path::PathBuf,
};

use super::{Folder, Rules, TIMES, Times, next_line};

/// The lines of a finished part, one after another in the order of its games, and the times beside them: no more than a
/// piece of each is in memory.
pub(super) struct Sequence {
    lines: BufReader<Pieces>,
    times: Peekable<Times>,
}

/// Memory for what is read of all parts together, in bytes.
const BUFFERS: usize = 64 << 20;
/// The least and the most of it for one part: large pieces, since many files are read by turns.
const BUFFER: [usize; 2] = [16 << 10, 1 << 20];

impl Sequence {
    /// From the beginning of what is in `folder`, one of so many parts.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub(super) fn open(folder: &Folder, parts: usize) -> io::Result<Sequence> {
        let path = folder.file(folder.kind().results);
        File::open(&path)?;
        let [least, most] = BUFFER;
        let capacity = (BUFFERS / parts.max(1)).clamp(least, most);
        let lines = BufReader::with_capacity(capacity, Pieces { path, position: 0 });
        Ok(Sequence { lines, times: Times::open(&folder.file(TIMES))?.peekable() })
    }

    /// The next line, whatever it is; empty at the end.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(super) fn line(&mut self) -> io::Result<Vec<u8>> {
        let mut line = Vec::new();
        next_line(&mut self.lines, &mut line)?;
        Ok(line)
    }

    /// How long the game at a place took, if that is known; places must be asked for in their order.
    ///
    /// # Errors
    /// If a row of the times is none, or not in order.
    pub(super) fn seconds(&mut self, rules: &Rules, ordinal: u64) -> Result<Option<f32>, ()> {
        match self.times.peek() {
            None => Ok(None),
            Some(Err(_)) => Err(()),
            Some(Ok(time)) => match rules.ordinal(&time.entrant, &time.constraint, time.index) {
                Some(place) if place == ordinal => {
                    let seconds = time.seconds;
                    self.times.next();
                    Ok(Some(seconds))
                }
                Some(place) if place > ordinal => Ok(None),
                _ => Err(()),
            },
        }
    }

    /// True if nothing is left.
    ///
    /// # Errors
    /// If that cannot be read.
    pub(super) fn is_at_end(&mut self) -> io::Result<bool> {
        Ok(self.line()?.is_empty() && self.times.peek().is_none())
    }
}

/// A file that is open only while a piece of it is read: a system lets a process have some thousand open at a time, and
/// there may be more parts.
pub(super) struct Pieces {
    /// Where it is.
    pub path: PathBuf,
    /// How much of it was read.
    pub position: u64,
}

impl Read for Pieces {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut file = File::open(&self.path)?;
        file.seek(SeekFrom::Start(self.position))?;
        let length = file.read(buffer)?;
        self.position += length as u64;
        Ok(length)
    }
}
