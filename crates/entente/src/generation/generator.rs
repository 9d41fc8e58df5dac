use std::{
    cell::RefCell,
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

use entente_constraint::Situation;
use entente_network::NetworkError;
use entente_search::{Game, Limits};
use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};
use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Move, Position};

use super::{
    Distance, GenerationError, Job, known_rating,
    player::{Attempt, Spent, Task},
    players::{Stage, stages},
    policy::{Delivery, PolicyReport, PolicyView, Ratings},
};
use crate::judge::Judge;

/// How a generation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// The last position satisfies the constraint.
    Found,
    /// The budget was spent, or the generation stopped; the closest position met is given.
    Undetermined,
}

/// One generated position with its proof game.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Generation {
    /// Which position of the run this is, from 0; with the seed it decides everything.
    pub index: u64,
    /// How it ended.
    pub outcome: Outcome,
    /// The game from the root to [`Generation::position`].
    pub moves: Vec<Move>,
    /// The first move of the game that this is taken from, even where all its moves led away.
    pub begun_with: Option<Move>,
    /// The position that satisfies, or the closest one met.
    pub position: Chess,
    /// How far that position is from the constraint.
    pub distance: Distance,
    /// The satisfaction value of the choice that led there, in [0, 1]; 1 where found.
    pub value: f32,
    /// Games begun, or searches of the root.
    pub attempts: u32,
    /// The distance at the end of the first attempt; 0 if it succeeded.
    pub first_attempt_distance: u32,
    /// Positions searched, over all attempts.
    pub nodes: u64,
    /// Positions given to the evaluator, over all attempts.
    pub evaluations: u64,
    /// What the position is worth to White, in centipawns, if the constraint made a judge say so.
    pub centipawns: Option<i32>,
    /// How the policy played it, if it did.
    pub report: Option<PolicyReport>,
    /// Time taken.
    pub time: Duration,
}

impl Generation {
    /// A game from `root` whose last position is so far from the constraint: found if it is there. Nothing is known of
    /// attempts and costs.
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
            report: None,
            time: Duration::ZERO,
        }
    }
}

/// Generates positions for one job; every thread has its own.
pub struct Generator {
    job: Job,
    stages: Vec<Stage>,
    /// Judges what the rules of chess do not decide, if the target demands it.
    judge: Option<RefCell<Judge>>,
    /// Says how surprising a game's moves are, where a policy plays.
    critic: Option<PolicyView>,
}

/// The attempts at one position.
struct Attempts {
    begun: u32,
    /// The distance at the end of the first one.
    first_distance: Option<u32>,
    /// The nearest that any came.
    best: Option<Attempt>,
    /// Who found it, if it was found.
    found_by: Option<Delivery>,
}

impl Generator {
    /// A generator with its own players.
    ///
    /// # Errors
    /// [`GenerationError`] if the network cannot see the target's conditions, the method cannot be led by them, they are
    /// proved impossible, or the judge that the settings name cannot be asked.
    pub(crate) fn new(job: Job) -> Result<Generator, GenerationError> {
        let stages = stages(&job)?;
        let critic = job.plan.policy().map(|policy| PolicyView::of(&job, policy, job.plan.is_skilled()));
        let judge = Judge::new(&job.target.constraint, &job.judge)?.map(RefCell::new);
        Ok(Generator { job, stages, judge, critic })
    }

    /// Generates position `index` of the run: attempts until one succeeds or the budget is spent.
    ///
    /// The result depends on job and index alone, unless time is limited or `stop` is set.
    ///
    /// # Errors
    /// [`GenerationError::Network`] if the network cannot value a position that the search met.
    pub fn generate(&mut self, index: u64, stop: &AtomicBool) -> Result<Generation, GenerationError> {
        self.generate_within(index, Limits::until(stop), &|_| true)
    }

