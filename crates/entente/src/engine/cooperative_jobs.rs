//! A request for cooperation, and the jobs by which a proof game is drawn for it: as the settings ask for, quickly, or
//! without a network.

use entente_constraint::Target;
use entente_search::{Game, Limits};
use shakmaty::Move;

use super::{Engine, EngineError};
use crate::{
    generation::{Budget, Generation, Job, Plan, Request, cooperate, search_for},
    settings::{Backend, Evaluator, GenerationSettings, Method, Realism},
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
    /// The number of proof games wanted, each with another first move.
    pub lines: usize,
    /// Whether to look for shorter proof games until the limits are reached.
    pub is_patient: bool,
    /// When to answer. After the soft deadline, no other proof game is begun.
    pub limits: Limits<'a>,
}

impl<'a> Cooperation<'a> {
    /// A request for one proof game that begins with one of these moves, without limits.
    pub fn new(
        game: &'a Game,
        moves: &'a [Move],
        target: &'a Target,
        settings: &'a GenerationSettings,
    ) -> Cooperation<'a> {
        let (max_depth, lines, is_patient, limits) = (u32::MAX, 1, false, Limits::none());
        Cooperation { game, moves, target, settings, max_depth, lines, is_patient, limits }
    }
}

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
            backend: Backend::Cpu,
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
