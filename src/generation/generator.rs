use std::{
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

use rand::{SeedableRng, rngs::ChaCha8Rng};
use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Move, Position};

use super::{
    Distance, GenerationError, Method,
    game_by_game::ByNegamax,
    goal_policy::{ByPolicy, Report},
};
use crate::{
    constraint::{Situation, Target},
    evaluator::Recipe,
    guide::Guide,
    search::{BestFirst, Effort, Limits, Line, Negamax, NegamaxSettings},
};

/// Everything that decides how positions are generated, but for the evaluator.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The position that proof games start from.
    pub root: Chess,
    /// Plies that were played before it, for conditions on the length of the game.
    pub ply: u32,
    /// What the last position must satisfy.
    pub target: Target,
    /// How moves are chosen.
    pub method: Method,
    /// The longest game, in plies from the root.
    pub max_plies: u32,
    /// What one position may cost.
    pub budget: Budget,
    /// Random plies before a plan of best-first search, at most: they make the games different.
    pub opening_plies: u32,
    /// With the same seed come the same positions.
    pub seed: u64,
}

impl Settings {
    /// The thesis's longest game, in plies.
    pub const DEFAULT_MAX_PLIES: u32 = 101;
    /// The longest game that may be asked for, in plies.
    pub const MOST_MAX_PLIES: u32 = 1000;

    /// The usual settings for games from the initial position, with seed 1.
    pub fn new(target: Target, method: Method) -> Settings {
        Settings {
            root: Chess::default(),
            ply: 0,
            target,
            method,
            max_plies: Settings::DEFAULT_MAX_PLIES,
            budget: Budget::new(&method, None, None),
            opening_plies: Effort::OPENING,
            seed: 1,
        }
    }
}

/// What one position may cost; the first limit reached ends it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget {
    /// Games begun, or searches of the root, before giving up, at least 1.
    pub attempts: u32,
    /// Positions searched, over all attempts.
    pub nodes: Option<u64>,
    /// Time, over all attempts. Results then depend on the machine's speed.
    pub time: Option<Duration>,
}

impl Budget {
    /// Games begun for a position, at most, unless the search is as published.
    pub const ATTEMPTS: u32 = 20;

    /// Best-first searches for a position, at most: some nine million positions.
    pub const SEARCHES: u32 = 127;

    /// The usual number of attempts and the given limits. The thesis never retried; best-first search, whose attempts
    /// grow, goes on as long as a limit that is given allows.
    pub fn new(method: &Method, nodes: Option<u64>, time: Option<Duration>) -> Budget {
        let attempts = match method {
            Method::Negamax(NegamaxSettings { faithful: true, .. }) => 1,
            Method::BestFirst if nodes.is_some() || time.is_some() => u32::MAX,
            Method::BestFirst => Budget::SEARCHES,
            _ => Budget::ATTEMPTS,
        };
        Budget { attempts, nodes, time }
    }
}

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
    /// How the policy played it, if it did.
    pub report: Option<Report>,
    /// Time taken.
    pub time: Duration,
}

/// Generates positions for one target; every thread has its own.
pub struct Generator {
    settings: Settings,
    player: Player,
}

/// What chooses the moves.
enum Player {
    Negamax(Box<ByNegamax>),
    BestFirst(Box<BestFirst>),
    Policy(Box<ByPolicy>),
}

impl Generator {
    /// A generator with its own evaluator, or guide.
    ///
    /// # Errors
    /// [`GenerationError`] if the network cannot see the target's conditions, the method cannot be led by them, or
    /// they are proved impossible.
    pub fn new(settings: Settings, recipe: &Recipe) -> Result<Generator, GenerationError> {
        let player = match settings.method {
            Method::Negamax(search) => {
                let Some(goal) = settings.target.goal.clone() else {
                    return Err(GenerationError::not_counted(&settings.target));
                };
                let negamax = Negamax::new(goal.clone(), recipe.build(&goal)?, search);
                Player::Negamax(Box::new(ByNegamax { goal, search, negamax }))
            }
            Method::BestFirst => {
                let start = Situation { position: &settings.root, ply: settings.ply };
                Player::BestFirst(Box::new(BestFirst::new(Guide::new(&settings.target, start)?)))
            }
            Method::GoalPolicy(policy_settings) => {
                let start = Situation { position: &settings.root, ply: settings.ply };
                let Recipe::Policy(policy) = recipe else { return Err(GenerationError::NoPolicy) };
                Player::Policy(Box::new(ByPolicy::new(policy, &settings.target, start, policy_settings)?))
            }
        };
        Ok(Generator { settings, player })
    }

