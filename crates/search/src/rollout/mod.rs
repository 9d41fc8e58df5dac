//! Monte Carlo playouts. Each root move is followed by random legal moves to some depth, a [`PlayoutEvaluator`]
//! evaluates the final positions, and the move with the best statistics is chosen.
//!
//! The search can be stopped at any time. The [`Allotment`] chooses the move for the next playout.

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
pub use playout::{PlayoutEvaluator, play_out};

use super::{Game, Limits, Reporter, SearchEvent, SearchReport, SearchRequest, Timer, Variation};

/// The longest time between two reports.
const REPORT_INTERVAL: Duration = Duration::from_secs(1);
/// The number of playouts after which a thread publishes its statistics.
const PLAYOUTS_BETWEEN_UPDATES: u64 = 32;

/// The settings of a search by playouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RolloutSettings {
    /// The most random plies after the move. With 0, the position after the move itself is evaluated.
    pub depth: u32,
    /// The number of playouts of a search without other limits.
    pub playouts: u64,
    /// How playouts are allocated to moves.
    pub allotment: Allotment,
}

impl RolloutSettings {
    /// The default settings for play.
    pub const DEFAULT: RolloutSettings =
        RolloutSettings { depth: 2, playouts: 100_000, allotment: Allotment::Ucb };
}

/// A search by playouts, with a thread for each judge. With one judge, the same seed gives the same result.
pub struct Rollout<J> {
    settings: RolloutSettings,
    evaluators: Vec<J>,
}

/// The state that the threads of a search share.
struct Shared<'a> {
    /// The statistics that each thread has published.
    published: Vec<Mutex<Arms>>,
    playouts: AtomicU64,
    is_over: AtomicBool,
    game: &'a Game,
    moves: &'a [Move],
    depth: u32,
    allotment: Allotment,
}

impl<J: PlayoutEvaluator> Rollout<J> {
    /// A search with these evaluators, at least one.
    ///
    /// # Panics
    /// If there is no judge.
    pub fn new(settings: RolloutSettings, evaluators: Vec<J>) -> Rollout<J> {
        assert!(!evaluators.is_empty(), "a search by playouts needs an evaluator");
        Rollout { settings, evaluators }
    }

    /// The evaluators.
    pub fn evaluators(&self) -> &[J] {
        &self.evaluators
    }

    /// The evaluators, to change them before the next search.
    pub fn evaluators_mut(&mut self) -> &mut [J] {
        &mut self.evaluators
    }

    /// Plays out the moves of the request, reports the progress to `report`, and returns the requested number of lines,
    /// the best first. Each line has one move.
    ///
    /// Nodes are playouts. The depth of the request, if it is limited, is the depth of a playout, including its first
    /// move. Even if `limits` forbid any playout, there is a line.
    ///
    /// # Errors
    /// If a judge cannot evaluate a position.
    ///
    /// # Panics
    /// If the request has no moves.
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
            published: self.evaluators.iter().map(|_| Mutex::new(Arms::new(request.moves.len()))).collect(),
            playouts: AtomicU64::new(0),
            is_over: AtomicBool::new(false),
            game,
            moves: &request.moves,
            depth: request.playout_depth().unwrap_or(depth),
            allotment,
        };
        let (first, others) = self.evaluators.split_first_mut().expect("there is an evaluator");
        let should_continue = || {
            let is_late = is_timed && !request.patient && limits.timer.is_some_and(Timer::soft_passed);
            let is_decided = is_timed && !request.patient && request.moves.len() == 1;
            !is_late && !is_decided && !limits.forbid(shared.playouts.load(Relaxed), 1)
        };
        let (start, mut next) = (Instant::now(), 1);
        let mut reported_at = start;
        let mut update = |arms: &Arms| {
            let done = shared.playouts.load(Relaxed);
            if done >= next || reported_at.elapsed() >= REPORT_INTERVAL {
                (next, reported_at) = (done.saturating_mul(2).max(1024), Instant::now());
                shared.report(&shared.lines(arms, request.lines), report);
            }
        };
        thread::scope(|scope| {
            let helpers: Vec<_> = others
                .iter_mut()
                .zip(1..)
                .map(|(evaluator, number)| {
                    let shared = &shared;
                    let should_continue = || !shared.is_over.load(Relaxed);
                    scope.spawn(move || shared.work(evaluator, number, seed, should_continue, |_| ()))
                })
                .collect();
            let found = shared.work(first, 0, seed, should_continue, &mut update);
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
    /// Makes playouts as long as `should_continue` returns true. The first thread regularly passes the statistics of
    /// all threads to `update`.
    fn work<J: PlayoutEvaluator>(
        &self,
        evaluator: &mut J,
        number: usize,
        seed: u64,
        should_continue: impl Fn() -> bool,
        mut update: impl FnMut(&Arms),
    ) -> Result<(), J::Error> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(number as u64);
        let mut arms = Arms::new(self.moves.len());
        let mut count = 0;
        while should_continue() {
            let place = arms.next(self.allotment, number);
            let value = play_out(self.game, self.moves[place], self.depth, evaluator, &mut rng)?;
            arms.add(place, value);
            self.playouts.fetch_add(1, Relaxed);
            count += 1;
            if count % PLAYOUTS_BETWEEN_UPDATES == 0 {
                self.published[number].lock().expect("no thread panics with the lock held").clone_from(&arms);
                if number == 0 {
                    update(&self.all());
                }
            }
        }
        *self.published[number].lock().expect("no thread panics with the lock held") = arms;
        Ok(())
    }

    /// The published statistics of all threads together.
    fn all(&self) -> Arms {
        let mut all = Arms::new(self.moves.len());
        self.published
            .iter()
            .for_each(|published| all.join(&published.lock().expect("no thread panics with the lock held")));
        all
    }

    /// The lines of the best moves.
    fn lines(&self, arms: &Arms, wanted: usize) -> Vec<Variation> {
        let best = arms.ranking(self.allotment).into_iter().take(wanted.max(1));
        best.map(|place| arms.variation(place, self.game, self.moves[place])).collect()
    }

    fn report(&self, lines: &[Variation], report: &mut Reporter<'_>) {
        let depth = self.depth + 1;
        let (event, nodes) = (SearchEvent::Variations(lines), self.playouts.load(Relaxed));
        report(&SearchReport { depth, selective_depth: depth, event, nodes, hashfull: 0, table_hits: 0 });
    }
}

#[cfg(test)]
mod tests;
