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
pub(super) use temperatures::Temperatures;

use entente_constraint::{Situation, guide::Guide};

use super::{GenerationError, Job};
use crate::{adviser::Adviser, settings::Method, skill::SkilledSession};

/// What a player who draws moves needs: eyes, and a sense of what is within reach.
pub(super) struct Senses {
    pub eyes: Eyes,
    pub reach: Reach,
    pub guide: Guide,
}

impl Senses {
    /// Those for a job.
    ///
    /// # Errors
    /// [`GenerationError`] if there is no policy, or nothing leads to the target.
    pub(super) fn new(job: &Job) -> Result<Senses, GenerationError> {
        // Tree search sees for itself what comes of moves.
        Senses::of(job, job.settings.skill && job.method == Method::GoalPolicy)
    }

    /// The same with eyes that see what comes of moves if `is_skilled`, else with those of the network alone.
    ///
    /// # Errors
    /// As [`Senses::new`].
    pub(super) fn of(job: &Job, is_skilled: bool) -> Result<Senses, GenerationError> {
        let Adviser::Policy(policy) = &job.adviser else { return Err(GenerationError::NoPolicy) };
        let start = Situation { position: &job.root, ply: job.first_ply };
        let guide = Guide::new(&job.target, start)?;
        let aims = if policy.heeds_aims() { Aims::new(&job.target, start) } else { Aims::none() };
        let session = SkilledSession::of(policy, is_skilled).for_games();
        let eyes = Eyes::new(session, aims, job.settings.rating_scale);
        Ok(Senses { eyes, reach: Reach::new(&job.target, &guide, start), guide })
    }
}
