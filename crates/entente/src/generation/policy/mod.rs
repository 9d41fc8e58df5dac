//! The parts that players with a policy network share.
//!
//! [`Aims`] are the alternatives of a constraint as the network reads them. `Eyes` ask the network about a position,
//! with the goal and without. [`Reach`] tells which moves keep the constraint within reach. [`PolicyReport`] records
//! how a game came about, for example how surprising its moves were.

mod aims;
mod eyes;
mod reach;
mod report;
mod temperatures;

pub use aims::Aims;
pub(super) use eyes::{Eyes, Look, Outlook, Ratings};
pub use reach::Reach;
pub use report::{Delivery, PolicyReport};
pub use temperatures::TemperatureOverrides;
pub(super) use temperatures::Temperatures;

use entente_constraint::{Situation, guide::Guide};

use super::{GenerationError, Job, PolicyPlan};
use crate::skill::SkilledSession;

/// What a player who draws moves needs: eyes, and a sense of what is within reach.
pub(super) struct Senses {
    pub eyes: Eyes,
    pub reach: Reach,
    pub guide: Guide,
}

impl Senses {
    /// Those for a job, with eyes that see what comes of moves if they are skilled, else with those of the network alone.
    ///
    /// # Errors
    /// [`GenerationError`] if nothing leads to the target.
    pub(super) fn new(job: &Job, plan: &PolicyPlan, is_skilled: bool) -> Result<Senses, GenerationError> {
        let policy = &plan.network;
        let start = Situation { position: &job.root, ply: job.first_ply };
        let guide = Guide::new(&job.target, start)?;
        let aims = if policy.heeds_aims() { Aims::new(&job.target, start) } else { Aims::none() };
        let session = SkilledSession::of(policy, is_skilled).for_games();
        let eyes = Eyes::new(session, aims, plan.scale);
        Ok(Senses { eyes, reach: Reach::new(&job.target, &guide, start), guide })
    }
}
