//! Plays one game at a time. Each move is drawn from a cooperative tree search.

use std::slice;

use entente_network::{
    NetworkError,
    encoding::{Distribution, Sampling},
};
use entente_search::{
    Game, Limits, PortableMath as _,
    tree::{Backup, Candidate, Edge, Exploration, Found, Known, NodeEvaluation, NodeEvaluator, Puct},
};
use rand::{Rng, rngs::ChaCha8Rng};
use shakmaty::{Move, Position};

use crate::{
    generation::{
        GenerationError, Job, PuctPlan,
        player::{Attempt, Player, Spent, Task},
        policy::{GoalValues, PolicyReport, PolicyView, Ratings, Reach, Temperatures},
    },
    settings::Priors,
};

/// The memory of a tree, in mebibytes.
const MEMORY: usize = 64;
/// The share of the best child in the value of a node. Both sides choose it, but a single value may be wrong.
const BEST_SHARE: f32 = 0.5;
/// If the network gives no value, a position that is this number of plies or men farther away has a value e times
/// smaller.
const FAR: f32 = 8.0;

/// Evaluates positions for both sides: by the network's probability that the goal is reached in time, and by what is
/// within reach.
struct Helper<'a> {
    view: &'a mut PolicyView,
    reach: &'a Reach,
    job: &'a Job,
    ratings: Ratings,
    priors: Priors,
}

impl NodeEvaluator for Helper<'_> {
    type Error = NetworkError;

    fn evaluate(&mut self, game: &Game, _: u32, _: Limits<'_>) -> Result<NodeEvaluation, NetworkError> {
        let ended = |value| NodeEvaluation::Ended {
            found: Found { value, drawn: 0.0 },
            known: Some(Known { value, plies: 0 }),
        };
        let distance = self.reach.distance(game.situation());
        let left = self.reach.plies_left(self.job, game.moves().len() as u32);
        if distance == 0 {
            return Ok(ended(1.0));
        }
        if distance == u32::MAX || left == 0 || game.is_over() {
            return Ok(ended(0.0));
        }
        let prediction = self.view.predict(game, self.ratings, left, false)?;
        let allowed = self.reach.allowed(game, (&prediction.moves, &prediction.men), 1, &|_| true);
        let mut priors = prediction.goal;
        let count = allowed.iter().filter(|is_allowed| **is_allowed).count();
        if count == 0 {
            return Ok(ended(0.0));
        }
        priors.mask(|index| allowed[index]);
        let edges = (0..allowed.len()).filter(|index| allowed[*index]).map(|index| {
            let prior = match self.priors {
                Priors::Network => priors.probability(index),
                Priors::Uniform => 1.0 / count as f32,
            };
            let expected =
                prediction.goal_values.as_ref().map(|goal_values| goal_values.action_values[index]);
            Edge::new(prediction.moves[index], prior, expected)
        });
        // If the network cannot be shown the goal, only the distance counts.
        let value = match &prediction.goal_values {
            Some(GoalValues { value, .. }) => *value,
            None => (-(distance as f32) / FAR).portable_exp(),
        };
        Ok(NodeEvaluation::Open { found: Found { value, drawn: 0.0 }, edges: edges.collect() })
    }
}

/// Plays games by tree search.
pub(in crate::generation) struct TreePlayer {
    view: PolicyView,
    reach: Reach,
    visits: u64,
    priors: Priors,
    temperatures: Temperatures,
}

impl TreePlayer {
    /// A player with its own session of the network.
    ///
    /// # Errors
    /// [`GenerationError`] if no game reaches the target, or it is too complex.
    pub(super) fn new(job: &Job, plan: &PuctPlan) -> Result<TreePlayer, GenerationError> {
        // Tree search looks ahead itself, so it needs no skill.
        let (view, reach) = (PolicyView::of(job, &plan.policy, false), Reach::of(job)?);
        let temperatures = Temperatures::FAST.overridden(plan.policy.temperatures);
        Ok(TreePlayer { view, reach, visits: plan.visits.into(), priors: plan.priors, temperatures })
    }
}

impl Player for TreePlayer {
    fn attempt(&mut self, task: &Task<'_>, rng: &mut ChaCha8Rng) -> Result<Option<Attempt>, GenerationError> {
        let Task { job, ratings, limits, may_begin, .. } = *task;
        let mut tree =
            Puct::new(MEMORY, Backup::Cooperative { best_share: BEST_SHARE }, Exploration::COOPERATIVE);
        let mut game = job.game();
        loop {
            let distance = self.reach.distance(game.situation());
            let left = self.reach.plies_left(job, game.moves().len() as u32);
            let spent = self.spent().nodes;
            let over = distance == 0 || distance == u32::MAX || left == 0 || game.is_over();
            let begins = game.moves().is_empty();
            let legal = game.position().legal_moves();
            let moves: Vec<Move> = legal.into_iter().filter(|m| !begins || may_begin(*m)).collect();
            if over || moves.is_empty() || limits.forbid(spent, 1) {
                return Ok(Some(Attempt::whole(job, game, distance, PolicyReport::default())));
            }
            let nodes = self.visits.min(limits.nodes.saturating_sub(spent));
            let priors = self.priors;
            let mut helper = Helper { view: &mut self.view, reach: &self.reach, job, ratings, priors };
            let limits = Limits { nodes, ..limits };
            let (candidates, _) =
                tree.search(&game, &moves, slice::from_mut(&mut helper), limits, |progress, _| {
                    // A proved value needs no more visits.
                    progress.known.is_none()
                })?;
            let Some(chosen) = drawn(&candidates, self.temperatures.at(game.age()), rng) else {
                return Ok(Some(Attempt::whole(job, game, distance, PolicyReport::default())));
            };
            game.play(chosen);
        }
    }

    fn spent(&self) -> Spent {
        let evaluations = self.view.evaluations();
        Spent { nodes: evaluations, evaluations }
    }
}

/// Draws a move in proportion to its visits to the power of 1 / `temperature`, among the moves that are proved to reach
/// the goal if there are any, and never one that is proved to miss it. If none was visited, the priors count instead.
/// `None` if all moves are proved to miss the goal.
fn drawn(candidates: &[Candidate], temperature: f32, rng: &mut impl Rng) -> Option<Move> {
    let is_proved =
        |candidate: &Candidate, value: f32| candidate.known.is_some_and(|known| known.value == value);
    let any_reaches = candidates.iter().any(|candidate| is_proved(candidate, 1.0));
    let is_wanted = |candidate: &&Candidate| {
        if any_reaches { is_proved(candidate, 1.0) } else { !is_proved(candidate, 0.0) }
    };
    let candidates: Vec<&Candidate> = candidates.iter().filter(is_wanted).collect();
    let any_visited = candidates.iter().any(|candidate| candidate.visits > 0);
    // Without visits, the logarithm is −∞, which masks the move.
    let weight = |candidate: &&Candidate| {
        if any_visited { candidate.visits as f32 } else { candidate.prior }
    };
    let visited =
        Distribution::new(candidates.iter().map(|candidate| weight(candidate).portable_ln()).collect());
    let index = visited.shaped(Sampling { temperature, top_p: 1.0 }).draw(rng)?;
    Some(candidates[index].moves[0])
}