    /// As [`Generator::generate`], with games that begin with a move that `may_begin` allows. Of `limits`, the nodes
    /// are those of this position.
    ///
    /// # Errors
    /// [`GenerationError::Network`] if the network cannot value a position that the search met.
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
            // What holds already was played by nobody.
            (Some(_), Some(_)) if line.is_empty() => Some(PolicyReport::default()),
            (Some(_), Some(by)) => {
                // What search played for the most part it has found, whoever began the game.
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
            report,
            time: start.elapsed(),
        })
    }

    /// The one loop of attempts: stage after stage, until one succeeds or the budget is spent. The nodes of `limits` are
    /// those of this position.
    fn attempts(
        &mut self,
        ratings: Ratings,
        limits: Limits<'_>,
        may_begin: &dyn Fn(Move) -> bool,
        rng: &mut ChaCha8Rng,
    ) -> Result<Attempts, GenerationError> {
        let mut attempts = Attempts { begun: 0, first_distance: None, best: None, found_by: None };
        let root = Situation { position: &self.job.root, ply: self.job.first_ply };
        if self.is_done_at(root, limits)? {
            let found_by = self.stages.first().map(|stage| stage.delivery);
            return Ok(Attempts { begun: 1, found_by, ..attempts });
        }
        let before = self.spent().nodes;
        self.stages.iter_mut().for_each(|stage| stage.player.forget());
        for place in 0..self.stages.len() {
            let Stage { attempts: most, delivery, is_last_resort, .. } = self.stages[place];
            for number in 0..most {
                let spent = self.spent().nodes - before;
                let is_late = limits.forbid(spent, 1)
                    || !is_last_resort && attempts.begun >= self.job.budget.attempts.max(1);
                if attempts.begun > 0 && is_late {
                    break;
                }
                let player = &mut self.stages[place].player;
                // Each player counts its own.
                let nodes = player.spent().nodes.saturating_add(limits.nodes.saturating_sub(spent));
                let limits = Limits { nodes, ..limits };
                let judge = self.judge.as_ref();
                let task = Task { job: &self.job, ratings, number, limits, judge, may_begin };
                let Some(played) = player.attempt(&task, rng)? else { break };
                let played = judged(played, &task)?;
                attempts.begun += 1;
                attempts.first_distance.get_or_insert(played.last_distance);
                let (found, is_final) = (played.distance.number() == 0, played.is_final);
                if attempts.is_improved_by(&played) && (found || !is_last_resort) {
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

    /// True if the target holds before any move.
    fn is_done_at(&self, root: Situation<'_>, limits: Limits<'_>) -> Result<bool, GenerationError> {
        let target = &self.job.target;
        Ok(target.is_satisfied(root)
            && match &self.judge {
                Some(judge) => judge.borrow_mut().rules(&target.constraint, root, limits)?,
                None => true,
            })
    }

    /// What stands for a game where none was played.
    fn nothing(&self) -> Attempt {
        let game = Game::begun_after(self.job.first_ply, self.job.root.clone());
        let distance = Distance::of(&self.job.target, game.situation()).map_or(u32::MAX, Distance::number);
        Attempt::whole(&self.job, game, distance, PolicyReport::default())
    }

    /// Positions searched and evaluated so far. What a last resort searches it does not evaluate for the policy.
    fn spent(&self) -> Spent {
        let judged = self.critic.as_ref().map_or(0, PolicyView::evaluations);
        let start = Spent { nodes: judged, evaluations: judged };
        self.stages.iter().fold(start, |sum, stage| {
            let Spent { nodes, evaluations } = stage.player.spent();
            let evaluations = if stage.is_last_resort { 0 } else { evaluations };
            Spent { nodes: sum.nodes + nodes, evaluations: sum.evaluations + evaluations }
        })
    }

    /// Who plays: ratings are drawn once a game.
    fn ratings(&self, rng: &mut ChaCha8Rng) -> Ratings {
        self.job
            .plan
            .ratings()
            .map(|range| range.map(|(least, most)| known_rating(rng.random_range(least..=most))))
    }

    /// The report of a game that was found, with the surprise of all its plies.
    fn judged(&mut self, line: &[Move], mut report: PolicyReport) -> Result<PolicyReport, NetworkError> {
        let Some(critic) = &mut self.critic else { return Ok(report) };
        let mut game = Game::begun_after(self.job.first_ply, self.job.root.clone());
        for (m, ply) in line.iter().zip(0..) {
            // The first plies may be judged already, as they were played.
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

/// An attempt by the word of the judge: a game whose last position only seems to satisfy the target has not come there.
fn judged(played: Attempt, task: &Task<'_>) -> Result<Attempt, GenerationError> {
    if played.distance.number() > 0 || task.judge.is_none() {
        return Ok(played);
    }
    let mut game = Game::begun_after(task.job.first_ply, task.job.root.clone());
    played.line.iter().for_each(|m| game.play(*m));
    let target = &task.job.target;
    if task.seems_done(game.situation()) && task.is_done(game.situation())? {
        return Ok(played);
    }
    Ok(Attempt { distance: Distance::to(target, 1), last_distance: 1, ..played })
}

impl Attempts {
    /// True if `played` came nearer than any before, or no game was begun before.
    fn is_improved_by(&self, played: &Attempt) -> bool {
        self.best
            .as_ref()
            .is_none_or(|best| played.distance.number() < best.distance.number() || best.begun_with.is_none())
    }
}
