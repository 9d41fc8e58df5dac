use entente_constraint::Target;
use entente_search::{Game, Limits, Timer};
use shakmaty::Move;

use super::{Engine, EngineError};
use crate::{
    generation::{Budget, Generation, Job, Outcome, PLANS, Plan, Request, cooperate, drawn_seed},
    satisfaction::SatisfactionModel,
    settings::{Backend, Evaluator, GenerationSettings, Method},
};

/// A move wanted in a game in which both sides cooperate.
#[non_exhaustive]
pub struct Cooperation<'a> {
    /// The game so far.
    pub game: &'a Game,
    /// The moves to choose from, all legal.
    pub moves: &'a [Move],
    /// What the game is to come to.
    pub target: &'a Target,
    /// How.
    pub settings: &'a GenerationSettings,
    /// The deepest negamax, in plies.
    pub max_depth: u32,
    /// When to answer. The soft deadline is one for beginning another proof game.
    pub limits: Limits<'a>,
}

impl<'a> Cooperation<'a> {
    /// One of these moves, without limits.
    pub fn new(
        game: &'a Game,
        moves: &'a [Move],
        target: &'a Target,
        settings: &'a GenerationSettings,
    ) -> Cooperation<'a> {
        Cooperation { game, moves, target, settings, max_depth: u32::MAX, limits: Limits::none() }
    }
}

impl Engine {
    /// The way to go on toward the target; `None` without any moves.
    ///
    /// Moves are drawn from the policy only where that is asked for, since a search takes less time. Without a network it
    /// takes no time to find some way, and with one the time may be too short for any: then it is that way.
    ///
    /// # Errors
    /// [`EngineError`] if no network can be loaded though one is wanted, or it cannot be run.
    pub fn cooperate(&mut self, wanted: &Cooperation<'_>) -> Result<Option<Generation>, EngineError> {
        let is_timed = wanted.limits.timer.is_some_and(Timer::is_set);
        // Drawn once for all ways that are tried.
        let seed = Some(wanted.settings.seed.unwrap_or_else(drawn_seed));
        let settings = GenerationSettings { seed, ..wanted.settings.clone() };
        let by_policy = settings.method.is_some_and(Method::has_policy);
        let without_network = || {
            let method = settings.method.filter(|method| !method.has_policy());
            let (network, eval_file) = (None, None);
            let (evaluator, backend) = (Evaluator::Men, Backend::Tract);
            GenerationSettings { method, evaluator, network, eval_file, backend, ..settings.clone() }
        };
        let (some_way, way) = if by_policy {
            // What only the policy leads to is no fault of the search. The shortest of several ways would not be one that
            // people might play.
            let some_way = self.way(wanted, without_network(), 1).unwrap_or(None);
            (some_way, self.way(wanted, settings.clone(), 1)?)
        } else {
            let job = self.cooperative_job(wanted, settings.clone())?;
            let asks_network = matches!(job.plan.model(), Some(SatisfactionModel::Network(_)));
            let some_way = if asks_network { self.way(wanted, without_network(), 1)? } else { None };
            // With no clock to use up, the first that is found will do.
            (some_way, plan(wanted, &job, if is_timed { PLANS } else { 1 })?)
        };
        let is_found =
            |way: &Option<Generation>| way.as_ref().is_some_and(|way| way.outcome == Outcome::Found);
        Ok(if is_found(&some_way) && !is_found(&way) { some_way } else { way })
    }

    fn way(
        &mut self,
        wanted: &Cooperation<'_>,
        settings: GenerationSettings,
        plans: u64,
    ) -> Result<Option<Generation>, EngineError> {
        let job = self.cooperative_job(wanted, settings)?;
        plan(wanted, &job, plans)
    }

    fn cooperative_job(
        &mut self,
        wanted: &Cooperation<'_>,
        settings: GenerationSettings,
    ) -> Result<Job, EngineError> {
        let request = Request {
            root: wanted.game.position().clone(),
            is_urgent: true,
            ..Request::new(wanted.target.clone(), settings)
        };
        let mut job = request.resolve(&mut self.networks)?;
        let attempts = if job.method() == Method::BestFirst { Budget::SEARCHES } else { 1 };
        job.budget = Budget { attempts, nodes: None, time: None };
        if let Plan::Negamax(plan) = &mut job.plan {
            plan.search.depth = plan.search.depth.min(wanted.max_depth.max(1));
        }
        Ok(job)
    }
}

fn plan(wanted: &Cooperation<'_>, job: &Job, plans: u64) -> Result<Option<Generation>, EngineError> {
    Ok(cooperate(wanted.game, wanted.moves, job, plans, wanted.limits)?)
}