    /// Generates position `index` of the run: attempts until one succeeds or the budget is spent.
    ///
    /// The result depends on settings, seed and index alone, unless time is limited or `stop` is set.
    ///
    /// # Errors
    /// [`GenerationError::Network`] if the network cannot value a position that the search met.
    pub fn generate(&mut self, index: u64, stop: &AtomicBool) -> Result<Generation, GenerationError> {
        self.generate_within(index, Limits::until(stop), |_| true)
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
        may_begin: impl Fn(Move) -> bool,
    ) -> Result<Generation, GenerationError> {
        let start = Instant::now();
        let mut rng = ChaCha8Rng::seed_from_u64(self.settings.seed);
        rng.set_stream(index);
        let budget = self.settings.budget;
        let (nodes, evaluations) = self.player.counters();
        let limits = Limits {
            nodes: nodes.saturating_add(limits.nodes.min(budget.nodes.unwrap_or(u64::MAX))),
            deadline: budget.time.and_then(|limit| start.checked_add(limit)).or(limits.deadline),
            ..limits
        };
        let mut report = None;
        let attempts = match &mut self.player {
            Player::Policy(player) => {
                let (attempts, played) = player.play(&self.settings, &mut rng, limits, &may_begin)?;
                report = Some(played);
                attempts
            }
            Player::Negamax(player) => player.play(&self.settings, &mut rng, limits, &may_begin)?,
            Player::BestFirst(search) => plan(search, &self.settings, &mut rng, limits, &may_begin),
        };

        let Attempts { begun, first_distance, line, distance, value, begun_with } = attempts;
        let mut position = self.settings.root.clone();
        line.iter().for_each(|&m| position.play_unchecked(m));
        let (nodes_now, evaluations_now) = self.player.counters();
        let found = distance.number() == 0;
        Ok(Generation {
            index,
            outcome: if found { Outcome::Found } else { Outcome::Undetermined },
            moves: line,
            begun_with,
            position,
            distance,
            value: if found { 1.0 } else { value },
            attempts: begun,
            first_attempt_distance: first_distance,
            nodes: nodes_now - nodes,
            evaluations: evaluations_now - evaluations,
            report,
            time: start.elapsed(),
        })
    }
}

impl Player {
    /// Positions searched and evaluated so far.
    fn counters(&self) -> (u64, u64) {
        match self {
            Player::Negamax(player) => (player.negamax.nodes, player.negamax.evaluations),
            Player::BestFirst(search) => (search.nodes, search.nodes),
            Player::Policy(player) => player.counters(),
        }
    }
}

/// What came of all attempts.
pub(super) struct Attempts {
    pub begun: u32,
    pub first_distance: u32,
    /// The game to the closest position met.
    pub line: Vec<Move>,
    pub distance: Distance,
    pub value: f32,
    /// The first move of the game that the line is taken from.
    pub begun_with: Option<Move>,
}

/// Searches of the root, each with a budget of its own, until one finds a game.
pub(super) fn plan(
    search: &mut BestFirst,
    settings: &Settings,
    rng: &mut ChaCha8Rng,
    limits: Limits<'_>,
    may_begin: &impl Fn(Move) -> bool,
) -> Attempts {
    let root = Situation { position: &settings.root, ply: settings.ply };
    let mut begun = 0;
    let mut first_distance = 0;
    let mut nearest: Option<Line> = None;
    while begun < settings.budget.attempts.max(1) {
        let effort = Effort::of_attempt(begun);
        let effort = Effort { opening: effort.opening.min(settings.opening_plies), ..effort };
        let line = search.search(root, effort, settings.max_plies, may_begin, rng, limits);
        begun += 1;
        if begun == 1 {
            first_distance = line.distance;
        }
        if nearest.as_ref().is_none_or(|nearest| line.distance < nearest.distance) {
            nearest = Some(line);
        }
        let found = nearest.as_ref().is_some_and(|nearest| nearest.distance == 0);
        if found || search.is_exhausted() || limits.forbid(search.nodes, 1) {
            break;
        }
    }
    let Line { moves, distance } = nearest.expect("at least one attempt is made");
    Attempts {
        begun,
        first_distance,
        begun_with: moves.first().copied(),
        line: moves,
        distance: Distance::Plies(distance),
        value: 0.0,
    }
}
