//! Best-first search for a plan. Each attempt is a search of the root with its own budget.

use entente_constraint::guide::{Guide, GuideError};
use entente_search::{BestFirst, BestFirstParameters, Line};
use rand::rngs::ChaCha8Rng;

use crate::generation::{
    Distance, GenerationError, Job,
    player::{Attempt, Player, Spent, Task},
    policy::PolicyReport,
};

/// Plans games by best-first search.
pub(in crate::generation) struct Planner(BestFirst);

impl Planner {
    /// A planner for the job.
    ///
    /// # Errors
    /// [`GuideError`] if no game reaches the target, or it is too complex.
    pub(super) fn new(job: &Job) -> Result<Planner, GuideError> {
        Ok(Planner(BestFirst::new(Guide::new(&job.target, job.game().situation())?)))
    }
}

impl Player for Planner {
    fn attempt(&mut self, task: &Task<'_>, rng: &mut ChaCha8Rng) -> Result<Option<Attempt>, GenerationError> {
        let job = task.job;
        let root = job.game();
        let parameters = BestFirstParameters::of_attempt(task.number);
        let parameters =
            BestFirstParameters { opening: parameters.opening.min(job.opening_plies), ..parameters };
        let plies = job.max_plies;
        let Line { moves, distance } =
            self.0.search(root.situation(), parameters, plies, task.may_begin, rng, task.limits);
        Ok(Some(Attempt {
            begun_with: moves.first().copied(),
            report: PolicyReport { finished: moves.len() as u32, ..PolicyReport::default() },
            line: moves,
            distance: Distance::Plies(distance),
            last_distance: distance,
            value: 0.0,
            is_final: self.0.is_exhausted(),
        }))
    }

    fn spent(&self) -> Spent {
        Spent { nodes: self.0.nodes, evaluations: self.0.nodes }
    }
}
