//! The jobs by which a proof game is drawn in cooperation: as the settings ask for, quickly, or without a network.

use super::{Engine, EngineError, cooperate::Cooperation};
use crate::{
    generation::{Budget, Generation, Job, Plan, Request, cooperate, search_for},
    settings::{Backend, Evaluator, GenerationSettings, Method, Realism},
};

impl Engine {
    /// A job that takes a tenth of the time of the one that the settings ask for: each game is played on its own, by
    /// the network that leads to the target, without looking ahead. `None` if the settings exclude such games.
    pub(super) fn quick_job(
        &mut self,
        wanted: &Cooperation<'_>,
        job: &Job,
        settings: &GenerationSettings,
    ) -> Result<Option<Job>, EngineError> {
        let excludes = settings.realism == Realism::Natural && settings.strict;
        if excludes || job.method() != Method::GoalPolicy {
            return Ok(None);
        }
        let quick = GenerationSettings {
            realism: Realism::Fast,
            skill: false,
            human_network: Some(GenerationSettings::NO_NETWORK.to_owned()),
            ..settings.clone()
        };
        self.cooperative_job(wanted, quick).map(Some)
    }

    /// A proof game by a search that needs no network. For a method with a policy, its failure is no error: the target
    /// may be reachable only with the policy.
    pub(super) fn without_network(
        &mut self,
        wanted: &Cooperation<'_>,
        settings: &GenerationSettings,
        by_policy: bool,
    ) -> Result<Option<Generation>, EngineError> {
        let settings = GenerationSettings {
            method: if by_policy { Some(search_for(wanted.target)) } else { settings.method },
            evaluator: Evaluator::Men,
            network: None,
            eval_file: None,
            backend: Backend::Tract,
            ..settings.clone()
        };
        let way = self.cooperative_job(wanted, settings).and_then(|job| plan(wanted, &job, 1, 0));
        if by_policy { Ok(way.unwrap_or(None)) } else { way }
    }

    /// The job that draws one proof game with these settings.
    pub(super) fn cooperative_job(
        &mut self,
        wanted: &Cooperation<'_>,
        settings: GenerationSettings,
    ) -> Result<Job, EngineError> {
        let request = Request::new(wanted.target.clone(), settings).from_root(wanted.game.position().clone());
        let mut job = request.resolve(&mut self.networks)?;
        let attempts = if job.method() == Method::BestFirst { Budget::SEARCHES } else { 1 };
        job.budget = Budget { attempts, nodes: None, time: None };
        if let Plan::Negamax(plan) = &mut job.plan {
            plan.search.depth = plan.search.depth.min(wanted.max_depth.max(1));
        }
        Ok(job)
    }
}

/// A proof game by a job, with the random numbers of an attempt.
pub(super) fn plan(
    wanted: &Cooperation<'_>,
    job: &Job,
    plans: u64,
    attempt: u64,
) -> Result<Option<Generation>, EngineError> {
    Ok(cooperate(wanted.game, wanted.moves, job, plans, attempt, wanted.limits)?)
}
