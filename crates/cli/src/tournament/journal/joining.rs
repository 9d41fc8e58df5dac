//! Merges the results of several shards in one pass, with only a batch of lines in memory.

use std::{convert::Infallible, num::NonZero, thread};

use entente::{
    generation::Replay,
    parallel::{self, map_in_order},
};

use super::{Folder, Journal, Manifest, Played, Rules, Sequence, TIMES, Time, TournamentError};

/// The size of a batch, which is checked on all cores: the most games, and the most bytes of their lines. A line of our
/// own has less than a thousand bytes, but a file from elsewhere may contain lines of any length.
const BATCH: (usize, usize) = (4096, 16 << 20);

/// A merged game.
pub(crate) struct Joined {
    /// Its ordinal among all games.
    pub ordinal: u64,
    /// The game.
    pub played: Played,
    /// The game, replayed.
    pub replay: Replay,
    /// The seconds that it took, if known.
    pub seconds: Option<f32>,
    /// The length of its line, in bytes.
    length: u64,
}

/// Why shards cannot be merged in one pass.
pub(crate) enum Fault {
    /// The shard at this place has a line that does not belong to its next game.
    Part(usize),
    /// Another error.
    Other(TournamentError),
}

impl From<TournamentError> for Fault {
    fn from(error: TournamentError) -> Fault {
        Fault::Other(error)
    }
}

/// A merge of finished shards.
pub(crate) struct Joining<'a> {
    /// The folders of the shards that have games, in the order of the shards.
    pub parts: Vec<&'a Folder>,
    /// The number of all shards, including those without games.
    pub of: u64,
    /// The folder for the merged games.
    pub folder: &'a Folder,
    /// The manifest of the merged games.
    pub manifest: &'a Manifest,
}

impl Joining<'_> {
    /// Checks every game, writes it to the merged results, and passes it to `take`, in the order of the games. The
    /// files get their names at the end.
    ///
    /// # Errors
    /// [`Fault`], also if `take` fails.
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

/// The game of each line, if it is the game expected there and follows the rules.
fn checked(rules: &Rules, batch: &[(u64, Vec<u8>, Option<f32>)]) -> Vec<Option<(Played, Replay)>> {
    const TOGETHER: usize = 64;
    let check = |(ordinal, line, _): &(u64, Vec<u8>, Option<f32>)| {
        let played = Played::read(line).ok()?;
        let (place, replay) = rules.check(&played).ok()?;
        (place == *ordinal).then_some((played, replay))
    };
    let mut threads = parallel::threads(thread::available_parallelism().map_or(1, NonZero::get));
    let Ok(checked) = map_in_order(batch.chunks(TOGETHER), &mut threads, |(), games| {
        Ok::<_, Infallible>(games.iter().map(check).collect::<Vec<_>>())
    });
    checked.into_iter().flatten().collect()
}

impl Journal {
    /// The empty journal of a merge in `folder`, to which games are added as they are written.
    pub(crate) fn of_joined(folder: &Folder, manifest: &Manifest) -> Journal {
        Journal::new(folder, manifest)
    }

    /// Adds the next merged game.
    pub(crate) fn join(&mut self, joined: &Joined) {
        let slot = self.schedule.slot(joined.ordinal);
        self.note(slot, joined.played.record.outcome, joined.seconds);
        self.end += joined.length;
    }
}
