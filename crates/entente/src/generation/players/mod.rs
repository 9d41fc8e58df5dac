//! The players: each chooses the moves of proof games in its own way, one file each.
//!
//! [`stages`] says which players try, and in which order, for a method: `goal-policy`, for example, tries a population,
//! then single games, then a search for a plan. To add a player, implement [`Player`] in a file here, and give it its
//! place in [`stages`].

mod beam;
mod diagram;
mod evaluation_limits;
mod fast;
mod finisher;
mod natural;
mod negamax;
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

/// A player and how often it may try.
pub(super) struct Stage {
    pub player: Box<dyn Player>,
    /// Attempts at most, beside those of all stages together.
    pub attempts: u32,
    /// What a game is called that it delivers.
    pub delivery: Delivery,
    /// True if it only tries where all others failed: what it does not find does not count.
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

/// Attempts with populations where these are asked for.
const POPULATIONS: u32 = 4;

/// Those who try to do the job, one after another.
///
/// # Errors
/// [`GenerationError`] if one of them cannot.
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

/// Those who try to do a job whose moves the policy draws.
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
            // Who asks for them wants them more than a game at once.
            Realism::Natural => POPULATIONS,
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
