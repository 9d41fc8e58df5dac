//! The results of a run, a line a game, appended as they come. What was cut off or altered is noticed, and that
//! game played again.

mod damage;
mod joining;
mod line;
mod lines;
mod rules;
mod sequence;
mod tidy;
mod times;

use std::{
    collections::BTreeMap,
    fs::{File, OpenOptions},
    io::{self, BufRead, BufReader, Read, Write},
    path::PathBuf,
};

pub use damage::{Damage, Damages};
use entente::generation::Outcome;
pub(crate) use joining::{Fault, Joined, Joining};
pub(super) use line::Played;
use lines::Lines;
use rules::Rules;
use sequence::Sequence;
use times::{Time, Times};

use super::{Folder, Manifest, Schedule, TournamentError, folder::TIMES, schedule};

/// The longest line, in bytes; a game of a thousand plies has some ten thousand.
const LONGEST_LINE: u64 = 1 << 20;

/// The games that have been played, and where each stands in the file.
pub struct Journal {
    folder: Folder,
    schedule: Schedule,
    rules: Rules,
    lines: Lines,
    /// Where the next line will begin.
    end: u64,
    /// The last of the games in the file.
    last: Option<usize>,
    /// True if the lines of the games stand in their order.
    is_sorted: bool,
    /// True if the file has other lines too.
    is_damaged: bool,
    /// True if the times' file has a row for every game at most, and nothing else.
    are_times_tidy: bool,
    /// Games played.
    pub done: u64,
    /// Of which found.
    pub satisfied: u64,
}

