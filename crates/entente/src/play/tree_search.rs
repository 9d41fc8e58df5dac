//! A tree search for a move against an opponent: when it ends, and what it reports.

use std::time::{Duration, Instant};

use entente_network::{NetworkError, Policy, PolicySession};
use entente_search::{
    Game, Limits, Reporter, SearchEvent, SearchReport, SearchRequest, Timer, Variation,
    tree::{Backup, Candidate, Puct, TreeProgress},
};
use rand::Rng;
use shakmaty::Move;

use super::{
    best_of_draws::BestOfDraws,
    human_model::{HumanModel, HumanPrediction},
    imitation,
    parameters::Parameters,
    players::Players,
    policy_evaluator::PolicyEvaluator,
};
use crate::skill::Skilled;

/// The maximum time between two reports.
const SILENCE: Duration = Duration::from_secs(1);
/// The number of visits before the search estimates how many more the time allows.
const MIN_VISITS: u64 = 32;

/// A tree search with an evaluator for each thread.
pub struct TreeSearch {
    tree: Puct,
    evaluators: Vec<PolicyEvaluator>,
    /// The model of the players to imitate.
    human: HumanModel<Skilled<PolicySession>>,
    players: Players,
}

impl TreeSearch {
    /// A search with at most `mebibytes` of memory and `threads` threads, each at least 1, for unknown players.
    pub fn new(mebibytes: usize, policy: &Policy, threads: u32, parameters: &Parameters) -> TreeSearch {
        let players = Players::UNKNOWN;
        let evaluator = |_| PolicyEvaluator::new(policy, players, parameters);
        TreeSearch {
            tree: Puct::new(mebibytes, Backup::Competitive, parameters.exploration),
            evaluators: (0..threads.max(1)).map(evaluator).collect(),
            human: HumanModel::new(Skilled::of(policy).for_play(), players),
            players,
        }
    }

    /// Forgets earlier games.
    pub fn forget(&mut self) {
        self.tree.forget();
        self.evaluators.iter_mut().for_each(PolicyEvaluator::forget);
    }

    /// Changes the players, and forgets the evaluations for earlier ones.
    pub fn seat(&mut self, players: Players) {
        if self.players != players {
            self.players = players;
            self.forget();
            self.evaluators.iter_mut().for_each(|evaluator| evaluator.seat(players));
            self.human.seat(players);
        }
    }

    /// Searches the position of `game`, sends the progress to `report`, and returns the best variations, as many as the
    /// request wants.
    ///
    /// If only one line is wanted, the search ends once a win is proved, or once all moves are proved. With a clock it
    /// ends as soon as no other move can become the most visited one in the remaining time. [`SearchRequest::depth`]
    /// limits the length of the longest line followed. Even if `limits` forbid any visit, there is a variation of one
    /// move.
    ///
    /// # Errors
    /// [`NetworkError`] if the network cannot be run.
    ///
    /// # Panics
    /// If the request has no moves.
    pub fn search(
        &mut self,
        game: &Game,
        request: &SearchRequest,
        limits: Limits<'_>,
        report: &mut Reporter<'_>,
    ) -> Result<Vec<Variation>, NetworkError> {
        let wanted = request.lines.clamp(1, request.moves.len());
        let start = Instant::now();
        let is_timed = limits.timer.is_some_and(Timer::is_set);
        let (mut next, mut told_at) = (1, start);
        let mut told = (0, Vec::new());
        let (candidates, progress) = self.tree.search(
            game,
            &request.moves,
            &mut self.evaluators,
            limits,
            |progress, candidates| {
                if progress.visits >= next || told_at.elapsed() >= SILENCE {
                    (next, told_at) = (progress.visits.saturating_mul(2), Instant::now());
                    told = (progress.visits, variations(&candidates(), wanted));
                    report(&told_of(progress, SearchEvent::Variations(&told.1)));
                }
                let is_decided = request.moves.len() == 1 || is_decided(progress, start, limits);
                let is_enough = wanted == 1 && progress.known.is_some()
                    || progress.selective_depth >= request.depth
                    || is_timed && !request.patient && is_decided;
                !is_enough
            },
        )?;
        let last = (progress.visits, variations(&candidates, wanted));
        // More visits may have ended since the last report.
        if told != last {
            report(&told_of(&progress, SearchEvent::Variations(&last.1)));
        }
        Ok(last.1)
    }

    /// A human-like move, one of `moves`, which must be legal and not empty. `best_of_draws` says how carefully it is
    /// drawn.
    ///
    /// # Errors
    /// [`NetworkError`] if the network cannot be run.
    pub(super) fn draw(
        &mut self,
        game: &Game,
        moves: &[Move],
        best_of_draws: BestOfDraws,
        limits: Limits<'_>,
        rng: &mut impl Rng,
    ) -> Result<Variation, NetworkError> {
        let (m, found) = imitation::draw(&mut self.evaluators[0], game, moves, best_of_draws, limits, rng)?;
        Ok(Variation { score: found.score(), chances: found.chances(), moves: vec![m], depth: None })
    }

    /// A human-like move, drawn after a short search of the likely moves, and the number of nodes of that search. It is
    /// one of `moves`, which must be legal and not empty.
    ///
    /// # Errors
    /// [`NetworkError`] if the network cannot be run.
    pub(super) fn draw_skilled(
        &mut self,
        game: &Game,
        moves: &[Move],
        rng: &mut impl Rng,
    ) -> Result<(Variation, u64), NetworkError> {
        let before = self.human.nodes();
        let HumanPrediction { moves: legal, mut chances, found } = self.human.predict(game)?;
        chances.mask(|index| moves.contains(&legal[index]));
        let moves = vec![imitation::one_of(moves, &legal, &chances, rng)];
        let line = Variation { score: found.score(), chances: found.chances(), moves, depth: None };
        Ok((line, self.human.nodes() - before))
    }
}

fn told_of<'a>(progress: &TreeProgress, event: SearchEvent<'a>) -> SearchReport<'a> {
    let TreeProgress { visits, depth, selective_depth, full, .. } = *progress;
    SearchReport { depth, selective_depth, event, nodes: visits, hashfull: full, table_hits: 0 }
}

fn variations(candidates: &[Candidate], wanted: usize) -> Vec<Variation> {
    let variation = |candidate: &Candidate| Variation {
        score: candidate.score(),
        chances: candidate.found.chances(),
        moves: candidate.moves.clone(),
        depth: None,
    };
    candidates.iter().take(wanted).map(variation).collect()
}

/// True if no other move can become the most visited one in the remaining time.
fn is_decided(progress: &TreeProgress, start: Instant, limits: Limits<'_>) -> bool {
    let Some(left) = limits.timer.and_then(Timer::soft_left) else { return false };
    if left.is_zero() {
        return true;
    }
    if progress.visits < MIN_VISITS {
        return false;
    }
    let rate = progress.visits as f64 / start.elapsed().as_secs_f64().max(1e-6);
    let to_come = rate * left.as_secs_f64();
    let [first, second] = progress.most_visited;
    f64::from(first) - f64::from(second) > to_come
}
