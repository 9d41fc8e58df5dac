//! The players, with a file for each. Each player chooses the moves of proof games in its own way.
//!
//! [`stages`] says which players a method has, and in which order: `goal-policy`, for example, tries a population, then
//! single games, then a search for a plan. To add a player, implement [`Player`] in a file here, and add it to
//! [`stages`].

mod beam;
mod diagram;
mod evaluation_limits;
mod fast;
mod finisher;
mod natural;
mod negamax;
mod opening_values;
mod plan;
mod population;
mod rejection;
mod review;
mod rollout;
mod tree;

use super::{Budget, GenerationError, GoalPolicyPlan, Job, Plan, player::Player, policy::Delivery};
use crate::settings::Realism;
use diagram::DiagramPlayer;
use fast::FastPlayer;
use natural::NaturalPlayer;
use negamax::NegamaxPlayer;
use plan::Planner;
use rollout::RolloutPlayer;
use tree::TreePlayer;

/// A player and the number of its attempts.
pub(super) struct Stage {
    pub player: Box<dyn Player>,
    /// The maximum number of attempts of this stage. There is also a maximum for all stages together.
    pub attempts: u32,
    /// How the games that it finds are reported.
    pub delivery: Delivery,
    /// True if it tries only after all others have failed. Its unsuccessful attempts do not become the result.
    pub is_last_resort: bool,
}

impl Stage {
    fn new(player: impl Player + 'static, attempts: u32, delivery: Delivery) -> Stage {
        Stage { player: Box::new(player), attempts, delivery, is_last_resort: false }
    }

    fn last_resort(player: impl Player + 'static) -> Stage {
        let delivery = Delivery::Search;
        Stage { player: Box::new(player), attempts: Budget::SEARCHES, delivery, is_last_resort: true }
    }
}

/// The number of populations if they are requested.
const POPULATIONS: u32 = 4;

/// The stages that try to do the job, in order.
///
/// # Errors
/// [`GenerationError`] if one of their players cannot be made.
pub(super) fn stages(job: &Job) -> Result<Vec<Stage>, GenerationError> {
    let most = u32::MAX;
    Ok(match &job.plan {
        Plan::Negamax(plan) => vec![Stage::new(NegamaxPlayer::new(job, plan)?, most, Delivery::Search)],
        Plan::BestFirst => vec![Stage::new(Planner::new(job)?, most, Delivery::Search)],
        Plan::Rollout(plan) => vec![Stage::new(RolloutPlayer::new(job, plan)?, most, Delivery::Search)],
        Plan::Puct(plan) => {
            vec![
                Stage::new(TreePlayer::new(job, plan)?, most, Delivery::Tree),
                Stage::last_resort(Planner::new(job)?),
            ]
        }
        Plan::GoalPolicy(plan) => by_policy(job, plan)?,
    })
}

/// The stages of a job with the method `goal-policy`.
fn by_policy(job: &Job, plan: &GoalPolicyPlan) -> Result<Vec<Stage>, GenerationError> {
    let most = u32::MAX;
    let GoalPolicyPlan { realism, strict, .. } = *plan;
    let mut stages = Vec::new();
    if realism != Realism::Fast && DiagramPlayer::suits(job) {
        stages.push(Stage::new(DiagramPlayer::new(job, plan)?, most, Delivery::Natural));
        if !strict {
            stages.push(Stage::last_resort(Planner::new(job)?));
        }
        return Ok(stages);
    }
    if realism != Realism::Fast {
        let attempts = match realism {
            Realism::Natural if strict => most,
            // Users who request natural games accept that they take longer.
            Realism::Natural => POPULATIONS,
            // Most games that a judge refuses are as likely as those that it accepts, and single games are no faster.
            _ if job.target.is_judged() => POPULATIONS,
            _ => 1,
        };
        stages.push(Stage::new(NaturalPlayer::new(job, plan)?, attempts, Delivery::Natural));
    }
    if realism != Realism::Natural || !strict {
        stages.push(Stage::new(FastPlayer::new(job, plan)?, most, Delivery::Fast));
    }
    if !strict {
        stages.push(Stage::last_resort(Planner::new(job)?));
    }
    Ok(stages)
}
