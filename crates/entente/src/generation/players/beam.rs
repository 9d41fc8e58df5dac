//! A beam over the games to a whole diagram, ply by ply: of all games that are so long it keeps those whose moves people
//! are likeliest to have played, and that are not too far from the diagram.

use std::collections::{HashMap, hash_map::Entry};

use entente_constraint::{
    Situation, child_of,
    guide::{Guide, PLY},
};
use entente_network::NetworkError;
use entente_search::Game;
use shakmaty::{Chess, EnPassantMode, Move, Position, zobrist::Zobrist64};

use crate::generation::{player::Task, policy::PolicyView};

/// Of two games to the diagram the better one is that whose moves surprise less, where so many nats a ply are free: else
/// the shortest games would always be the best, in which men are lost for nothing.
const FREE: f32 = 0.5;
/// A game that is still on its way needs at least so much more for each ply that is left, in nats, or another one that has
/// found the diagram is better: so likely are people's likeliest moves.
const MIN_SURPRISE: f32 = 0.7;
/// Nobody is left in a beam that has come no nearer for so many plies.
const PATIENCE: u32 = 16;

/// How wide a beam is, and what it makes of the way that is left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Beam {
    /// Games of each length.
    pub width: usize,
    /// What a ply that is left counts, in nats.
    pub weight: f32,
    /// The longest game, in plies.
    pub plies: u32,
    /// What a game has to be better than, see [`score`].
    pub least: f32,
}

/// A game on its way.
#[derive(Clone)]
pub(super) struct Runner {
    pub game: Game,
    /// The sum of the surprise of its moves, in nats.
    pub surprise: f32,
    /// The estimate of the plies that are left.
    pub left: f32,
}

/// What a beam came to.
pub(super) struct Findings {
    /// The best game to the diagram, and its score.
    pub found: Option<(Game, f32)>,
    /// For each number of plies, the game that was nearest.
    pub nearest: Vec<Runner>,
}

/// A move that may be played.
struct Candidate {
    /// Surprise with the way that is left: less is better.
    value: f32,
    surprise: f32,
    left: f32,
    parent: u32,
    m: Move,
    key: u64,
}

impl Beam {
    /// Runs from the job's root to the diagram that `guide` leads to.
    ///
    /// # Errors
    /// [`NetworkError`] if the network cannot be run.
    pub(super) fn run(
        self,
        task: &Task<'_>,
        guide: &Guide,
        view: &mut PolicyView,
    ) -> Result<Findings, NetworkError> {
        let start = Game::starting_at(task.job.first_ply, task.job.root.clone());
        let left = guide.distance() as f32;
        let mut findings = Findings { found: None, nearest: Vec::new() };
        let mut least = self.least;
        let (mut nearest, mut since) = (left, 0);
        let mut seen: HashMap<u64, f32> = HashMap::from([(identity(start.position()), 0.0)]);
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
                    let child = child_of(runner.game.position(), *m);
                    let situation = Situation { position: &child, ply: task.job.first_ply + ply + 1 };
                    if guide.is_satisfied(situation) {
                        least = reached;
                        let mut game = runner.game.clone();
                        game.play(*m);
                        findings.found = Some((game, reached));
                        continue;
                    }
                    let key = identity(&child);
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
                    let Some(estimate) = guide.estimate(&child, situation.ply) else { continue };
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
            // The order is that of the games before, and so the same each time.
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

/// How good a game of so many plies is: less is better.
fn score(surprise: f32, plies: u32) -> f32 {
    surprise - FREE * plies as f32
}

/// What tells positions apart.
fn identity(position: &Chess) -> u64 {
    position.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0
}
