use std::{
    cell::RefCell,
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

use entente_constraint::Situation;
use entente_network::NetworkError;
use entente_search::Limits;
use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};
use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Move, Position};

use super::{
    Distance, GenerationError, Job, known_rating,
    player::{Attempt, Spent, Task},
    players::{Stage, stages},
    policy::{Delivery, PolicyReport, PolicyView, Ratings},
};
use crate::{difficulty::PuzzleRating, judge::Judge};

/// The outcome of a generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// The last position satisfies the constraint.
    Found,
    /// The budget was spent, or the generation was stopped. The position is the nearest one reached.
    Undetermined,
}

/// One generated position with its proof game.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Generation {
    /// The index of the position in the run, from 0. Seed and index determine everything else.
    pub index: u64,
    /// The outcome.
    pub outcome: Outcome,
    /// The game from the root to [`Generation::position`].
    pub moves: Vec<Move>,
    /// The first move of the whole game, even if all its moves led away from the constraint and `moves` is empty.
    pub begun_with: Option<Move>,
    /// The position that satisfies the constraint, or the nearest one reached.
    pub position: Chess,
    /// The distance of that position from the constraint.
    pub distance: Distance,
    /// The satisfaction value of the move that led there, in [0, 1]; 1 if the position was found.
    pub value: f32,
    /// The number of games started, or of searches of the root.
    pub attempts: u32,
    /// The distance at the end of the first attempt; 0 if it succeeded.
    pub first_attempt_distance: u32,
    /// The number of positions searched in all attempts.
    pub nodes: u64,
    /// The number of positions given to the evaluator in all attempts.
    pub evaluations: u64,
    /// The evaluation of the position for White, in centipawns, if the constraint made a judge evaluate it.
    pub centipawns: Option<i32>,
    /// The predicted rating of the position as a puzzle, if the constraint made a judge predict it.
    pub puzzle: Option<PuzzleRating>,
    /// How the policy played the game, if it did.
    pub report: Option<PolicyReport>,
    /// The time taken.
    pub time: Duration,
}

impl Generation {
    /// The generation of a given game from `root`, whose last position has this distance from the constraint. It counts
    /// as found if the distance is 0. It has no attempts, nodes and time.
    pub fn of_game(root: &Chess, moves: Vec<Move>, distance: Distance) -> Generation {
        let mut position = root.clone();
        moves.iter().for_each(|m| position.play_unchecked(*m));
        let is_found = distance.number() == 0;
        Generation {
            index: 0,
            outcome: if is_found { Outcome::Found } else { Outcome::Undetermined },
            begun_with: moves.first().copied(),
            moves,
            position,
            distance,
            value: if is_found { 1.0 } else { 0.0 },
            attempts: 0,
            first_attempt_distance: distance.number(),
            nodes: 0,
            evaluations: 0,
            centipawns: None,
            puzzle: None,
            report: None,
            time: Duration::ZERO,
        }
    }
}

/// Generates positions for a job. Each thread has its own generator.
pub struct Generator {
    job: Job,
    stages: Vec<Stage>,
    /// The judge of conditions that the rules of chess do not decide, if the target has any.
    judge: Option<RefCell<Judge>>,
    /// Computes how surprising the moves of a game are, if the method has a policy.
    critic: Option<PolicyView>,
}

/// The attempts at one position.
struct Attempts {
    begun: u32,
    /// The distance at the end of the first attempt.
    first_distance: Option<u32>,
    /// The attempt that came nearest.
    best: Option<Attempt>,
    /// How the position was found, if it was.
    found_by: Option<Delivery>,
}

impl Generator {
    /// A generator with its own players.
    ///
    /// # Errors
    /// [`GenerationError`] if the input of the network cannot represent the target, the method cannot be led to it, it
    /// is proved impossible, or the judge that the settings name cannot be used.
    pub(crate) fn new(job: Job) -> Result<Generator, GenerationError> {
        let stages = stages(&job)?;
        Generator::with_stages(job, stages)
    }

    /// A generator by best-first search alone, for callers that have other searches of their own.
    ///
    /// # Errors
    /// As [`Generator::new`].
    pub(crate) fn by_best_first(job: Job) -> Result<Generator, GenerationError> {
        let stages = vec![Stage::best_first(&job)?];
        Generator::with_stages(job, stages)
    }

