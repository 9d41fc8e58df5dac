//! The parts that players with a policy network share.
//!
//! [`Aims`] are the alternatives of a constraint as the network reads them. `PolicyView` ask the network about a position,
//! with the goal and without. [`Reach`] tells which moves keep the constraint within reach. [`PolicyReport`] records
//! how a game came about, for example how surprising its moves were.

mod aims;
mod reach;
mod report;
mod temperatures;
mod view;

pub use aims::Aims;
pub use reach::Reach;
pub use report::{Delivery, PolicyReport};
pub(super) use temperatures::Temperatures;
pub(super) use view::{GoalPrediction, GoalValues, PolicyView, Ratings};

use entente_constraint::{Situation, guide::Guide};

use super::{GenerationError, Job, PolicyPlan};
use crate::skill::Skilled;

/// What a player that draws moves needs: the view of the policy, and what is within reach.
pub(super) struct PolicyKit {
    pub view: PolicyView,
    pub reach: Reach,
    pub guide: Guide,
}

impl PolicyKit {
    /// Those for a job; if `is_skilled`, a short search of each likely move corrects the network.
    ///
    /// # Errors
    /// [`GenerationError`] if nothing leads to the target.
    pub(super) fn new(job: &Job, plan: &PolicyPlan, is_skilled: bool) -> Result<PolicyKit, GenerationError> {
        let policy = &plan.network;
        let start = Situation { position: &job.root, ply: job.first_ply };
        let guide = Guide::new(&job.target, start)?;
        let aims = if policy.reads_goals() { Aims::new(&job.target, start) } else { Aims::none() };
        let predictor = Skilled::of_if(policy, is_skilled).for_games();
        let view = PolicyView::new(predictor, aims, plan.scale);
        Ok(PolicyKit { view, reach: Reach::new(&job.target, &guide, start), guide })
    }
}
