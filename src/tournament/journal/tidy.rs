//! The results in order.

use std::{
    fs::{File, OpenOptions},
    io::{self, BufRead, BufReader, Read, Write},
};

use super::{Damage, Journal, LONGEST_LINE, MISSING, RESULTS, TIMES, Time, TournamentError, skip_line};

/// Where lines go that are no results.
const DAMAGED: &str = "results.damaged";

impl Journal {
    /// Brings the lines into the order of the games and leaves out the damaged ones, which are kept in a file of their
    /// own.
    ///
    /// # Errors
    /// If that cannot be written; then the files stay as they were.
    pub fn tidy(&mut self, damages: &[Damage]) -> Result<(), TournamentError> {
        let path = self.folder.file(RESULTS);
        if !path.exists() || (self.is_sorted && damages.is_empty()) {
            return Ok(());
        }
        self.keep_damaged(damages)?;
        let mut results = BufReader::new(File::open(&path).map_err(TournamentError::file(&path))?);
        let mut offsets = self.offsets.clone();
        let mut end = 0;
        let mut position = 0;
        let mut line = Vec::new();
        let mut sorted = self.folder.create(RESULTS)?;
        for offset in offsets.iter_mut().filter(|offset| **offset != MISSING) {
            line.clear();
            let read = results
                .seek_relative(*offset as i64 - position)
                .and_then(|()| results.read_until(b'\n', &mut line));
            let length = read.map_err(TournamentError::file(&path))? as u64;
            position = (*offset + length) as i64;
            sorted.write(&line)?;
            *offset = end;
            end += length;
        }
        sorted.finish()?;
        (self.offsets, self.end, self.is_sorted) = (offsets, end, true);
        self.write_times()
    }

    /// Copies damaged lines of the results to the end of their file, so that nothing is lost.
    fn keep_damaged(&self, damages: &[Damage]) -> Result<(), TournamentError> {
        let path = self.folder.file(RESULTS);
        let mut damaged =
            damages.iter().filter(|damage| damage.file == path).map(|damage| damage.line).peekable();
        if damaged.peek().is_none() {
            return Ok(());
        }
        let kept = self.folder.file(DAMAGED);
        let copy = || -> io::Result<()> {
            let mut file = OpenOptions::new().append(true).create(true).open(&kept)?;
            let mut results = BufReader::new(File::open(&path)?);
            let mut number = 0;
            for wanted in damaged {
                while number + 1 < wanted {
                    skip_line(&mut results)?;
                    number += 1;
                }
                let mut line = Vec::new();
                results.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)?;
                if !line.ends_with(b"\n") {
                    skip_line(&mut results)?;
                    line.push(b'\n');
                }
                number += 1;
                file.write_all(&line)?;
            }
            file.sync_all()
        };
        copy().map_err(TournamentError::file(&kept))
    }

    fn write_times(&self) -> Result<(), TournamentError> {
        let known = (0..self.schedule.total()).filter_map(|ordinal| Some((ordinal, self.seconds(ordinal)?)));
        let mut names = vec![("", ""); self.schedule.pairings as usize];
        for (entrant, constraints) in &self.pairings.places {
            for (constraint, (pairing, _)) in constraints {
                names[*pairing as usize] = (entrant, constraint);
            }
        }
        let mut file = self.folder.create(TIMES)?;
        for (row, (ordinal, seconds)) in known.enumerate() {
            let game = self.schedule.game(ordinal);
            let (entrant, constraint) = names[game.pairing as usize];
            let (entrant, constraint) = (entrant.to_owned(), constraint.to_owned());
            let time = Time { entrant, constraint, index: game.index, seconds };
            file.write(&time.row(row == 0))?;
        }
        file.finish()
    }
}
