//! Cooperative negamax, move by move.

use entente_constraint::Goal;
use entente_search::Negamax;
use rand::rngs::ChaCha8Rng;

use crate::{
    generation::{
        Distance, GenerationError, Job, NegamaxPlan,
        player::{Attempt, Player, Spent, Task},
        policy::PolicyReport,
    },
    satisfaction::ModelEvaluator,
};

/// Plays by cooperative negamax.
pub(in crate::generation) struct NegamaxPlayer {
    goal: Goal,
    negamax: Negamax<ModelEvaluator>,
    faithful: bool,
}

impl NegamaxPlayer {
    /// A player with its own evaluator.
    ///
    /// # Errors
    /// [`GenerationError`] if the target has conditions other than numbers of men, or the input of the network cannot
    /// represent them.
    pub(super) fn new(job: &Job, plan: &NegamaxPlan) -> Result<NegamaxPlayer, GenerationError> {
        let Some(goal) = job.target.goal.clone() else {
            return Err(GenerationError::not_counted(&job.target));
        };
        let negamax = Negamax::new(goal.clone(), plan.model.evaluator(&goal)?, plan.search);
        Ok(NegamaxPlayer { goal, negamax, faithful: plan.search.faithful })
    }
}

impl Player for NegamaxPlayer {
    fn attempt(&mut self, task: &Task<'_>, rng: &mut ChaCha8Rng) -> Result<Option<Attempt>, GenerationError> {
        let Task { job, limits, may_begin, .. } = task;
        let goal = &self.goal;
        let mut game = job.game();
        let mut last_distance = goal.distance(&job.root);
        // The nearest position, and the first of several.
        let (mut distance, mut plies, mut value) = (last_distance, 0, 0.0);
        let mut over = game.is_over();
        while !over
            && distance > 0
            && game.moves().len() < job.max_plies as usize
            && !limits.forbid(self.negamax.nodes, 1)
        {
            let fails = |m| game.ends_with(m) && !goal.is_satisfied_after(game.position(), m);
            // In the published algorithm, such a move ends the game; otherwise another one is drawn.
            let begins = game.moves().is_empty();
            let playable = |m| (self.faithful || !fails(m)) && (!begins || may_begin(m));
            let Some(choice) = self.negamax.choose(game.position(), playable, rng, *limits)? else { break };
            over = self.faithful && fails(choice.m);
            game.play(choice.m);
            last_distance = goal.distance(game.position());
            if last_distance < distance {
                (distance, plies, value) = (last_distance, game.moves().len(), choice.value);
            }
        }
        let begun_with = game.moves().first().copied();
        let (mut line, _) = game.into_parts();
        line.truncate(plies);
        Ok(Some(Attempt {
            line,
            distance: Distance::Men(distance),
            last_distance,
            value,
            begun_with,
            report: PolicyReport::default(),
            // If nothing can be played at all, another attempt makes no difference.
            is_final: begun_with.is_none() || self.negamax.was_cut(),
        }))
    }

    fn spent(&self) -> Spent {
        Spent { nodes: self.negamax.nodes, evaluations: self.negamax.evaluations }
    }

    fn forget(&mut self) {
        self.negamax.forget();
    }
}
