//! The results of a run: one line per game, appended when the game is finished. Lines that were cut off or altered are
//! detected, and their games played again.

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
    path::{Path, PathBuf},
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

/// The longest line, in bytes. The line of a game of a thousand plies has some ten thousand.
const LONGEST_LINE: u64 = 1 << 20;
/// The most bytes of damaged lines that are set aside. A file with more is not one that a run has written.
const MAX_DAMAGE: u64 = 64 << 20;

/// The games played so far, with the positions of their lines in the file.
pub struct Journal {
    folder: Folder,
    schedule: Schedule,
    rules: Rules,
    lines: Lines,
    /// The offset of the next line.
    end: u64,
    /// The slot of the last game in the file.
    last: Option<usize>,
    /// True if the lines are in the order of the games.
    is_sorted: bool,
    /// True if the file has damaged lines.
    is_damaged: bool,
    /// True if the file of times has at most one row per game, and nothing else.
    are_times_tidy: bool,
    /// The number of games played.
    pub done: u64,
    /// The number of those that found a position.
    pub satisfied: u64,
}

impl Journal {
    /// The journal of the games played in `folder` so far, and its damaged lines.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn open(folder: &Folder, manifest: &Manifest) -> Result<(Journal, Damages), TournamentError> {
        let mut journal = Journal::new(folder, manifest);
        let mut damages = Damages::default();
        journal.read_results(&mut damages)?;
        journal.read_times(&mut damages)?;
        Ok((journal, damages))
    }

    /// The journal of a `folder` without games.
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
        let mut damaged = 0;
        for number in 1.. {
            let length = next_line(&mut lines, &mut line).map_err(TournamentError::file(&path))?;
            if length == 0 {
                break;
            }
            match self.slot_of(&line) {
                Ok((slot, outcome)) => self.note(slot, outcome, None),
                Err(reason) => {
                    self.is_damaged = true;
                    damaged += length;
                    if damaged > MAX_DAMAGE {
                        let reason = format!("line {number}: {reason}; {}", too_much_damage());
                        return Err(TournamentError::folder(&path, reason));
                    }
                    damages.add(Damage { file: path.clone(), line: number, reason });
                }
            }
            self.end += length;
        }
        Ok(())
    }

    /// The slot and outcome of a line's game, if the line is valid and the first of its game.
    fn slot_of(&self, line: &[u8]) -> Result<(usize, Outcome), String> {
        let played = Played::read(line)?;
        let (ordinal, _) = self.rules.check(&played)?;
        if self.is_done(ordinal) {
            let Played { entrant, record } = played;
            let (index, constraint) = (record.index, record.constraint);
            return Err(format!("game {index} of {entrant:?} for {constraint:?} occurs a second time"));
        }
        Ok((self.schedule.slot(ordinal), played.record.outcome))
    }

    /// Notes that the line of a game begins at `end`.
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
        // The row of a game is shorter than its line of the results.
        let length = |path: &Path| path.metadata().map_or(0, |file| file.len());
        if length(&path) > length(&self.file()) + MAX_DAMAGE {
            return Err(TournamentError::folder(&path, too_much_damage()));
        }
        let rows = Times::open(&path).map_err(TournamentError::file(&path))?;
        rows.for_each(|time| match time {
            Ok(Time { entrant, constraint, index, seconds }) => {
                match self.rules.ordinal(&entrant, &constraint, index) {
                    Some(ordinal) if self.is_done(ordinal) => {
                        let slot = self.schedule.slot(ordinal);
                        are_tidy &= times.insert(slot, seconds).is_none();
                    }
                    // A time without a result is dropped.
                    Some(_) => are_tidy = false,
                    None => {
                        are_tidy = false;
                        let reason =
                            format!("game {index} of {entrant:?} for {constraint:?} is not in the plan");
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

    /// True if the game belongs to this shard and was played.
    pub fn is_done(&self, ordinal: u64) -> bool {
        self.offset(ordinal).is_some()
    }

    /// The offset of a game's line, if the game was played.
    fn offset(&self, ordinal: u64) -> Option<u64> {
        self.lines.offset(self.schedule.slot(ordinal)).filter(|_| self.schedule.is_here(ordinal))
    }

    /// True if all regular games of this shard were played.
    pub fn is_complete(&self) -> bool {
        self.missing().next().is_none()
    }

    /// The seconds that a game took, if known.
    pub fn seconds(&self, ordinal: u64) -> Option<f32> {
        self.lines.seconds(self.schedule.slot(ordinal)).filter(|_| self.schedule.is_here(ordinal))
    }

    /// The ordinals of the regular games of this shard that were not played, in order.
    pub fn missing(&self) -> impl Iterator<Item = u64> {
        self.schedule.ordinals().filter(|&ordinal| !self.is_done(ordinal))
    }

    /// The ordinals of the games played, in order.
    pub(crate) fn played(&self) -> impl Iterator<Item = u64> {
        self.lines.slots().map(|slot| self.schedule.nth(slot))
    }

    /// Opens the files for appending.
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

    /// Appends a game to the files, with the seconds that it took, if known, and adds it to the journal.
    ///
    /// # Errors
    /// If it cannot be written. Then nothing more may be appended, because the file may end in an incomplete line.
    pub fn append(
        &mut self,
        appender: &mut Appender,
        ordinal: u64,
        played: &Played,
        seconds: Option<f32>,
    ) -> Result<(), TournamentError> {
        let line = played.line();
        // The time first: if the process is killed in between, the game is played again, so that no game lacks its
        // time.
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

    /// Passes the games played to `take`, in order.
    ///
    /// # Errors
    /// If reading or `take` fails.
    pub fn replay(
        &self,
        take: impl FnMut(u64, Played) -> Result<(), TournamentError>,
    ) -> Result<(), TournamentError> {
        self.replay_these(self.played(), take)
    }

    /// Passes some of the games played to `take`, in the order of `ordinals`. Games that were not played are left out.
    ///
    /// # Errors
    /// If reading or `take` fails.
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

    /// The path of the results.
    fn file(&self) -> PathBuf {
        self.folder.file(self.folder.kind().results)
    }

    /// Opens the results; `None` if there is no such file.
    fn reader(&self) -> Result<Option<BufReader<File>>, TournamentError> {
        let path = self.file();
        match File::open(&path) {
            Ok(file) => Ok(Some(BufReader::new(file))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(TournamentError::File { path, error }),
        }
    }
}

/// The open files of a run, with their paths.
pub struct Appender {
    results: (PathBuf, File),
    times: (PathBuf, File),
}

impl Appender {
    /// Makes sure that all appended lines are on the disk, even if the machine is lost after that.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn finish(self) -> Result<(), TournamentError> {
        for (path, file) in [self.results, self.times] {
            file.sync_data().map_err(TournamentError::file(path))?;
        }
        Ok(())
    }
}

fn too_much_damage() -> String {
    let most = MAX_DAMAGE >> 20;
    format!(
        "more than {most} MiB of this file do not belong to the run; move it away to play the games again"
    )
}

/// Reads a line, or the beginning of an overlong line. Returns the length of the whole line in bytes, 0 at the end.
///
/// # Errors
/// If the line cannot be read, or is longer than [`MAX_DAMAGE`].
fn next_line(lines: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<u64> {
    line.clear();
    let length = lines.take(LONGEST_LINE).read_until(b'\n', line)? as u64;
    let is_whole = length < LONGEST_LINE || line.ends_with(b"\n");
    if is_whole {
        return Ok(length);
    }
    let skipped = lines.take(MAX_DAMAGE).skip_until(b'\n')? as u64;
    if skipped == MAX_DAMAGE {
        return Err(io::Error::other(too_much_damage()));
    }
    Ok(length + skipped)
}
