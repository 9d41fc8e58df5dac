//! The results of several parts as those of the whole, in one pass and with no more than a batch of lines in memory.

use std::{num::NonZero, thread};

use entente::generation::Replay;

use super::{Folder, Journal, Manifest, Played, Rules, Sequence, TIMES, Time, TournamentError};

/// Games that are checked at the same time on all cores, and bytes of their lines: a game has less than a thousand, but what
/// comes from elsewhere may have any number.
const BATCH: (usize, usize) = (4096, 16 << 20);

/// A game of a part that has become one of the whole.
pub(crate) struct Joined {
    /// Its place among all games.
    pub ordinal: u64,
    /// The game.
    pub played: Played,
    /// The same, played over again.
    pub replay: Replay,
    /// How long it took, if that is known.
    pub seconds: Option<f32>,
    /// Bytes of its line.
    length: u64,
}

/// Why parts cannot be joined in one pass.
pub(crate) enum Fault {
    /// The part at that place has a line that is not that of its next game.
    Part(usize),
    /// Something else.
    Other(TournamentError),
}

impl From<TournamentError> for Fault {
    fn from(error: TournamentError) -> Fault {
        Fault::Other(error)
    }
}

/// Finished parts on their way to a whole.
pub(crate) struct Joining<'a> {
    /// In the order of their shards.
    pub parts: Vec<&'a Folder>,
    /// Of how many shards they are; those that no game is left for are no parts.
    pub of: u64,
    /// Where the whole goes.
    pub folder: &'a Folder,
    /// What the whole is.
    pub manifest: &'a Manifest,
}

impl Joining<'_> {
    /// Checks every game, writes it into the whole, and gives it to `take`, all in the order of the games. The results
    /// get their names at the end.
    ///
    /// # Errors
    /// [`Fault`], also that of `take`.
    pub(crate) fn run(
        &self,
        mut take: impl FnMut(Joined) -> Result<(), TournamentError>,
    ) -> Result<(), Fault> {
        let rules = Rules::new(self.manifest);
        let mut sequences = Vec::new();
        for (place, part) in self.parts.iter().enumerate() {
            sequences.push(Sequence::open(part, self.parts.len()).map_err(|_| Fault::Part(place))?);
        }
        let mut results = self.folder.create(self.folder.kind().results)?;
        let mut times = self.folder.create(TIMES)?;
        let mut is_first = true;
        let total = self.manifest.schedule().total();
        let mut ordinals = (0..total).peekable();
        while ordinals.peek().is_some() {
            let (mut batch, mut bytes) = (Vec::new(), 0);
            while let Some(ordinal) = ordinals.next_if(|_| batch.len() < BATCH.0 && bytes < BATCH.1) {
                let place = (ordinal % self.of) as usize;
                let read = |error| TournamentError::file(self.parts[place].path())(error);
                let line = sequences[place].line().map_err(read)?;
                let seconds = sequences[place].seconds(&rules, ordinal).map_err(|()| Fault::Part(place))?;
                bytes += line.len();
                batch.push((ordinal, line, seconds));
            }
            for (checked, (ordinal, line, seconds)) in checked(&rules, &batch).into_iter().zip(&batch) {
                let Some((played, replay)) = checked else {
                    return Err(Fault::Part((ordinal % self.of) as usize));
                };
                results.write(line)?;
                if let &Some(seconds) = seconds {
                    times.write(&Time::of(&played, seconds).row(is_first))?;
                    is_first = false;
                }
                let (ordinal, seconds, length) = (*ordinal, *seconds, line.len() as u64);
                take(Joined { ordinal, played, replay, seconds, length })?;
            }
        }
        for (place, sequence) in sequences.iter_mut().enumerate() {
            if !sequence.is_at_end().map_err(TournamentError::file(self.parts[place].path()))? {
                return Err(Fault::Part(place));
            }
        }
        results.finish()?;
        if !is_first {
            times.finish()?;
        }
        Ok(())
    }
}

/// Each line's game, if it is the one at that place and as the rules ask.
fn checked(rules: &Rules, batch: &[(u64, Vec<u8>, Option<f32>)]) -> Vec<Option<(Played, Replay)>> {
    let check = |(ordinal, line, _): &(u64, Vec<u8>, Option<f32>)| {
        let played = Played::read(line).ok()?;
        let (place, replay) = rules.check(&played).ok()?;
        (place == *ordinal).then_some((played, replay))
    };
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        let chunks = batch.chunks(batch.len().div_ceil(threads).max(1));
        let working: Vec<_> =
            chunks.map(|chunk| scope.spawn(move || chunk.iter().map(check).collect::<Vec<_>>())).collect();
        working.into_iter().flat_map(|thread| thread.join().expect("checking does not panic")).collect()
    })
}

impl Journal {
    /// Of a whole that is being joined in `folder`: it takes in games as they are written.
    pub(crate) fn of_joined(folder: &Folder, manifest: &Manifest) -> Journal {
        Journal::new(folder, manifest)
    }

    /// Notes the next game.
    pub(crate) fn join(&mut self, joined: &Joined) {
        let slot = self.schedule.slot(joined.ordinal);
        self.note(slot, joined.played.record.outcome, joined.seconds);
        self.end += joined.length;
    }
}
