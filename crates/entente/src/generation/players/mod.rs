//! The players, with a file for each. Each player chooses the moves of proof games in its own way.
//!
//! [`stages`] says which players a method has, and in which order: `goal-policy`, for example, tries a population, then
//! single games, then a search for a plan. To add a player, implement [`Player`] in a file here, and add it to
//! [`stages`].

mod beam;
mod diagram;
mod evaluation_limits;
mod exact;
mod fast;
mod finisher;
mod kernel;
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
use exact::ExactPlayer;
use fast::FastPlayer;
use kernel::KernelPlayer;
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
    /// True if its attempts are not among those of the budget, and unsuccessful ones do not become the result.
    pub is_extra: bool,
}

impl Stage {
    fn new(player: impl Player + 'static, attempts: u32, delivery: Delivery) -> Stage {
        Stage { player: Box::new(player), attempts, delivery, is_extra: false }
    }

    /// A stage of searches in addition to others.
    fn extra(player: impl Player + 'static, attempts: u32) -> Stage {
        Stage { is_extra: true, ..Stage::new(player, attempts, Delivery::Search) }
    }

    /// Best-first search, until the budget is spent.
    ///
    /// # Errors
    /// [`GenerationError::Guide`] if no game reaches the target, or it is too complex.
    pub(super) fn best_first(job: &Job) -> Result<Stage, GenerationError> {
        Ok(Stage::new(Planner::new(job)?, u32::MAX, Delivery::Search))
    }

    /// Best-first search after other players.
    fn last_resort(job: &Job) -> Result<Stage, GenerationError> {
        Ok(Stage::extra(Planner::new(job)?, Budget::SEARCHES))
    }
}

/// The number of populations if they are requested.
const POPULATIONS: u32 = 4;
/// The best-first searches before other searches for whole diagrams. They suffice for most diagrams of people's games.
const SCOUTS: u32 = 3;
/// The best-first searches before a long exact search.
const SEARCHES_BEFORE_EXACT: u32 = 60;
/// The positions of a short exact search, which takes about half a second.
const SHORT: u64 = 4_000_000;
/// The positions of a long exact search, which takes less than a minute.
const LONG: u64 = 400_000_000;

/// The stages that try to do the job, in order.
///
/// # Errors
/// [`GenerationError`] if one of their players cannot be made.
pub(super) fn stages(job: &Job) -> Result<Vec<Stage>, GenerationError> {
    let most = u32::MAX;
    Ok(match &job.plan {
        Plan::Negamax(plan) => vec![Stage::new(NegamaxPlayer::new(job, plan)?, most, Delivery::Search)],
        Plan::BestFirst => by_search(job)?,
        Plan::Rollout(plan) => vec![Stage::new(RolloutPlayer::new(job, plan)?, most, Delivery::Search)],
        Plan::Puct(plan) => {
            let mut stages = vec![Stage::new(TreePlayer::new(job, plan)?, most, Delivery::Tree)];
            stages.extend(exact(job, SHORT));
            stages.extend(kernels(job));
            stages.push(Stage::last_resort(job)?);
            stages
        }
        Plan::GoalPolicy(plan) => by_policy(job, plan)?,
    })
}

/// The exact search with up to `positions` positions, if it suits the job.
fn exact(job: &Job, positions: u64) -> Option<Stage> {
    ExactPlayer::new(job, positions).map(|player| Stage::extra(player, 1))
}

/// Games along kernels, if they suit the job.
fn kernels(job: &Job) -> Option<Stage> {
    KernelPlayer::new(job).map(|player| Stage::extra(player, Budget::SEARCHES))
}

/// The stages of a job with the method `best-first`.
fn by_search(job: &Job) -> Result<Vec<Stage>, GenerationError> {
    let mut stages = Vec::new();
    let best_first = |attempts| Ok::<_, GenerationError>(Stage { attempts, ..Stage::best_first(job)? });
    if let Some(short) = exact(job, SHORT) {
        stages.extend([best_first(SCOUTS)?, short, best_first(SEARCHES_BEFORE_EXACT)?]);
        stages.extend(exact(job, LONG));
    } else if let Some(kernels) = kernels(job) {
        stages.extend([best_first(SCOUTS)?, kernels]);
    }
    stages.push(Stage::best_first(job)?);
    Ok(stages)
}

/// The stages of a job with the method `goal-policy`.
fn by_policy(job: &Job, plan: &GoalPolicyPlan) -> Result<Vec<Stage>, GenerationError> {
    let most = u32::MAX;
    let GoalPolicyPlan { realism, strict, .. } = *plan;
    let mut stages = Vec::new();
    if realism != Realism::Fast && DiagramPlayer::suits(job) {
        let by_people = |attempts| {
            Ok::<_, GenerationError>(Stage::new(DiagramPlayer::new(job, plan)?, attempts, Delivery::Natural))
        };
        if !strict && let Some(search) = exact(job, SHORT).or_else(|| kernels(job)) {
            stages.extend([by_people(1)?, search]);
        }
        stages.push(by_people(most)?);
        if !strict {
            stages.extend(exact(job, LONG));
            stages.push(Stage::last_resort(job)?);
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
        stages.extend(exact(job, SHORT));
        stages.extend(kernels(job));
        stages.push(Stage::last_resort(job)?);
    }
    Ok(stages)
}
