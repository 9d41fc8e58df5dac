use std::{
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

use rand::{SeedableRng, rngs::ChaCha8Rng};
use shakmaty::{Chess, Move, Position};

use crate::{
    constraint::Goal,
    evaluator::{NetworkError, Recipe},
    search::{Game, Limits, Negamax, NegamaxSettings},
};

/// Everything that decides how positions are generated, but for the evaluator.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The position that proof games start from.
    pub root: Chess,
    /// What the last position must satisfy.
    pub goal: Goal,
    /// How moves are chosen.
    pub search: NegamaxSettings,
    /// The longest game, in plies from the root.
    pub max_plies: u32,
    /// What one position may cost.
    pub budget: Budget,
    /// With the same seed come the same positions.
    pub seed: u64,
}

impl Settings {
    /// The thesis's longest game, in plies.
    pub const DEFAULT_MAX_PLIES: u32 = 101;
    /// The longest game that may be asked for, in plies.
    pub const MOST_MAX_PLIES: u32 = 1000;
}

/// What one position may cost; the first limit reached ends it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget {
    /// Games begun before giving up, at least 1.
    pub attempts: u32,
    /// Positions searched, over all attempts.
    pub nodes: Option<u64>,
    /// Time, over all attempts. Results then depend on the machine's speed.
    pub time: Option<Duration>,
}

impl Budget {
    /// Games begun for a position, at most, unless the search is as published.
    pub const ATTEMPTS: u32 = 20;

    /// The usual number of attempts, one if `faithful` (the thesis never retried), and the given limits.
    pub fn new(faithful: bool, nodes: Option<u64>, time: Option<Duration>) -> Budget {
        Budget { attempts: if faithful { 1 } else { Budget::ATTEMPTS }, nodes, time }
    }
}

/// How a generation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The last position satisfies the constraint.
    Found,
    /// The budget was spent, or the generation stopped; the closest position met is given.
    Undetermined,
}

/// One generated position with its proof game.
#[derive(Clone, Debug)]
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
    /// Men too many or too few in that position.
    pub distance: u32,
    /// The satisfaction value of the choice that led there, in [0, 1]; 1 where found.
    pub value: f32,
    /// Games begun.
    pub attempts: u32,
    /// Men too many or too few at the end of the first attempt; 0 if it succeeded.
    pub first_attempt_distance: u32,
    /// Positions searched, over all attempts.
    pub nodes: u64,
    /// Positions given to the evaluator, over all attempts.
    pub evaluations: u64,
    /// Time taken.
    pub time: Duration,
}

/// Plays cooperative games toward one goal; every thread has its own.
pub struct Generator {
    settings: Settings,
    negamax: Negamax,
}

impl Generator {
    /// A generator with its own evaluator.
    ///
    /// # Errors
    /// [`NetworkError`] if the network cannot see the goal's conditions.
    pub fn new(settings: Settings, recipe: &Recipe) -> Result<Generator, NetworkError> {
        let evaluator = recipe.build(&settings.goal)?;
        let negamax = Negamax::new(settings.goal.clone(), evaluator, settings.search);
        Ok(Generator { settings, negamax })
    }

    /// Generates position `index` of the run: attempts until one succeeds or the budget is spent.
    ///
    /// The result depends on settings, seed and index alone, unless time is limited or `stop` is set.
    ///
    /// # Errors
    /// [`NetworkError`] if the network cannot value a position that the search met.
    pub fn generate(&mut self, index: u64, stop: &AtomicBool) -> Result<Generation, NetworkError> {
        self.generate_within(index, Limits::until(stop), |_| true)
    }