impl Journal {
    /// What has been played in `folder` until now, and which lines there are damaged.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn open(folder: &Folder, manifest: &Manifest) -> Result<(Journal, Damages), TournamentError> {
        let mut journal = Journal::new(folder, manifest);
        let mut damages = Damages::default();
        journal.read_results(&mut damages)?;
        journal.read_times(&mut damages)?;
        Ok((journal, damages))
    }

    /// Of `folder`, in which nothing has been played.
    fn new(folder: &Folder, manifest: &Manifest) -> Journal {
        Journal {
            folder: folder.clone(),
            schedule: manifest.schedule(),
            rules: Rules::new(manifest),
            lines: Lines::default(),
            end: 0,
            last: None,
            is_sorted: true,
            is_damaged: false,
            are_times_tidy: true,
            done: 0,
            satisfied: 0,
        }
    }

    fn read_results(&mut self, damages: &mut Damages) -> Result<(), TournamentError> {
        let path = self.file();
        let Some(mut lines) = self.reader()? else { return Ok(()) };
        let mut line = Vec::new();
        for number in 1.. {
            let length = next_line(&mut lines, &mut line).map_err(TournamentError::file(&path))?;
            if length == 0 {
                break;
            }
            match self.slot_of(&line) {
                Ok((slot, outcome)) => self.note(slot, outcome, None),
                Err(reason) => {
                    self.is_damaged = true;
                    damages.add(Damage { file: path.clone(), line: number, reason });
                }
            }
            self.end += length;
        }
        Ok(())
    }

    /// Which of the games to be played here a line is of, if it is one, and the first of that game.
    fn slot_of(&self, line: &[u8]) -> Result<(usize, Outcome), String> {
        let played = Played::read(line)?;
        let (ordinal, _) = self.rules.check(&played)?;
        if self.is_done(ordinal) {
            let Played { entrant, record } = played;
            let (index, constraint) = (record.index, record.constraint);
            return Err(format!("game {index} of {entrant:?} for {constraint:?} stands there a second time"));
        }
        Ok((self.schedule.slot(ordinal), played.record.outcome))
    }

    /// Notes that the line of a game begins at the end.
    fn note(&mut self, slot: usize, outcome: Outcome, seconds: Option<f32>) {
        self.is_sorted &= self.last < Some(slot);
        self.last = Some(slot);
        self.lines.set_offset(slot, self.end);
        self.lines.set_seconds(slot, seconds);
        self.done += 1;
        self.satisfied += u64::from(outcome == Outcome::Found);
    }

    fn read_times(&mut self, damages: &mut Damages) -> Result<(), TournamentError> {
        let path = self.folder.file(TIMES);
        let mut times = BTreeMap::new();
        let mut are_tidy = true;
        let rows = Times::open(&path).map_err(TournamentError::file(&path))?;
        rows.for_each(|time| match time {
            Ok(Time { entrant, constraint, index, seconds }) => {
                match self.rules.ordinal(&entrant, &constraint, index) {
                    Some(ordinal) if self.is_done(ordinal) => {
                        let slot = self.schedule.slot(ordinal);
                        are_tidy &= times.insert(slot, seconds).is_none();
                    }
                    // The time of a game whose result was lost says nothing.
                    Some(_) => are_tidy = false,
                    None => {
                        are_tidy = false;
                        let reason =
                            format!("game {index} of {entrant:?} for {constraint:?}: it is not of the plan");
                        damages.add(Damage { file: path.clone(), line: 0, reason });
                    }
                }
            }
            Err((line, reason)) => {
                are_tidy = false;
                damages.add(Damage { file: path.clone(), line, reason });
            }
        });
        times.into_iter().for_each(|(slot, seconds)| self.lines.set_seconds(slot, Some(seconds)));
        self.are_times_tidy = are_tidy;
        Ok(())
    }

    /// True if that game was played, which must be one to be played here.
    pub fn is_done(&self, ordinal: u64) -> bool {
        self.offset(ordinal).is_some()
    }

    /// Where the line of a game begins, if it was played.
    fn offset(&self, ordinal: u64) -> Option<u64> {
        self.lines.offset(self.schedule.slot(ordinal)).filter(|_| self.schedule.is_here(ordinal))
    }

    /// True if all games that are to be played here in any case were played.
    pub fn is_complete(&self) -> bool {
        self.missing().next().is_none()
    }

    /// Seconds that a game took, if that is known.
    pub fn seconds(&self, ordinal: u64) -> Option<f32> {
        self.lines.seconds(self.schedule.slot(ordinal)).filter(|_| self.schedule.is_here(ordinal))
    }

    /// The games to be played here in any case that were not, in their order.
    pub fn missing(&self) -> impl Iterator<Item = u64> {
        self.schedule.ordinals().filter(|&ordinal| !self.is_done(ordinal))
    }

    /// The games that were played, in their order.
    pub(crate) fn played(&self) -> impl Iterator<Item = u64> {
        self.lines.slots().map(|slot| self.schedule.nth(slot))
    }

    /// The files to append to.
    ///
    /// # Errors
    /// If they cannot be opened.
    pub fn appender(&self) -> Result<Appender, TournamentError> {
        let open = |name: &str| {
            let path = self.folder.file(name);
            let file = OpenOptions::new().append(true).create(true).open(&path);
            file.map(|file| (path.clone(), file)).map_err(TournamentError::file(path))
        };
        Ok(Appender { results: open(self.folder.kind().results)?, times: open(TIMES)? })
    }

    /// Notes a game that was played, and how long it took if that is known: in the files, then here.
    ///
    /// # Errors
    /// If it cannot be written; nothing more may be appended then, behind what may be a part of a line.
    pub fn append(
        &mut self,
        appender: &mut Appender,
        ordinal: u64,
        played: &Played,
        seconds: Option<f32>,
    ) -> Result<(), TournamentError> {
        let line = played.line();
        // The time first: whoever is killed in between plays the game again, and none is without its time.
        if let Some(seconds) = seconds {
            let time = Time::of(played, seconds);
            let (path, file) = &mut appender.times;
            let is_first = file.metadata().map_err(TournamentError::file(&*path))?.len() == 0;
            file.write_all(time.row(is_first).as_bytes()).map_err(TournamentError::file(&*path))?;
        }
        let (path, file) = &mut appender.results;
        file.write_all(line.as_bytes()).map_err(TournamentError::file(&*path))?;
        self.note(self.schedule.slot(ordinal), played.record.outcome, seconds);
        self.end += line.len() as u64;
        Ok(())
    }

    /// Gives the games played to `take`, in their order.
    ///
    /// # Errors
    /// Those of reading, and of `take`.
    pub fn replay(
        &self,
        take: impl FnMut(u64, Played) -> Result<(), TournamentError>,
    ) -> Result<(), TournamentError> {
        self.replay_these(self.played(), take)
    }

    /// Gives some of the games played to `take`, in the order of `ordinals`; those that were not played are left out.
    ///
    /// # Errors
    /// Those of reading, and of `take`.
    pub(crate) fn replay_these(
        &self,
        ordinals: impl IntoIterator<Item = u64>,
        mut take: impl FnMut(u64, Played) -> Result<(), TournamentError>,
    ) -> Result<(), TournamentError> {
        let path = self.file();
        let Some(mut results) = self.reader()? else { return Ok(()) };
        let mut position = 0;
        let mut line = Vec::new();
        for ordinal in ordinals {
            let Some(offset) = self.offset(ordinal) else { continue };
            let read = results
                .seek_relative(offset as i64 - position as i64)
                .and_then(|()| next_line(&mut results, &mut line));
            position = offset + read.map_err(TournamentError::file(&path))?;
            let played = Played::read(&line).map_err(|reason| TournamentError::folder(&path, reason))?;
            let Played { entrant, record } = &played;
            if self.rules.ordinal(entrant, &record.constraint, record.index) != Some(ordinal) {
                return Err(TournamentError::folder(&path, "altered while it was read"));
            }
            take(ordinal, played)?;
        }
        Ok(())
    }

    /// The name of the results' file.
    fn file(&self) -> PathBuf {
        self.folder.file(self.folder.kind().results)
    }

    /// The results, from their beginning; `None` if there is no such file.
    fn reader(&self) -> Result<Option<BufReader<File>>, TournamentError> {
        let path = self.file();
        match File::open(&path) {
            Ok(file) => Ok(Some(BufReader::new(file))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(TournamentError::File { path, error }),
        }
    }
}

/// The files of a run under way, each with its name.
pub struct Appender {
    results: (PathBuf, File),
    times: (PathBuf, File),
}

impl Appender {
    /// Sees that what was appended is on the disk: a machine that is taken away loses nothing then.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(self) -> Result<(), TournamentError> {
        for (path, file) in [self.results, self.times] {
            file.sync_data().map_err(TournamentError::file(path))?;
        }
        Ok(())
    }
}

/// Reads a line, of an overlong one the beginning, and says how many bytes it has; 0 at the end.
fn next_line(lines: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<u64> {
    line.clear();
    let length = lines.take(LONGEST_LINE).read_until(b'\n', line)? as u64;
    let is_whole = length < LONGEST_LINE || line.ends_with(b"\n");
    Ok(if is_whole { length } else { length + lines.skip_until(b'\n')? as u64 })
}
