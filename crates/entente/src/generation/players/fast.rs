//! Plays one game at a time. Moves are drawn from the goal policy and kept within reach, and search finishes the game.

use entente_network::encoding::{Distribution, Sampling};
use entente_search::{Game, PortableMath as _};
use rand::rngs::ChaCha8Rng;

use super::finisher::{Finished, Finisher};
use crate::generation::{
    FastPlan, GenerationError, GoalPolicyPlan, Job,
    player::{Attempt, Player, Spent, Task},
    policy::{GoalPrediction, GoalValues, PolicyReport, PolicyView, Reach, Temperatures},
};

/// The maximum difference between a logit with and without the goal that guidance adds again.
const MAX_GUIDANCE: f32 = 4.0;
/// Lower probabilities count as this one.
const MIN_CHANCE: f32 = 1e-3;
/// Search takes over when only this number of plies is left in addition to those that the distance may need,
const FINISH: u32 = 16;
/// but at most 1/4 of all plies. Otherwise search would play the whole of a short game.
const SHARE_TO_FINISH: u32 = 4;
/// The tilt begins when this many times the plies are left at which search takes over.
const TILT: f32 = 2.0;

/// Plays games one by one.
pub(in crate::generation) struct FastPlayer {
    view: PolicyView,
    reach: Reach,
    finisher: Finisher,
    plan: FastPlan,
    temperatures: Temperatures,
}

impl FastPlayer {
    /// A player with its own session of the network.
    ///
    /// # Errors
    /// [`GenerationError`] if no game reaches the target, or it is too complex.
    pub(super) fn new(job: &Job, plan: &GoalPolicyPlan) -> Result<FastPlayer, GenerationError> {
        let (view, reach) = (PolicyView::of_humans(job, &plan.policy, plan.skill), Reach::of(job)?);
        let temperatures = Temperatures::FAST.overridden(plan.policy.temperatures);
        let finisher = Finisher::new(reach.guide().clone());
        Ok(FastPlayer { view, reach, finisher, plan: plan.fast, temperatures })
    }

    /// Finishes a game by search, with at most `left` more plies. `reports[n]` is the report of the game after `n`
    /// plies.
    fn finish(
        &mut self,
        task: &Task<'_>,
        game: &Game,
        left: u32,
        reports: &[PolicyReport],
        rng: &mut ChaCha8Rng,
    ) -> Attempt {
        // The search counts only its own positions.
        let task = task.without(self.view.evaluations());
        let Finished { game, searched, distance } = self.finisher.finish_or_take_back(&task, game, left, rng);
        // The judge decides later.
        let distance = if distance == 0 { 0 } else { self.reach.distance(game.situation()) };
        let played = game.moves().len() - searched as usize;
        let report = PolicyReport { finished: searched, ..reports[played] };
        Attempt::whole(task.job, game, distance, report)
    }
}

