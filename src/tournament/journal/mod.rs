//! The results of a tournament, a line a game, appended as they come. What was cut off or altered is noticed, and that
//! game played again.

mod line;
mod tidy;
mod times;

use std::{
    collections::HashMap,
    fmt,
    fs::{File, OpenOptions},
    io::{self, BufRead, BufReader, Read, Write},
    path::PathBuf,
};

pub use line::Played;
use times::{TIMES, Time};

use super::{Folder, Manifest, Schedule, TournamentError, schedule};
use crate::generation::Outcome;

/// The name of the results' file.
pub const RESULTS: &str = "results.jsonl";
/// The longest line, in bytes; a game of a thousand plies has some ten thousand.
const LONGEST_LINE: u64 = 1 << 20;

/// A line that is no result, or no time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The file.
    pub file: PathBuf,
    /// Its line, from 1.
    pub line: u64,
    /// What is wrong with it.
    pub reason: String,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file.display(), self.line, self.reason)
    }
}

/// The games that have been played, and where each stands in the file: twelve bytes of memory a game.
pub struct Journal {
    folder: Folder,
    schedule: Schedule,
    pairings: Pairings,
    /// For each game to be played here, where its line begins.
    offsets: Vec<u64>,
    /// And how many seconds it took; not a number if that is not known.
    seconds: Vec<f32>,
    /// Where the next line will begin.
    end: u64,
    /// The last of the games in the file.
    last: Option<usize>,
    /// True if the lines stand in the order of the games.
    is_sorted: bool,
    /// Games played.
    pub done: u64,
    /// Of which found.
    pub satisfied: u64,
}

/// No line.
const MISSING: u64 = u64::MAX;

/// The pairings of a plan, by name, each with its seed.
struct Pairings {
    places: HashMap<String, HashMap<String, (u64, u64)>>,
}

impl Pairings {
    fn new(manifest: &Manifest) -> Pairings {
        let mut places: HashMap<String, HashMap<String, (u64, u64)>> = HashMap::new();
        let mut pairing = 0;
        for entrant in &manifest.plan.entrants {
            let constraints = places.entry(entrant.name.clone()).or_default();
            for constraint in &manifest.plan.constraints {
                let seed = schedule::seed(manifest.plan.seed, &entrant.name, constraint);
                constraints.insert(constraint.clone(), (pairing, seed));
                pairing += 1;
            }
        }
        Pairings { places }
    }

    fn place(&self, entrant: &str, constraint: &str) -> Option<(u64, u64)> {
        self.places.get(entrant)?.get(constraint).copied()
    }
}

