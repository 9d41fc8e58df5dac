//! Monte Carlo playouts: each move is followed by random legal moves to some depth, a [`PlayoutJudge`] values where these
//! end, and the move with the best average is chosen.
//!
//! The search may be ended at any time. Which move the next playout begins with is for the [`Allotment`] to say.

mod arms;
mod by_scorer;
mod playout;

use std::{
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    thread,
    time::{Duration, Instant},
};

use rand::{SeedableRng, rngs::ChaCha8Rng};
use shakmaty::Move;

pub use arms::{Allotment, Arms};
pub use by_scorer::ByScorer;
pub use playout::{PlayoutJudge, play_out};

use super::{Game, Limits, News, Reporter, SearchReport, SearchRequest, Timer, Variation};

/// The longest time between two reports.
const SILENCE: Duration = Duration::from_secs(1);
/// Playouts between two times that a thread tells what it has found.
const PLAYOUTS_BETWEEN_TELLING: u64 = 32;

/// How playouts are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RolloutSettings {
    /// Random plies after the move, at most; 0 values the position after the move itself.
    pub depth: u32,
    /// Playouts of a search that nothing else limits.
    pub playouts: u64,
    /// Which move is next.
    pub allotment: Allotment,
}

impl RolloutSettings {
    /// The usual ones in play.
    pub const USUAL: RolloutSettings =
        RolloutSettings { depth: 2, playouts: 100_000, allotment: Allotment::Ucb };
}

/// A search by playouts, in as many threads as it has judges; with one of them the same seed gives the same result.
pub struct Rollout<J> {
    settings: RolloutSettings,
    judges: Vec<J>,
}

/// What all threads of a search share.
struct Shared<'a> {
    /// What each thread has told.
    told: Vec<Mutex<Arms>>,
    playouts: AtomicU64,
    is_over: AtomicBool,
    game: &'a Game,
    moves: &'a [Move],
    depth: u32,
    allotment: Allotment,
}

impl<J: PlayoutJudge> Rollout<J> {
    /// A search with these judges, at least one.
    ///
    /// # Panics
    /// If there is no judge.
    pub fn new(settings: RolloutSettings, judges: Vec<J>) -> Rollout<J> {
        assert!(!judges.is_empty(), "somebody must value the playouts");
        Rollout { settings, judges }
    }

    /// Its judges.
    pub fn judges(&self) -> &[J] {
        &self.judges
    }

    /// Its judges, to be told something before the next search.
    pub fn judges_mut(&mut self) -> &mut [J] {
        &mut self.judges
    }

    /// Plays out the moves of the request, tells `report` how far it has come, and returns as many lines of one move as the
    /// request wants, the best first.
    ///
    /// Nodes are playouts; the depth of the request, if it is below that of an unlimited search, is that of a playout.
    /// Even if `limits` forbid any playout, there is a line.
    ///
    /// # Errors
    /// If a judge cannot value a position.
    ///
    /// # Panics
    /// If the request names no move.
    pub fn search(
        &mut self,
        game: &Game,
        request: &SearchRequest,
        limits: Limits<'_>,
        seed: u64,
        report: &mut Reporter<'_>,
    ) -> Result<Vec<Variation>, J::Error> {
        assert!(!request.moves.is_empty(), "a search needs a move");
        let RolloutSettings { depth, playouts, allotment } = self.settings;
        let is_timed = limits.timer.is_some_and(Timer::is_set);
        let is_limited = is_timed || limits.nodes < u64::MAX || limits.deadline.is_some();
        let limits = Limits { nodes: if is_limited { limits.nodes } else { playouts }, ..limits };
        let shared = Shared {
            told: self.judges.iter().map(|_| Mutex::new(Arms::new(request.moves.len()))).collect(),
            playouts: AtomicU64::new(0),
            is_over: AtomicBool::new(false),
            game,
            moves: &request.moves,
            depth: request.playout_depth().unwrap_or(depth),
            allotment,
        };
        let (first, others) = self.judges.split_first_mut().expect("there is a judge");
        let goes_on = || {
            let is_late = is_timed && !request.patient && limits.timer.is_some_and(Timer::soft_passed);
            let is_decided = is_timed && !request.patient && request.moves.len() == 1;
            !is_late && !is_decided && !limits.forbid(shared.playouts.load(Relaxed), 1)
        };
        let (start, mut next) = (Instant::now(), 1);
        let mut told_at = start;
        let mut tell = |arms: &Arms| {
            let done = shared.playouts.load(Relaxed);
            if done >= next || told_at.elapsed() >= SILENCE {
                (next, told_at) = (done.saturating_mul(2).max(1024), Instant::now());
                shared.report(&shared.lines(arms, request.lines), report);
            }
        };
        thread::scope(|scope| {
            let helpers: Vec<_> = others
                .iter_mut()
                .zip(1..)
                .map(|(judge, number)| {
                    let shared = &shared;
                    let goes_on = || !shared.is_over.load(Relaxed);
                    scope.spawn(move || shared.work(judge, number, seed, goes_on, |_| ()))
                })
                .collect();
            let found = shared.work(first, 0, seed, goes_on, &mut tell);
            shared.is_over.store(true, Relaxed);
            let helped = helpers.into_iter().map(|helper| helper.join().expect("a helper does not panic"));
            helped.chain([found]).collect::<Result<Vec<()>, J::Error>>()
        })?;
        let lines = shared.lines(&shared.all(), request.lines);
        shared.report(&lines, report);
        Ok(lines)
    }
}

impl Shared<'_> {
    /// Makes playouts for as long as it `goes_on`; what all have found is told to `tell` every now and then.
    fn work<J: PlayoutJudge>(
        &self,
        judge: &mut J,
        number: usize,
        seed: u64,
        goes_on: impl Fn() -> bool,
        mut tell: impl FnMut(&Arms),
    ) -> Result<(), J::Error> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(number as u64);
        let mut arms = Arms::new(self.moves.len());
        let mut count = 0;
        while goes_on() {
            let place = arms.next(self.allotment, number);
            let value = play_out(self.game, self.moves[place], self.depth, judge, &mut rng)?;
            arms.add(place, value);
            self.playouts.fetch_add(1, Relaxed);
            count += 1;
            if count % PLAYOUTS_BETWEEN_TELLING == 0 {
                self.told[number].lock().expect("no thread panics with it").clone_from(&arms);
                if number == 0 {
                    tell(&self.all());
                }
            }
        }
        *self.told[number].lock().expect("no thread panics with it") = arms;
        Ok(())
    }

    /// What all threads have found, as far as they have told.
    fn all(&self) -> Arms {
        let mut all = Arms::new(self.moves.len());
        self.told.iter().for_each(|told| all.join(&told.lock().expect("no thread panics with it")));
        all
    }

    /// The best moves.
    fn lines(&self, arms: &Arms, wanted: usize) -> Vec<Variation> {
        let best = arms.ranking(self.allotment).into_iter().take(wanted.max(1));
        best.map(|place| arms.variation(place, self.game, self.moves[place])).collect()
    }

    fn report(&self, lines: &[Variation], report: &mut Reporter<'_>) {
        let depth = self.depth + 1;
        let (news, nodes) = (News::Variations(lines), self.playouts.load(Relaxed));
        report(&SearchReport { depth, selective_depth: depth, news, nodes, hashfull: 0 });
    }
}

#[cfg(test)]
mod tests;