impl Player for FastPlayer {
    fn attempt(&mut self, task: &Task<'_>, rng: &mut ChaCha8Rng) -> Result<Option<Attempt>, GenerationError> {
        let Task { job, ratings, limits, may_begin, .. } = *task;
        let FastPlan { guidance, mask, tilt, finish: finishes } = self.plan;
        let mut game = job.game();
        // One report for each number of plies played.
        let mut reports = vec![PolicyReport::default()];
        let all = self.reach.plies_left(job, 0);
        loop {
            let mut report = reports[game.moves().len()];
            let (mut distance, work) = self.reach.distance_and_work(game.situation());
            // Without a judge, the distance decides.
            let may_be_done = task.judge.is_some() && distance > 0 && task.seems_done(game.situation());
            if may_be_done && task.is_done(game.situation())? {
                distance = 0;
            }
            let left = self.reach.plies_left(job, game.moves().len() as u32);
            // Without a mask, the constraint may get out of reach.
            let over = distance == 0 || distance == u32::MAX || left == 0 || game.is_over();
            if over || limits.forbid(self.spent().nodes, 1) {
                return Ok(Some(Attempt::whole(job, game, distance, report)));
            }
            // If the game only needs to be longer, the policy continues it.
            let finish = work.saturating_add(FINISH.min(all / SHARE_TO_FINISH));
            if finishes && work > 0 && left <= finish {
                return Ok(Some(self.finish(task, &game, left, &reports, rng)));
            }
            let prediction = self.view.predict_until(&game, ratings, left, guidance != 0.0, limits)?;
            let Some(prediction) = prediction else {
                return Ok(Some(Attempt::whole(job, game, distance, report)));
            };
            let mut chances = guided(&prediction, guidance);
            if let Some(gains) = self.reach.gains(&game, &prediction.moves) {
                chances.add(|index| gains[index]);
            }
            let allowed = self.reach.allowed(&game, (&prediction.moves, &prediction.men), mask, may_begin);
            report.masked += f64::from(chances.mask(|index| allowed[index]));
            let near = TILT * finish as f32;
            if let Some(GoalValues { action_values, .. }) = &prediction.goal_values
                && tilt > 0.0
                && (left as f32) < near
            {
                let progress = (near - left as f32) / (near - finish as f32);
                let weight = tilt * progress.min(1.0);
                chances.add(|index| weight * action_values[index].max(MIN_CHANCE).portable_ln());
                report.tilted += 1;
            }
            let sampling = Sampling { temperature: self.temperatures.at(game.age()), top_p: 1.0 };
            let Some(index) = chances.shaped(sampling).draw(rng).filter(|index| allowed[*index]) else {
                // Every move ends the game, usually by repetition, or leads out of reach. Early in a game, a new game
                // is better than one that search would mostly play. If only the judge refuses the position, search
                // cannot help.
                let is_late = left <= game.moves().len() as u32;
                let finishes = finishes && is_late && !self.reach.is_satisfied(game.situation());
                if finishes {
                    return Ok(Some(self.finish(task, &game, left, &reports, rng)));
                }
                return Ok(Some(Attempt::whole(job, game, distance, report)));
            };
            if let Some(human) = &prediction.human {
                report.surprise -= f64::from(human.logarithms()[index]);
                report.judged += 1;
            }
            game.play(prediction.moves[index]);
            reports.push(report);
        }
    }

    fn spent(&self) -> Spent {
        let evaluations = self.view.evaluations();
        Spent { nodes: evaluations + self.finisher.nodes(), evaluations }
    }
}

/// The goal policy, moved further away from the policy without a goal. With a guidance of −1, it is the policy without
/// a goal.
fn guided(prediction: &GoalPrediction, guidance: f32) -> Distribution {
    let mut chances = prediction.goal.clone();
    if let Some(human) = &prediction.human {
        // A negative guidance takes away the whole difference.
        let most = if guidance > 0.0 { MAX_GUIDANCE } else { f32::INFINITY };
        chances.add(|index| {
            let (with, without) = (prediction.goal.logarithms()[index], human.logarithms()[index]);
            let difference = (with - without).clamp(-most, most);
            if difference.is_nan() { 0.0 } else { guidance * difference }
        });
    }
    chances
}

#[cfg(test)]
mod tests {
    use entente_constraint::Men;
    use shakmaty::{Board, MoveList};

    use super::*;

    fn prediction(goal: &[f32], human: &[f32]) -> GoalPrediction {
        GoalPrediction {
            moves: MoveList::new(),
            men: Men::on(&Board::new()),
            goal: Distribution::new(goal.to_vec()),
            human: Some(Distribution::new(human.to_vec())),
            goal_values: None,
        }
    }

    #[test]
    fn guidance_multiplies_the_difference_that_the_goal_makes() {
        let prediction = prediction(&[1.0, 0.0, -9.0], &[0.0, 0.5, 3.0]);
        let near = |found: &Distribution, expected: &Distribution| {
            let pairs = found.logarithms().iter().zip(expected.logarithms());
            pairs.into_iter().all(|(found, expected)| (found - expected).abs() < 1e-4)
        };
        assert!(near(&guided(&prediction, 0.0), &prediction.goal));
        assert!(near(&guided(&prediction, -1.0), prediction.human.as_ref().unwrap()));
        // The difference of the logits of the last move is clamped.
        let (goal, human) = (prediction.goal.logarithms(), prediction.human.as_ref().unwrap().logarithms());
        let expected = [2.0 * goal[0] - human[0], 2.0 * goal[1] - human[1], goal[2] - MAX_GUIDANCE];
        assert!(near(&guided(&prediction, 1.0), &Distribution::new(expected.to_vec())));
    }
}
