//! What a run does by itself so that all positions are found, and in the way that suits their use.

use std::{
    collections::HashSet,
    sync::atomic::{AtomicBool, Ordering},
};

use entente::{
    engine::Engine,
    generation::{Generation, Job, Outcome, Request},
    settings::{GenerationSettings, MAX_PLIES_LIMIT, Method},
};
use entente_constraint::Situation;
use shakmaty::{Chess, Position as _};

/// The request, made strict if no method was asked for: exercises are from games as people play them, unless the
/// settings lead to a method that plays no such games.
pub(super) fn for_practice(request: Request) -> Request {
    let mut strict = request.clone();
    strict.settings.strict = true;
    let plays = |request: &Request| Engine::default().job(request).ok().map(|job| job.method());
    let is_open = request.settings.method.is_none();
    if is_open && plays(&strict) == Some(Method::GoalPolicy) && plays(&request) == Some(Method::GoalPolicy) {
        strict
    } else {
        request
    }
}

/// The same job with games of up to twice as many plies, for positions that were not found; `None` if the user has
/// limited the games or the effort, or if longer games cannot help.
pub(super) fn longer_job(request: &Request, job: &Job) -> Option<Job> {
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
pub(super) fn extended(
    missing: Generation,
    longer: &Job,
    seen: &HashSet<String>,
    is_distinct: bool,
    stop: &AtomicBool,
) -> Generation {
    if stop.load(Ordering::Relaxed) {
        return missing;
    }
    let again = Engine::generator(longer).and_then(|mut generator| generator.generate(missing.index, stop));
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
pub(super) fn board(position: &Chess) -> String {
    position.board().to_string()
}

#[cfg(test)]
mod tests {
    use entente_constraint::Target;

    use super::*;

    fn request(constraint: &str, method: Option<Method>) -> Request {
        let mut request = Request::of(constraint).unwrap();
        (request.settings.method, request.settings.seed) = (method, Some(1));
        request
    }

    #[test]
    fn exercises_are_strict_unless_another_method_plays() {
        assert!(for_practice(request("Q=0", None)).settings.strict);
        assert!(!for_practice(request("Q=0", Some(Method::Negamax))).settings.strict);
        let diagram = "fen=rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR";
        assert!(!for_practice(request(diagram, None)).settings.strict, "best-first searches for diagrams");
    }

    #[test]
    fn only_games_and_effort_without_limits_are_extended() {
        let longer = |change: fn(&mut GenerationSettings)| {
            let mut request = request("Q=0", Some(Method::Negamax));
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
        let request = request("q=0", Some(Method::Negamax));
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