impl Journal {
    /// What has been played in `folder` until now, and which lines there are damaged.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn open(folder: &Folder, manifest: &Manifest) -> Result<(Journal, Vec<Damage>), TournamentError> {
        let schedule = manifest.schedule();
        let here = usize::try_from(schedule.here()).unwrap_or(usize::MAX);
        let mut journal = Journal {
            folder: folder.clone(),
            schedule,
            pairings: Pairings::new(manifest),
            offsets: vec![MISSING; here],
            seconds: vec![f32::NAN; here],
            end: 0,
            last: None,
            is_sorted: true,
            done: 0,
            satisfied: 0,
        };
        let mut damages = Vec::new();
        journal.read_results(&mut damages)?;
        journal.read_times(&mut damages)?;
        Ok((journal, damages))
    }

    fn read_results(&mut self, damages: &mut Vec<Damage>) -> Result<(), TournamentError> {
        let path = self.folder.file(RESULTS);
        let file = match File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(TournamentError::File { path, error }),
        };
        let mut lines = BufReader::new(file);
        let mut line = Vec::new();
        for number in 1.. {
            line.clear();
            let read = lines.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line);
            let mut length = read.map_err(TournamentError::file(&path))? as u64;
            if length == 0 {
                break;
            }
            if length == LONGEST_LINE && !line.ends_with(b"\n") {
                length += skip_line(&mut lines).map_err(TournamentError::file(&path))?;
            }
            match self.slot_of(&line) {
                Ok((slot, outcome)) => {
                    self.note(slot, outcome);
                }
                Err(reason) => {
                    self.is_sorted = false;
                    damages.push(Damage { file: path.clone(), line: number, reason });
                }
            }
            self.end += length;
        }
        Ok(())
    }

    /// Notes that the line of a game begins at the end.
    fn note(&mut self, slot: usize, outcome: Outcome) {
        self.is_sorted &= self.last < Some(slot);
        self.last = Some(slot);
        self.offsets[slot] = self.end;
        self.done += 1;
        self.satisfied += u64::from(outcome == Outcome::Found);
    }

    /// Which of the games to be played here a line is of, if it is one, and the first of that game.
    fn slot_of(&self, line: &[u8]) -> Result<(usize, Outcome), String> {
        let Played { entrant, record } = Played::read(line)?;
        let name = format!("game {} of \"{entrant}\" for {}", record.index, record.constraint);
        let (pairing, seed) = self
            .pairings
            .place(&entrant, &record.constraint)
            .ok_or_else(|| format!("{name} is not of this tournament"))?;
        let slot = self.schedule.ordinal(pairing, record.index).and_then(|ordinal| self.slot(ordinal));
        let slot = slot.ok_or_else(|| format!("{name} is not to be played here"))?;
        if record.seed != seed {
            return Err(format!("{name} has seed {} instead of {seed}", record.seed));
        }
        if self.offsets[slot] != MISSING {
            return Err(format!("{name} stands there a second time"));
        }
        Ok((slot, record.outcome))
    }

    fn read_times(&mut self, damages: &mut Vec<Damage>) -> Result<(), TournamentError> {
        let path = self.folder.file(TIMES);
        let mut found = Vec::new();
        let read = Time::read(&path, |time| match time {
            Ok(Time { entrant, constraint, index, seconds }) => {
                let pairing = self.pairings.place(&entrant, &constraint);
                let ordinal = pairing.and_then(|(pairing, _)| self.schedule.ordinal(pairing, index));
                // The time of a game whose result was lost says nothing.
                if let Some(slot) = ordinal.and_then(|ordinal| self.slot(ordinal))
                    && self.offsets[slot] != MISSING
                {
                    self.seconds[slot] = seconds;
                }
            }
            Err((line, reason)) => found.push(Damage { file: path.clone(), line, reason }),
        });
        damages.append(&mut found);
        read.map_err(TournamentError::file(&path))
    }

    /// The place of a game among those to be played here.
    fn slot(&self, ordinal: u64) -> Option<usize> {
        self.schedule.is_here(ordinal).then_some((ordinal / self.schedule.shard.of) as usize)
    }

    /// True if that game was played.
    pub fn is_done(&self, ordinal: u64) -> bool {
        self.slot(ordinal).is_some_and(|slot| self.offsets[slot] != MISSING)
    }

    /// True if all games to be played here were played.
    pub fn is_complete(&self) -> bool {
        self.done == self.schedule.here()
    }

    /// Seconds that a game took, if that is known.
    pub fn seconds(&self, ordinal: u64) -> Option<f32> {
        self.slot(ordinal).map(|slot| self.seconds[slot]).filter(|seconds| !seconds.is_nan())
    }

    /// The games to be played here that were not, in their order.
    pub fn missing(&self) -> impl Iterator<Item = u64> {
        let schedule = self.schedule;
        (0..schedule.total()).filter(move |&ordinal| schedule.is_here(ordinal) && !self.is_done(ordinal))
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
        Ok(Appender { results: open(RESULTS)?, times: open(TIMES)? })
    }

    /// Notes a game that was played: in the files, then here.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append(
        &mut self,
        appender: &mut Appender,
        ordinal: u64,
        played: &Played,
        seconds: f32,
    ) -> Result<(), TournamentError> {
        let Some(slot) = self.slot(ordinal) else { return Ok(()) };
        let Played { entrant, record } = played;
        let (constraint, index) = (record.constraint.clone(), record.index);
        let time = Time { entrant: entrant.clone(), constraint, index, seconds };
        let line = played.line();
        // The time first: whoever is killed in between plays the game again, and none is without its time.
        let (path, file) = &mut appender.times;
        let is_first = file.metadata().map_err(TournamentError::file(&*path))?.len() == 0;
        file.write_all(time.row(is_first).as_bytes()).map_err(TournamentError::file(&*path))?;
        let (path, file) = &mut appender.results;
        file.write_all(line.as_bytes()).map_err(TournamentError::file(&*path))?;
        self.note(slot, record.outcome);
        self.seconds[slot] = seconds;
        self.end += line.len() as u64;
        Ok(())
    }

    /// Gives the games played to `take`, in their order.
    ///
    /// # Errors
    /// Those of reading, and of `take`.
    pub fn replay(
        &self,
        mut take: impl FnMut(u64, Played) -> Result<(), TournamentError>,
    ) -> Result<(), TournamentError> {
        let path = self.folder.file(RESULTS);
        let mut results = BufReader::new(File::open(&path).map_err(TournamentError::file(&path))?);
        let mut position = 0;
        let mut line = Vec::new();
        for ordinal in (0..self.schedule.total()).filter(|&ordinal| self.is_done(ordinal)) {
            let offset = self.slot(ordinal).map_or(0, |slot| self.offsets[slot]) as i64;
            line.clear();
            let read =
                results.seek_relative(offset - position).and_then(|()| results.read_until(b'\n', &mut line));
            position = offset + read.map_err(TournamentError::file(&path))? as i64;
            let played = Played::read(&line).map_err(|reason| TournamentError::folder(&path, reason))?;
            take(ordinal, played)?;
        }
        Ok(())
    }
}

/// The files of a tournament under way, each with its name.
pub struct Appender {
    results: (PathBuf, File),
    times: (PathBuf, File),
}

/// Skips to the beginning of the next line and says how many bytes that took.
fn skip_line(lines: &mut impl BufRead) -> io::Result<u64> {
    lines.skip_until(b'\n').map(|length| length as u64)
}
