use entente_constraint::Target;
use entente_search::{Game, Limits, Timer};
use shakmaty::Move;

use super::{Engine, EngineError};
use crate::{
    generation::{Budget, Generation, Job, Outcome, PLANS, Plan, Request, cooperate, drawn_seed},
    satisfaction::SatisfactionModel,
    settings::{Backend, Evaluator, GenerationSettings, Method},
};

/// A request for the next move of a game in which both sides cooperate.
#[non_exhaustive]
pub struct Cooperation<'a> {
    /// The game so far.
    pub game: &'a Game,
    /// The moves to choose from, all legal.
    pub moves: &'a [Move],
    /// The target of the game.
    pub target: &'a Target,
    /// The settings of generation.
    pub settings: &'a GenerationSettings,
    /// The maximum depth of negamax, in plies.
    pub max_depth: u32,
    /// When to answer. After the soft deadline, no other proof game is begun.
    pub limits: Limits<'a>,
}

impl<'a> Cooperation<'a> {
    /// A request for one of these moves, without limits.
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
    /// A proof game from here to the target; `None` if there are no moves.
    ///
    /// Moves are drawn from the policy only if it is asked for, because a search takes less time. If a network is used,
    /// the time may be too short for it. Therefore a search without a network runs first, and its game is the answer if
    /// the network finds none.
    ///
    /// # Errors
    /// [`EngineError`] if a network is wanted but none can be loaded, or if it cannot be run.
    pub fn cooperate(&mut self, wanted: &Cooperation<'_>) -> Result<Option<Generation>, EngineError> {
        let is_timed = wanted.limits.timer.is_some_and(Timer::is_set);
        // Drawn once for all attempts.
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
            // The target may be reachable only with the policy, so a failure of this search is no error. The shortest
            // of several games would be unlike human play.
            let some_way = self.way(wanted, without_network(), 1).unwrap_or(None);
            (some_way, self.way(wanted, settings.clone(), 1)?)
        } else {
            let job = self.cooperative_job(wanted, settings.clone())?;
            let asks_network = matches!(job.plan.model(), Some(SatisfactionModel::Network(_)));
            let some_way = if asks_network { self.way(wanted, without_network(), 1)? } else { None };
            // Without a clock, the first game found is good enough.
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
