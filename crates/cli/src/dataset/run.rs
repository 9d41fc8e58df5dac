use std::sync::atomic::{AtomicBool, Ordering};

use super::{candidates::Candidates, selection::Selection};
use crate::tournament::{Game, Journal, Pairing, Schedule, Shard, TournamentError, play};

/// How far a run has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Which round of candidates it is: 0 for the first ones, then those that stand in for others.
    pub round: u32,
    /// Candidates up to the end of this round.
    pub candidates: u64,
    /// Of which are generated.
    pub done: u64,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It was stopped; what is generated stays.
    Stopped,
    /// All candidates of a shard are generated.
    Shard,
    /// All positions are there, or no more are found.
    Whole(Selection),
}

/// Generates the candidates that `journal` lacks, round by round, until there are as many different positions as are
/// wanted, or no more are found; of a shard, even if it is the only one, the first round alone. Returns early when `stop`
/// is set.
///
/// Each round depends on the candidates before it alone. So a run that is resumed generates what it would have without
/// the stop.
///
/// # Errors
/// [`TournamentError::Generation`] if a network cannot value a position that the search met, [`TournamentError::File`]
/// if candidates cannot be written or read.
pub fn generate(
    schedule: Schedule,
    is_shard: bool,
    pairings: &[Pairing],
    journal: &mut Journal,
    threads: usize,
    stop: &AtomicBool,
    mut progress: impl FnMut(Progress),
) -> Result<Ended, TournamentError> {
    let mut rounds = Rounds::new(schedule);
    for round in 0.. {
        let missing = rounds.missing(journal);
        let candidates = rounds.total();
        let before = candidates - missing.len() as u64;
        let already = journal.done;
        play(missing.into_iter(), pairings, journal, threads, stop, |journal| {
            progress(Progress { round, candidates, done: before + journal.done - already });
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
    unreachable!("a pair has an end of candidates")
}

/// The candidates of each pair, as far as they are asked for.
pub(super) struct Rounds {
    schedule: Schedule,
    /// The ends of each pair's candidates before this round, and with it.
    ends: Vec<(u64, u64)>,
    candidates: Candidates,
}

impl Rounds {
    /// The first round: as many candidates as positions are wanted.
    pub(super) fn new(schedule: Schedule) -> Rounds {
        let ends = vec![(0, schedule.games); schedule.pairings as usize];
        Rounds { schedule, ends, candidates: Candidates::new(schedule) }
    }

    /// The candidates of this round that are to be generated here.
    fn games(&self) -> impl Iterator<Item = Game> {
        let schedule = self.schedule;
        let of_pair = move |(pairing, &(from, to)): (usize, &(u64, u64))| {
            (from..to).filter_map(move |index| schedule.ordinal(pairing as u64, index))
        };
        let ordinals = self.ends.iter().enumerate().flat_map(of_pair);
        ordinals.filter(move |&ordinal| schedule.is_here(ordinal)).map(move |ordinal| schedule.game(ordinal))
    }

    /// Those of them that were not generated.
    fn missing(&self, journal: &Journal) -> Vec<Game> {
        self.games().filter(|game| !journal.is_done(game.ordinal)).collect()
    }

    /// Candidates to be generated here up to the end of this round.
    fn total(&self) -> u64 {
        match self.schedule.shard {
            Shard::WHOLE => self.ends.iter().map(|(_, to)| to).sum(),
            _ => self.schedule.here(),
        }
    }

    /// Goes on to the next round after this one was generated; returns what stays if there is none.
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

    /// What stays of the candidates in `journal`, and how many of a next round are missing there; of the first round all
    /// must be there.
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
