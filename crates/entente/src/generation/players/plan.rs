//! Best-first search for a plan. Each attempt is a search of the root with its own budget.

use entente_constraint::{
    Atom, Impossible, Situation, counted,
    guide::{Guide, GuideError},
};
use entente_search::{BestFirst, BestFirstParameters, Line};
use rand::rngs::ChaCha8Rng;

use crate::generation::{
    Distance, GenerationError, Job,
    player::{Attempt, Player, Spent, Task},
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
        if self.0.is_exhausted() && distance > 0 && is_decided_by_search(job) {
            return Err(impossible(job));
        }
        Ok(Some(Attempt {
            distance: Distance::Plies(distance),
            last_distance: distance,
            is_final: self.0.is_exhausted(),
            ..Attempt::searched(moves)
        }))
    }

    fn spent(&self) -> Spent {
        Spent { nodes: self.0.nodes, evaluations: self.0.nodes }
    }
}

/// True if every game that the search leaves out certainly misses the target. Those that leave a known way to an
/// opening may still come back to it.
fn is_decided_by_search(job: &Job) -> bool {
    let has_a_past = |atom: &&Atom| atom.is_of_the_game();
    job.before.is_none() && !job.target.is_judged() && !job.target.constraint.atoms().iter().any(has_a_past)
}

/// The error for a target that no game reaches, since all were searched.
fn impossible(job: &Job) -> GenerationError {
    let games = match job.target.max_plies(Situation::first(&job.root, job.first_ply)) {
        u32::MAX => "game".to_owned(),
        most => format!("game of at most {}", counted(most, "ply", "plies")),
    };
    let reason = format!("a search of all games proves that no {games} leads there");
    GuideError::Impossible(Impossible::Because { reason }).into()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use crate::generation::{Generator, Job, Plan};

    /// How many plies the game has, or why there is none.
    fn generated(constraint: &str) -> Result<usize, String> {
        let job = Job::new(constraint.parse().unwrap(), Plan::BestFirst);
        let generated = Generator::new(job).unwrap().generate(0, &AtomicBool::new(false));
        generated.map(|game| game.moves.len()).map_err(|error| error.to_string())
    }

    #[test]
    fn a_search_of_all_games_proves_that_there_is_none() {
        let none = |games: &str| {
            Err(format!("impossible: a search of all games proves that no {games} leads there"))
        };
        assert_eq!(generated("checkmate ply<=4"), Ok(4));
        assert_eq!(generated("checkmate ply<=3"), none("game of at most 3 plies"));
        assert_eq!(generated("K@e2 k@e7 ply<=3"), none("game of at most 3 plies"));
    }
}