    /// As [`Generator::generate`], with games that begin with a move that `may_begin` allows. Of `limits`, the nodes
    /// are those of this position.
    ///
    /// # Errors
    /// [`NetworkError`] if the network cannot value a position that the search met.
    pub fn generate_within(
        &mut self,
        index: u64,
        limits: Limits<'_>,
        may_begin: impl Fn(Move) -> bool,
    ) -> Result<Generation, NetworkError> {
        let start = Instant::now();
        let (nodes, evaluations) = (self.negamax.nodes, self.negamax.evaluations);
        let mut rng = ChaCha8Rng::seed_from_u64(self.settings.seed);
        rng.set_stream(index);

        self.negamax.forget();
        let budget = self.settings.budget;
        let limits = Limits {
            nodes: nodes.saturating_add(limits.nodes.min(budget.nodes.unwrap_or(u64::MAX))),
            deadline: budget.time.and_then(|limit| start.checked_add(limit)).or(limits.deadline),
            ..limits
        };

        let mut closest: Option<Attempt> = None;
        let mut first_attempt_distance = 0;
        let mut attempts = 0;
        while attempts < budget.attempts.max(1) {
            let attempt = self.attempt(&mut rng, limits, &may_begin)?;
            attempts += 1;
            if attempts == 1 {
                first_attempt_distance = attempt.final_distance;
            }
            // Where nothing can be played at all, chance makes no difference.
            let stuck = attempt.game.moves().is_empty();
            if closest.as_ref().is_none_or(|closest| attempt.distance < closest.distance) {
                closest = Some(attempt);
            }
            let satisfied = closest.as_ref().is_some_and(|closest| closest.distance == 0);
            if satisfied || stuck || self.negamax.was_cut() || limits.forbid(self.negamax.nodes, 1) {
                break;
            }
        }

        let Attempt { game, plies, distance, value, .. } = closest.expect("at least one attempt is made");
        let begun_with = game.moves().first().copied();
        let (mut moves, mut position) = game.into_parts();
        if plies < moves.len() {
            moves.truncate(plies);
            position = self.settings.root.clone();
            moves.iter().for_each(|&m| position.play_unchecked(m));
        }
        Ok(Generation {
            index,
            outcome: if distance == 0 { Outcome::Found } else { Outcome::Undetermined },
            moves,
            begun_with,
            position,
            distance,
            value: if distance == 0 { 1.0 } else { value },
            attempts,
            first_attempt_distance,
            nodes: self.negamax.nodes - nodes,
            evaluations: self.negamax.evaluations - evaluations,
            time: start.elapsed(),
        })
    }

    fn attempt(
        &mut self,
        rng: &mut ChaCha8Rng,
        limits: Limits<'_>,
        may_begin: &impl Fn(Move) -> bool,
    ) -> Result<Attempt, NetworkError> {
        let Settings { root, goal, search, max_plies, .. } = &self.settings;
        let mut attempt = Attempt {
            game: Game::new(root.clone()),
            final_distance: goal.distance(root),
            distance: goal.distance(root),
            plies: 0,
            value: 0.0,
        };
        let mut over = attempt.game.is_over();
        while !over
            && attempt.distance > 0
            && attempt.game.moves().len() < *max_plies as usize
            && !limits.forbid(self.negamax.nodes, 1)
        {
            let game = &attempt.game;
            let fails = |m| game.ends_with(m) && !goal.is_satisfied_after(game.position(), m);
            // As published, a move that ends the game ends it; otherwise another one is drawn.
            let begins = game.moves().is_empty();
            let playable = |m| (search.faithful || !fails(m)) && (!begins || may_begin(m));
            let Some(choice) = self.negamax.choose(game.position(), playable, rng, limits)? else { break };
            over = search.faithful && fails(choice.m);
            attempt.game.play(choice.m);
            attempt.final_distance = goal.distance(attempt.game.position());
            if attempt.final_distance < attempt.distance {
                attempt.distance = attempt.final_distance;
                attempt.plies = attempt.game.moves().len();
                attempt.value = choice.value;
            }
        }
        Ok(attempt)
    }
}

/// One game, ended for whatever reason.
struct Attempt {
    game: Game,
    /// Men too many or too few where it ended.
    final_distance: u32,
    /// Men too many or too few in its closest position, the first of several.
    distance: u32,
    /// Where that stands.
    plies: usize,
    /// The satisfaction value of the choice that led there.
    value: f32,
}
