//! Plays one game at a time. Each move is chosen by random playouts toward the goal.

use entente_constraint::Goal;
use entente_network::NetworkError;
use entente_search::{
    Limits, SearchRequest,
    rollout::{PlayoutEvaluator, Rollout},
    satisfaction::SatisfactionEvaluator as _,
};
use rand::{RngExt, rngs::ChaCha8Rng};
use shakmaty::{Chess, Move, Position};

use crate::{
    generation::{
        Distance, GenerationError, Job, RolloutPlan,
        player::{Attempt, Player, Spent, Task},
        policy::PolicyReport,
    },
    satisfaction::ModelEvaluator,
};

/// The maximum value of a position that does not satisfy the goal. One that does has the value 1.
const NEARLY: f64 = 0.99;

/// Evaluates the ends of playouts for the goal.
struct Helper {
    goal: Goal,
    evaluator: ModelEvaluator,
    evaluations: u64,
}

impl PlayoutEvaluator for Helper {
    type Error = NetworkError;

    fn value(&mut self, position: &Chess, is_over: bool) -> Result<f64, NetworkError> {
        if self.is_reached(position) {
            return Ok(1.0);
        }
        if is_over {
            return Ok(0.0);
        }
        self.evaluations += 1;
        Ok(NEARLY * f64::from(self.evaluator.evaluate(position)?))
    }

    fn is_reached(&mut self, position: &Chess) -> bool {
        self.goal.distance(position) == 0
    }
}

/// Plays games by playouts.
pub(in crate::generation) struct RolloutPlayer {
    goal: Goal,
    rollout: Rollout<Helper>,
    playouts: u64,
    nodes: u64,
}

impl RolloutPlayer {
    /// A player with its own evaluator.
    ///
    /// # Errors
    /// [`GenerationError`] if the target has conditions other than numbers of men, or the input of the network cannot
    /// represent them.
    pub(super) fn new(job: &Job, plan: &RolloutPlan) -> Result<RolloutPlayer, GenerationError> {
        let Some(goal) = job.target.goal.clone() else {
            return Err(GenerationError::not_counted(&job.target));
        };
        let evaluator = plan.model.evaluator(&goal)?;
        let helper = Helper { goal: goal.clone(), evaluator, evaluations: 0 };
        let playouts = plan.search.playouts;
        Ok(RolloutPlayer { goal, rollout: Rollout::new(plan.search, vec![helper]), playouts, nodes: 0 })
    }
}

impl Player for RolloutPlayer {
    fn attempt(&mut self, task: &Task<'_>, rng: &mut ChaCha8Rng) -> Result<Option<Attempt>, GenerationError> {
        let Task { job, limits, may_begin, .. } = *task;
        let mut game = job.game();
        let mut last_distance = self.goal.distance(&job.root);
        // The nearest position, and the first of several.
        let (mut distance, mut plies, mut value) = (last_distance, 0, 0.0);
        while distance > 0
            && game.moves().len() < job.max_plies as usize
            && !game.is_over()
            && !limits.forbid(self.nodes, 1)
        {
            let position = game.position();
            let begins = game.moves().is_empty();
            let fails = |m| game.ends_with(m) && !self.goal.is_satisfied_after(position, m);
            let moves: Vec<Move> = position
                .legal_moves()
                .into_iter()
                .filter(|m| !fails(*m) && (!begins || may_begin(*m)))
                .collect();
            if moves.is_empty() {
                break;
            }
            let request = SearchRequest::best_of(moves);
            let nodes = self.playouts.min(limits.nodes.saturating_sub(self.nodes));
            let mut spent = 0;
            let lines = self.rollout.search(
                &game,
                &request,
                Limits { nodes, ..limits },
                rng.random(),
                &mut |report| spent = report.nodes,
            )?;
            self.nodes += spent;
            game.play(lines[0].moves[0]);
            last_distance = self.goal.distance(game.position());
            if last_distance < distance {
                let best = lines[0].chances[0] as f32 / 1000.0;
                (distance, plies, value) = (last_distance, game.moves().len(), best);
            }
        }
        let begun_with = game.moves().first().copied();
        let (mut line, _) = game.into_parts();
        line.truncate(plies);
        Ok(Some(Attempt {
            line,
            distance: Distance::Men(distance),
            last_distance,
            value: if distance == 0 { 1.0 } else { value },
            begun_with,
            report: PolicyReport::default(),
            is_final: begun_with.is_none(),
        }))
    }

    fn spent(&self) -> Spent {
        Spent {
            nodes: self.nodes,
            evaluations: self.rollout.evaluators().iter().map(|evaluator| evaluator.evaluations).sum(),
        }
    }
}