    fn with_stages(job: Job, stages: Vec<Stage>) -> Result<Generator, GenerationError> {
        let critic =
            job.plan.policy().map(|policy| PolicyView::of_humans(&job, policy, job.plan.is_skilled()));
        let judge = Judge::new(&job.target.constraint, &job.judge, job.endings.as_ref())?.map(RefCell::new);
        Ok(Generator { job, stages, judge, critic })
    }

    /// Generates position `index` of the run, with attempts until one succeeds or the budget is spent.
    ///
    /// The result depends only on job and index, unless time is limited or `stop` is set.
    ///
    /// # Errors
    /// [`GenerationError::Network`] if the network cannot evaluate a position that the search reached.
    pub fn generate(&mut self, index: u64, stop: &AtomicBool) -> Result<Generation, GenerationError> {
        self.generate_within(index, Limits::until(stop), &|_| true)
    }

    /// As [`Generator::generate`], with games that begin with a move that `may_begin` allows. The nodes of `limits` are
    /// those of this position.
    ///
    /// # Errors
    /// [`GenerationError::Network`] if the network cannot evaluate a position that the search reached.
    pub fn generate_within(
        &mut self,
        index: u64,
        limits: Limits<'_>,
        may_begin: &dyn Fn(Move) -> bool,
    ) -> Result<Generation, GenerationError> {
        let start = Instant::now();
        let mut rng = ChaCha8Rng::seed_from_u64(self.job.seed);
        rng.set_stream(index);
        let budget = self.job.budget;
        let limits = Limits {
            nodes: limits.nodes.min(budget.nodes.unwrap_or(u64::MAX)),
            deadline: budget.time.and_then(|limit| start.checked_add(limit)).or(limits.deadline),
            ..limits
        };
        let before = self.spent();
        let ratings = self.ratings(&mut rng);
        let attempts = self.attempts(ratings, limits, may_begin, &mut rng)?;
        let Attempts { begun, first_distance, best, found_by } = attempts;
        let Attempt { line, distance, value, begun_with, report, .. } =
            best.unwrap_or_else(|| self.nothing());
        let report = match (&self.critic, found_by) {
            (None, _) => None,
            // The constraint holds at the root, and no move was played.
            (Some(_), Some(_)) if line.is_empty() => Some(PolicyReport::default()),
            (Some(_), Some(by)) => {
                // If search played most of the game, it has found it, no matter which player began it.
                let is_searched = 2 * report.finished as usize > line.len();
                let by = Some(if is_searched { Delivery::Search } else { by });
                Some(self.judged(&line, PolicyReport { by, ratings, ..report })?)
            }
            (Some(_), None) => Some(PolicyReport { ratings, ..PolicyReport::default() }),
        };
        let mut position = self.job.root.clone();
        line.iter().for_each(|&m| position.play_unchecked(m));
        let spent = self.spent();
        let found = found_by.is_some();
        Ok(Generation {
            index,
            outcome: if found { Outcome::Found } else { Outcome::Undetermined },
            moves: line,
            begun_with,
            position,
            distance,
            value: if found { 1.0 } else { value },
            attempts: begun,
            first_attempt_distance: first_distance.unwrap_or(distance.number()),
            nodes: spent.nodes - before.nodes,
            evaluations: spent.evaluations - before.evaluations,
            centipawns: self.judge.as_ref().filter(|_| found).and_then(|judge| judge.borrow().centipawns()),
            puzzle: self.judge.as_ref().filter(|_| found).and_then(|judge| judge.borrow().puzzle()),
            report,
            time: start.elapsed(),
        })
    }

