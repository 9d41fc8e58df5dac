use std::sync::atomic::{AtomicBool, Ordering};

use super::{candidates::Candidates, selection::Selection};
use crate::tournament::{Game, Journal, Pairing, Schedule, Shard, TournamentError, play};

/// The progress of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DatasetProgress {
    /// The round of candidates: 0 for the regular ones, then rounds of replacements.
    pub round: u32,
    /// The number of candidates up to the end of this round.
    pub candidates: u64,
    /// The number of those that have been generated.
    pub done: u64,
}

/// The end of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The run was stopped; the candidates generated so far are kept.
    Stopped,
    /// All candidates of a shard are generated.
    Shard,
    /// All positions were found, or no more can be found.
    Whole(Selection),
}

/// Generates the candidates that `journal` lacks, round by round, until there are as many different positions as
/// wanted, or no more can be found. A shard, even if it is the only one, has only the first round. Returns early when
/// `stop` is set.
///
/// Each round depends only on the candidates before it, so that a resumed run generates the same as an uninterrupted
/// one.
///
/// # Errors
/// [`TournamentError::Generation`] if a network cannot evaluate a position of the search, [`TournamentError::File`] if
/// candidates cannot be written or read.
pub fn generate(
    schedule: Schedule,
    is_shard: bool,
    pairings: &[Pairing],
    journal: &mut Journal,
    threads: usize,
    stop: &AtomicBool,
    mut progress: impl FnMut(DatasetProgress),
) -> Result<Ended, TournamentError> {
    let mut rounds = Rounds::new(schedule);
    for round in 0.. {
        let missing = rounds.missing(journal);
        let candidates = rounds.total();
        let before = candidates - missing.len() as u64;
        let already = journal.done;
        play(missing.into_iter(), pairings, journal, threads, stop, |journal| {
            progress(DatasetProgress { round, candidates, done: before + journal.done - already });
        })?;
        if stop.load(Ordering::Relaxed) && !rounds.missing(journal).is_empty() {
            return Ok(Ended::Stopped);
        }
        if is_shard {
            return Ok(Ended::Shard);
        }
        if let Some(selection) = rounds.advance(journal)? {
            return Ok(Ended::Whole(selection));
        }
    }
    unreachable!("the number of candidates of a pair is limited")
}

/// The rounds of candidates.
pub(super) struct Rounds {
    schedule: Schedule,
    /// For each pair, the range of indices of its candidates in this round.
    ends: Vec<(u64, u64)>,
    candidates: Candidates,
}

impl Rounds {
    /// The first round: as many candidates as positions are wanted.
    pub(super) fn new(schedule: Schedule) -> Rounds {
        let ends = vec![(0, schedule.games); schedule.pairings as usize];
        Rounds { schedule, ends, candidates: Candidates::new(schedule) }
    }

    /// The candidates of this round that belong to this shard.
    fn games(&self) -> impl Iterator<Item = Game> {
        let schedule = self.schedule;
        let of_pair = move |(pairing, &(from, to)): (usize, &(u64, u64))| {
            (from..to).filter_map(move |index| schedule.ordinal(pairing as u64, index))
        };
        let ordinals = self.ends.iter().enumerate().flat_map(of_pair);
        ordinals.filter(move |&ordinal| schedule.is_here(ordinal)).map(move |ordinal| schedule.game(ordinal))
    }

    /// The candidates of this round that were not generated yet.
    fn missing(&self, journal: &Journal) -> Vec<Game> {
        self.games().filter(|game| !journal.is_done(game.ordinal)).collect()
    }

    /// The number of candidates of this shard up to the end of this round.
    fn total(&self) -> u64 {
        match self.schedule.shard {
            Shard::WHOLE => self.ends.iter().map(|(_, to)| to).sum(),
            _ => self.schedule.here(),
        }
    }

    /// Starts the next round after this one was generated. If no further round is needed, returns the selection.
    ///
    /// # Errors
    /// If the journal cannot be read.
    pub(super) fn advance(&mut self, journal: &Journal) -> Result<Option<Selection>, TournamentError> {
        let ordinals: Vec<u64> = self.games().map(|game| game.ordinal).collect();
        self.candidates.read(journal, ordinals)?;
        let limits: Vec<u64> = self.ends.iter().map(|(_, to)| *to).collect();
        let selection = Selection::new(self.schedule, &limits, &self.candidates);
        for ((from, to), more) in self.ends.iter_mut().zip(selection.more(self.schedule)) {
            (*from, *to) = (*to, *to + more);
        }
        let is_last = self.ends.iter().all(|(from, to)| from == to);
        Ok(is_last.then_some(selection))
    }

    /// The selection from the candidates in `journal`, or the number of candidates that are missing there for the next
    /// round. The first round must be complete.
    ///
    /// # Errors
    /// If the journal cannot be read.
    pub(super) fn settle(mut self, journal: &Journal) -> Result<Result<Selection, u64>, TournamentError> {
        loop {
            if let Some(selection) = self.advance(journal)? {
                return Ok(Ok(selection));
            }
            let missing = self.missing(journal).len() as u64;
            if missing > 0 {
                return Ok(Err(missing));
            }
        }
    }
}
