//! A beam search for a game to a whole diagram. Of all games of each length, it keeps those whose moves humans most
//! likely play and that are not too far from the diagram.

use std::collections::{HashMap, hash_map::Entry};

use entente_constraint::{
    Situation, child_of,
    guide::{Guide, PLY},
};
use entente_network::NetworkError;
use entente_search::Game;
use shakmaty::{EnPassantMode, Move, Position, zobrist::Zobrist64};

use crate::generation::{player::Task, policy::PolicyView};

/// The surprise per ply that does not count, in nats. Of two games to the diagram, the one with less surprise beyond
/// this is better. Otherwise the shortest games, in which men are given away, would always be the best.
const FREE: f32 = 0.5;
/// The minimum surprise assumed for each ply that is left, in nats; it is about that of the most likely human moves. If
/// a game cannot become better than one that has found the diagram, it is dropped.
const MIN_SURPRISE: f32 = 0.7;
/// A beam ends if it has come no nearer for this number of plies.
const PATIENCE: u32 = 16;

/// The settings of a beam search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Beam {
    /// The number of games kept of each length.
    pub width: usize,
    /// The cost of a ply that is left, in nats.
    pub weight: f32,
    /// The maximum length of a game, in plies.
    pub plies: u32,
    /// The score that a game must improve on, see [`score`].
    pub least: f32,
}

/// A game that has not reached the diagram.
#[derive(Clone)]
pub(super) struct Runner {
    pub game: Game,
    /// The sum of the surprise of its moves, in nats.
    pub surprise: f32,
    /// The estimated number of plies that are left.
    pub left: f32,
}

/// The result of a beam search.
pub(super) struct Findings {
    /// The best game to the diagram, and its score.
    pub found: Option<(Game, f32)>,
    /// For each number of plies, the nearest game.
    pub nearest: Vec<Runner>,
}

/// A move that may be played.
struct Candidate {
    /// The surprise plus the cost of the plies that are left; less is better.
    value: f32,
    surprise: f32,
    left: f32,
    parent: u32,
    m: Move,
    key: u64,
}

impl Beam {
    /// Searches from the root of the job for the diagram of `guide`.
    ///
    /// # Errors
    /// [`NetworkError`] if the network cannot be run.
    pub(super) fn run(
        self,
        task: &Task<'_>,
        guide: &Guide,
        view: &mut PolicyView,
    ) -> Result<Findings, NetworkError> {
        let start = task.job.game();
        let left = guide.distance() as f32;
        let mut findings = Findings { found: None, nearest: Vec::new() };
        let mut least = self.least;
        let (mut nearest, mut since) = (left, 0);
        let mut seen: HashMap<u64, f32> = HashMap::from([(identity(guide, start.situation()), 0.0)]);
        let mut level = vec![Runner { game: start, surprise: 0.0, left }];
        for ply in 0..self.plies {
            let games: Vec<&Game> = level.iter().map(|runner| &runner.game).collect();
            if task.limits.forbid(view.evaluations(), games.len() as u64) {
                break;
            }
            let Some(answers) = view.human_of_all(&games, task.ratings, task.limits)? else { break };
            let mut candidates: Vec<Candidate> = Vec::new();
            let mut places: HashMap<u64, usize> = HashMap::new();
            for (parent, (runner, (moves, chances))) in level.iter().zip(&answers).enumerate() {
                if task.limits.forbid(0, 0) {
                    return Ok(findings);
                }
                for (m, logarithm) in moves.iter().zip(chances.logarithms()) {
                    let surprise = runner.surprise - logarithm;
                    let reached = score(surprise, ply + 1);
                    if reached >= least || (ply == 0 && !(task.may_begin)(*m)) {
                        continue;
                    }
                    let (child, next) = (child_of(runner.game.position(), *m), [*m]);
                    let situation = runner.game.situation().after(&next, &child);
                    if guide.is_satisfied(situation) {
                        least = reached;
                        let mut game = runner.game.clone();
                        game.play(*m);
                        findings.found = Some((game, reached));
                        continue;
                    }
                    let key = identity(guide, situation);
                    let is_worse = |before: &f32| *before <= surprise;
                    if !guide.counts_plies() && seen.get(&key).is_some_and(is_worse) {
                        continue;
                    }
                    let place = places.entry(key);
                    if let Entry::Occupied(place) = &place
                        && candidates[*place.get()].surprise <= surprise
                    {
                        continue;
                    }
                    let Some(estimate) = guide.estimate(situation) else { continue };
                    let left = estimate.total() as f32 / PLY as f32;
                    if reached + (MIN_SURPRISE - FREE) * left >= least {
                        continue;
                    }
                    let value = surprise + self.weight * left;
                    let candidate = Candidate { value, surprise, left, parent: parent as u32, m: *m, key };
                    match place {
                        Entry::Occupied(place) => candidates[*place.get()] = candidate,
                        Entry::Vacant(place) => {
                            place.insert(candidates.len());
                            candidates.push(candidate);
                        }
                    }
                }
            }
            let may_be_best = |candidate: &Candidate| {
                score(candidate.surprise, ply + 1) + (MIN_SURPRISE - FREE) * candidate.left < least
            };
            candidates.retain(may_be_best);
            // The sort is stable, so the order is always the same.
            candidates.sort_by(|one, other| one.value.total_cmp(&other.value));
            level = candidates
                .iter()
                .filter(|candidate| !level[candidate.parent as usize].game.ends_with(candidate.m))
                .take(self.width)
                .map(|candidate| {
                    seen.insert(candidate.key, candidate.surprise);
                    let mut game = level[candidate.parent as usize].game.clone();
                    game.play(candidate.m);
                    Runner { game, surprise: candidate.surprise, left: candidate.left }
                })
                .collect();
            let Some(best) = level.iter().min_by(|one, other| one.left.total_cmp(&other.left)) else { break };
            findings.nearest.push(best.clone());
            since = if best.left < nearest { 0 } else { since + 1 };
            nearest = nearest.min(best.left);
            if since >= PATIENCE {
                break;
            }
        }
        Ok(findings)
    }
}

/// The score of a game of `plies` plies; less is better.
fn score(surprise: f32, plies: u32) -> f32 {
    surprise - FREE * plies as f32
}

/// A hash of the position, and of what the guide remembers of the game.
fn identity(guide: &Guide, situation: Situation<'_>) -> u64 {
    let memory = if guide.remembers() { guide.memory(situation) } else { 0 };
    situation.position.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0 ^ memory
}
