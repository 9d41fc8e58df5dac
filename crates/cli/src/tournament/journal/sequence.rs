use std::{
    fs::File,
    io::{self, BufReader, Read, Seek, SeekFrom},
    iter::Peekable,
    path::PathBuf,
};

use super::{Folder, Rules, TIMES, Times, next_line};

/// The lines of a finished shard and their times, one after another in the order of its games. Only a piece of each
/// file is in memory.
pub(super) struct Sequence {
    lines: BufReader<Pieces>,
    times: Peekable<Times>,
}

/// Memory for the buffers of all shards, in bytes.
const BUFFERS: usize = 64 << 20;
/// The minimum and maximum for one shard. Pieces are large because many files are read in turn.
const BUFFER: [usize; 2] = [16 << 10, 1 << 20];

impl Sequence {
    /// Opens the results in `folder`, one of `parts` shards.
    ///
    /// # Errors
    /// If a file cannot be opened.
    pub(super) fn open(folder: &Folder, parts: usize) -> io::Result<Sequence> {
        let path = folder.file(folder.kind().results);
        File::open(&path)?;
        let [least, most] = BUFFER;
        let capacity = (BUFFERS / parts.max(1)).clamp(least, most);
        let lines = BufReader::with_capacity(capacity, Pieces { path, position: 0 });
        Ok(Sequence { lines, times: Times::open(&folder.file(TIMES))?.peekable() })
    }

    /// The next line, unchecked; empty at the end.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(super) fn line(&mut self) -> io::Result<Vec<u8>> {
        let mut line = Vec::new();
        next_line(&mut self.lines, &mut line)?;
        Ok(line)
    }

    /// The seconds that a game took, if known. Games must be asked for in order.
    ///
    /// # Errors
    /// If the next row of the times is invalid or out of order.
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

    /// True if no lines and times are left.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub(super) fn is_at_end(&mut self) -> io::Result<bool> {
        Ok(self.line()?.is_empty() && self.times.peek().is_none())
    }
}

/// A file that is open only while a piece of it is read: a process may usually have only a thousand open files, and
/// there may be more shards.
pub(super) struct Pieces {
    /// The path of the file.
    pub path: PathBuf,
    /// The number of bytes read so far.
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
