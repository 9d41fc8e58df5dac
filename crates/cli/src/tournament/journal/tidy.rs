//! Sorts the results and removes damaged lines.

use std::{
    fs::{File, OpenOptions},
    io::{self, Read, Seek, SeekFrom, Write},
    path::Path,
};

use super::{Journal, TIMES, Time, TournamentError, next_line};

impl Journal {
    /// Sorts the lines in the order of the games, and moves damaged lines to a separate file.
    ///
    /// # Errors
    /// If a file cannot be written; then the results stay unchanged.
    pub fn tidy(&mut self) -> Result<(), TournamentError> {
        if self.is_damaged {
            self.keep_damaged()?;
        }
        let is_changed = self.is_damaged || !self.is_sorted;
        if is_changed {
            self.sort()?;
        }
        // Rows may not be appended to an incomplete row.
        if is_changed || !self.are_times_tidy {
            self.write_times()?;
            self.are_times_tidy = true;
        }
        Ok(())
    }

    /// Sorts the lines and the times in the order of the games, even if the lines are already sorted.
    ///
    /// # Errors
    /// See [`Journal::tidy`].
    pub(crate) fn sort_all(&mut self) -> Result<(), TournamentError> {
        self.is_sorted = false;
        self.tidy()
    }

    fn sort(&mut self) -> Result<(), TournamentError> {
        let path = self.file();
        let Some(mut results) = self.reader()? else { return Ok(()) };
        let mut sorted_lines = self.lines.clone();
        let (mut end, mut position) = (0, 0);
        let mut line = Vec::new();
        let mut sorted = self.folder.create(self.folder.kind().results)?;
        for slot in self.lines.slots() {
            let Some(offset) = self.lines.offset(slot) else { continue };
            let read = results
                .seek_relative(offset as i64 - position as i64)
                .and_then(|()| next_line(&mut results, &mut line));
            let length = read.map_err(TournamentError::file(&path))?;
            position = offset + length;
            sorted.write(&line)?;
            sorted_lines.set_offset(slot, end);
            end += length;
        }
        // Windows cannot replace an open file.
        drop(results);
        sorted.finish()?;
        self.last = sorted_lines.slots().last();
        (self.lines, self.end) = (sorted_lines, end);
        (self.is_sorted, self.is_damaged) = (true, false);
        Ok(())
    }

    /// Appends the damaged lines to a separate file, so that nothing is lost.
    fn keep_damaged(&self) -> Result<(), TournamentError> {
        let path = self.file();
        let kept = self.folder.file(self.folder.kind().damaged);
        let Some(mut results) = self.reader()? else { return Ok(()) };
        let mut good: Vec<u64> = self.lines.slots().filter_map(|slot| self.lines.offset(slot)).collect();
        good.sort_unstable();
        let mut good = good.into_iter().peekable();
        let mut file = None;
        let mut position = 0;
        let mut line = Vec::new();
        loop {
            let length = next_line(&mut results, &mut line).map_err(TournamentError::file(&path))?;
            if length == 0 {
                break;
            }
            if good.next_if_eq(&position).is_none() {
                let file = match &mut file {
                    Some(file) => file,
                    None => {
                        let opened = OpenOptions::new().append(true).create(true).open(&kept);
                        file.insert(opened.map_err(TournamentError::file(&kept))?)
                    }
                };
                copy(&path, position, length, file).map_err(TournamentError::file(&kept))?;
            }
            position += length;
        }
        file.map_or(Ok(()), |file| file.sync_all()).map_err(TournamentError::file(&kept))
    }

    fn write_times(&self) -> Result<(), TournamentError> {
        let mut file = self.folder.create(TIMES)?;
        let mut is_first = true;
        self.replay(|ordinal, played| {
            let Some(seconds) = self.seconds(ordinal) else { return Ok(()) };
            let (entrant, constraint, index) =
                (played.entrant, played.record.constraint, played.record.index);
            file.write(&Time { entrant, constraint, index, seconds }.row(is_first))?;
            is_first = false;
            Ok(())
        })?;
        file.finish()
    }
}

/// Appends a line of any length, which begins at `position`, to another file.
fn copy(path: &Path, position: u64, length: u64, to: &mut File) -> io::Result<()> {
    let mut from = File::open(path)?;
    from.seek(SeekFrom::Start(position + length - 1))?;
    let mut last = [0];
    from.read_exact(&mut last)?;
    from.seek(SeekFrom::Start(position))?;
    io::copy(&mut from.take(length), to)?;
    if last == *b"\n" { Ok(()) } else { to.write_all(b"\n") }
}
