//! The positions of a request as the program generates them: those that are not found within the usual length get longer
//! games.

use std::{
    collections::HashSet,
    sync::atomic::{AtomicBool, Ordering},
};

use entente_constraint::Situation;
use shakmaty::{Chess, Position as _};

use super::{Generation, GenerationError, Generator, Job, Outcome, Quota, Request, generate_many};
use crate::settings::{GenerationSettings, MAX_PLIES_LIMIT};

/// A job, and the one with longer games for positions that it does not find.
#[derive(Clone, Debug)]
pub struct Series {
    usual: Job,
    longer: Option<Job>,
}

impl Series {
    /// The series of a request and its job.
    pub fn new(request: &Request, job: Job) -> Series {
        let longer = longer_job(request, &job);
        Series { usual: job, longer }
    }

    /// The job, which has the seed.
    pub fn job(&self) -> &Job {
        &self.usual
    }

    /// The job with the longest games that are tried.
    pub fn longest_job(&self) -> &Job {
        self.longer.as_ref().unwrap_or(&self.usual)
    }

    /// Generates positions on several threads, and passes them to `deliver` in the order of their indices. With
    /// [`Quota::distinct`] there are fewer if longer games lead to positions that are there already.
    ///
    /// # Errors
    /// [`GenerationError`] if a network cannot be run, or the judge does not answer. The positions before the failed one
    /// have been delivered.
    pub fn run(
        &self,
        quota: Quota,
        stop: &AtomicBool,
        mut deliver: impl FnMut(Generation),
    ) -> Result<(), GenerationError> {
        let mut seen: HashSet<String> = HashSet::new();
        generate_many(&self.usual, quota, stop, |generation| {
            let generation = match &self.longer {
                Some(longer) if generation.outcome == Outcome::Undetermined => {
                    extended(generation, longer, &seen, quota.distinct, stop)
                }
                _ => generation,
            };
            let is_found = generation.outcome == Outcome::Found;
            if quota.distinct && is_found && !seen.insert(board(&generation.position)) {
                // A longer game has led there before.
                return;
            }
            deliver(generation);
        })
    }
}

/// The same job with games of up to twice as many plies, for positions that were not found; `None` if the user has
/// limited the games or the effort, or if longer games cannot help.
fn longer_job(request: &Request, job: &Job) -> Option<Job> {
    let GenerationSettings { max_plies, nodes, movetime, faithful, .. } = &request.settings;
    let most = job.target.max_plies(Situation::root(&job.root)).min(MAX_PLIES_LIMIT);
    let longer = job.max_plies.saturating_mul(2).min(most);
    let is_free = max_plies.is_none() && nodes.is_none() && movetime.is_none() && !faithful;
    (is_free && longer > job.max_plies).then(|| {
        let mut job = job.clone();
        job.max_plies = longer;
        job
    })
}

/// A position that was not found, after another attempt with longer games; the same one if that finds none either, or
/// one that is there already.
fn extended(
    missing: Generation,
    longer: &Job,
    seen: &HashSet<String>,
    is_distinct: bool,
    stop: &AtomicBool,
) -> Generation {
    if stop.load(Ordering::Relaxed) {
        return missing;
    }
    let again =
        Generator::new(longer.clone()).and_then(|mut generator| generator.generate(missing.index, stop));
    match again {
        Ok(mut again)
            if again.outcome == Outcome::Found
                && !(is_distinct && seen.contains(&board(&again.position))) =>
        {
            again.nodes += missing.nodes;
            again.evaluations += missing.evaluations;
            again.attempts += missing.attempts;
            again
        }
        // The first attempt is reported.
        _ => missing,
    }
}

/// What makes a position distinct.
fn board(position: &Chess) -> String {
    position.board().to_string()
}

#[cfg(test)]
mod tests {
    use entente_constraint::Target;

    use super::*;
    use crate::{engine::Engine, settings::Method};

    fn request(constraint: &str) -> Request {
        let mut request = Request::of(constraint).unwrap();
        (request.settings.method, request.settings.seed) = (Some(Method::Negamax), Some(1));
        request
    }

    #[test]
    fn only_games_and_effort_without_limits_are_extended() {
        let longer = |change: fn(&mut GenerationSettings)| {
            let mut request = request("Q=0");
            change(&mut request.settings);
            let job = Engine::default().job(&request).unwrap();
            longer_job(&request, &job).map(|job| job.max_plies)
        };
        assert_eq!(longer(|_| ()), Some(202));
        assert_eq!(longer(|settings| settings.max_plies = Some(101)), None);
        assert_eq!(longer(|settings| settings.nodes = Some(10)), None);
        assert_eq!(longer(|settings| settings.movetime = Some(10)), None);
    }

    #[test]
    fn a_missing_position_is_replaced_by_one_that_is_new() {
        let request = request("q=0");
        let job = Engine::default().job(&request).unwrap();
        let stop = AtomicBool::new(false);
        let mut short = job.clone();
        short.max_plies = 1;
        let target: &Target = &short.target;
        assert!(!target.is_satisfied(Situation::root(&job.root)));
        let missing = Engine::generator(&short).unwrap().generate(3, &stop).unwrap();
        assert_eq!(missing.outcome, Outcome::Undetermined);
        let mut seen = HashSet::new();
        let found = extended(missing.clone(), &job, &seen, true, &stop);
        assert_eq!((found.outcome, found.index), (Outcome::Found, 3));
        assert!(found.attempts > missing.attempts);
        seen.insert(board(&found.position));
        assert_eq!(extended(missing.clone(), &job, &seen, true, &stop).outcome, Outcome::Undetermined);
        assert_eq!(extended(missing.clone(), &job, &seen, false, &stop).outcome, Outcome::Found);
        stop.store(true, Ordering::Relaxed);
        assert_eq!(extended(missing, &job, &seen, false, &stop).outcome, Outcome::Undetermined);
    }
}