    /// Makes attempts, stage after stage, until one succeeds or the budget is spent. The nodes of `limits` are those of
    /// this position.
    fn attempts(
        &mut self,
        ratings: Ratings,
        limits: Limits<'_>,
        may_begin: &dyn Fn(Move) -> bool,
        rng: &mut ChaCha8Rng,
    ) -> Result<Attempts, GenerationError> {
        let mut attempts = Attempts { begun: 0, first_distance: None, best: None, found_by: None };
        let root = self.job.game();
        if self.is_done_at(root.situation(), limits)? {
            let found_by = self.stages.first().map(|stage| stage.delivery);
            return Ok(Attempts { begun: 1, found_by, ..attempts });
        }
        let before = self.spent().nodes;
        self.stages.iter_mut().for_each(|stage| stage.player.forget());
        for place in 0..self.stages.len() {
            let Stage { attempts: most, delivery, is_extra, .. } = self.stages[place];
            for number in 0..most {
                let spent = self.spent().nodes - before;
                let is_late =
                    limits.forbid(spent, 1) || !is_extra && attempts.begun >= self.job.budget.attempts.max(1);
                if attempts.begun > 0 && is_late {
                    break;
                }
                let player = &mut self.stages[place].player;
                // Each player counts its own nodes.
                let nodes = player.spent().nodes.saturating_add(limits.nodes.saturating_sub(spent));
                let limits = Limits { nodes, ..limits };
                let judge = self.judge.as_ref();
                let task = Task { job: &self.job, ratings, number, limits, judge, may_begin };
                let Some(played) = player.attempt(&task, rng)? else { break };
                let played = judged(played, &task)?;
                attempts.begun += 1;
                attempts.first_distance.get_or_insert(played.last_distance);
                let (found, is_final) = (played.distance.number() == 0, played.is_final);
                if attempts.is_improved_by(&played) && (found || !is_extra) {
                    attempts.best = Some(played);
                }
                if found {
                    attempts.found_by = Some(delivery);
                    return Ok(attempts);
                }
                if is_final {
                    break;
                }
            }
        }
        Ok(attempts)
    }

    /// True if the target holds before the first move.
    fn is_done_at(&self, root: Situation<'_>, limits: Limits<'_>) -> Result<bool, GenerationError> {
        let target = &self.job.target;
        Ok(target.is_satisfied(root)
            && match &self.judge {
                Some(judge) => judge.borrow_mut().rules(&target.constraint, root, limits)?,
                None => true,
            })
    }

    /// The attempt that is reported if none was made.
    fn nothing(&self) -> Attempt {
        let game = self.job.game();
        let distance = Distance::of(&self.job.target, game.situation()).map_or(u32::MAX, Distance::number);
        Attempt::whole(&self.job, game, distance, PolicyReport::default())
    }

    /// The positions searched and evaluated so far. The positions that extra stages search are not evaluations of the
    /// policy.
    fn spent(&self) -> Spent {
        let judged = self.critic.as_ref().map_or(0, PolicyView::evaluations);
        let start = Spent { nodes: judged, evaluations: judged };
        self.stages.iter().fold(start, |sum, stage| {
            let Spent { nodes, evaluations } = stage.player.spent();
            let evaluations = if stage.is_extra { 0 } else { evaluations };
            Spent { nodes: sum.nodes + nodes, evaluations: sum.evaluations + evaluations }
        })
    }

    /// The ratings of the players, drawn once for each game.
    fn ratings(&self, rng: &mut ChaCha8Rng) -> Ratings {
        self.job
            .plan
            .ratings()
            .map(|range| range.map(|(least, most)| known_rating(rng.random_range(least..=most))))
    }

    /// The report of a found game, with the surprise of all its plies.
    fn judged(&mut self, line: &[Move], mut report: PolicyReport) -> Result<PolicyReport, NetworkError> {
        let Some(critic) = &mut self.critic else { return Ok(report) };
        let mut game = self.job.game();
        for (m, ply) in line.iter().zip(0..) {
            // The surprise of the first plies may be known from when they were played.
            if ply >= report.judged {
                let (moves, human) = critic.human(&game, report.ratings)?;
                let index = moves.iter().position(|other| other == m).expect("games are legal");
                report.surprise -= f64::from(human.logarithms()[index]);
                report.judged += 1;
            }
            game.play(*m);
        }
        Ok(report)
    }
}

/// The attempt after the judge's decision. A game whose last position only seems to satisfy the target has a distance
/// of 1.
fn judged(played: Attempt, task: &Task<'_>) -> Result<Attempt, GenerationError> {
    if played.distance.number() > 0 || task.judge.is_none() {
        return Ok(played);
    }
    let mut game = task.job.game();
    played.line.iter().for_each(|m| game.play(*m));
    let target = &task.job.target;
    if task.seems_done(game.situation()) && task.is_done(game.situation())? {
        return Ok(played);
    }
    Ok(Attempt { distance: Distance::to(target, 1), last_distance: 1, ..played })
}

impl Attempts {
    /// True if `played` came nearer than all earlier attempts, or no earlier one has a move.
    fn is_improved_by(&self, played: &Attempt) -> bool {
        self.best
            .as_ref()
            .is_none_or(|best| played.distance.number() < best.distance.number() || best.begun_with.is_none())
    }
}
