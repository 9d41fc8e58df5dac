//! Requests, and the one place that resolves them into jobs.

mod method;
mod network;
mod plan;
mod ratings;
#[cfg(test)]
mod tests;
mod words;

use std::time::Duration;

use entente_constraint::{Constraint, Situation, Target, TargetError};
use entente_endings::Endings;
use entente_network::{NetworkKind as _, NetworkSource, Policy};
use entente_search::{BestFirstParameters, Chess960};
pub(crate) use method::search_for;
pub(crate) use network::NetworkWanted;
use shakmaty::Chess;

use super::{Budget, Job, RequestError, RequestFault, default_max_plies};
use crate::{
    judge::JudgeOptions,
    settings::{Choice as _, GenerationSettings, Method, Setting, Value},
};

/// A request from the command line, a UCI session, the plan of a tournament, or another program.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Request {
    /// The target that the last position must satisfy.
    pub target: Target,
    /// The position from which proof games start.
    pub root: Chess,
    /// The settings.
    pub settings: GenerationSettings,
    /// Tables of endings, by which judged conditions are exact; `None` for none.
    pub endings: Option<Endings>,
}

impl Request {
    /// A request for positions that satisfy a constraint, from the initial position with the usual settings.
    ///
    /// # Errors
    /// [`TargetError`] if the text is not a valid constraint, or the constraint is too complex.
    pub fn of(constraint: &str) -> Result<Request, TargetError> {
        Ok(Request::new(constraint.parse()?, GenerationSettings::default()))
    }

    /// A request for positions that satisfy `target`, from the initial position.
    pub fn new(target: Target, settings: GenerationSettings) -> Request {
        Request { target, root: Chess::default(), settings, endings: None }
    }

    /// A request whose job has a policy that predicts moves: the network of the settings or, if they name none, the one
    /// that knows goals for a target, and otherwise the one that models people.
    pub fn for_predictions(target: Option<&Target>, settings: GenerationSettings) -> Request {
        let settings = settings.changed(|settings| {
            settings.method = Some(Method::GoalPolicy);
            let usual = if target.is_some() { Policy::DEFAULT } else { Policy::HUMAN };
            settings.network.get_or_insert_with(|| usual.to_owned());
        });
        let anything =
            || Target::new(Constraint::All(Vec::new())).expect("the empty constraint is not too complex");
        Request::new(target.cloned().unwrap_or_else(anything), settings)
    }

    /// The same request from another position.
    pub fn from_root(self, root: Chess) -> Request {
        Request { root, ..self }
    }

    /// The same request with tables of endings.
    pub fn with_endings(self, endings: Option<Endings>) -> Request {
        Request { endings, ..self }
    }

    /// The job that does what is requested: with the method, its network, its ratings and limits. `networks` gives
    /// networks by name. If there is no seed, one is drawn here, and nowhere else.
    ///
    /// # Errors
    ///
    /// [`RequestError`] if a network cannot be used, or the method cannot do what is requested.
    pub(crate) fn resolve(&self, networks: &mut impl NetworkSource) -> Result<Job, RequestError> {
        let (method, unused) = self.choice(networks)?;
        Ok(Job { unused, ..self.job(method, networks)? })
    }

    /// As [`Request::resolve`], but with an error if the method does not use all settings.
    ///
    /// # Errors
    ///
    /// [`RequestError`]
    pub(crate) fn resolve_strictly(&self, networks: &mut impl NetworkSource) -> Result<Job, RequestError> {
        // Report an unused setting rather than a missing network that the method would not use either.
        match self.choice(networks)? {
            (_, Some(unused)) => Err(unused),
            (method, None) => self.job(method, networks),
        }
    }

    /// The maximum length of a game, in plies from the root.
    pub fn max_plies(&self) -> u32 {
        let GenerationSettings { max_plies, faithful, .. } = self.settings;
        max_plies.unwrap_or_else(|| default_max_plies(&self.target, Situation::root(&self.root), faithful))
    }

    /// The job for this method.
    fn job(&self, method: Method, networks: &mut impl NetworkSource) -> Result<Job, RequestError> {
        let Request { target, root, settings, .. } = self;
        let plan = self.plan(method, networks)?;
        Ok(Job {
            root: root.clone(),
            first_ply: 0,
            before: None,
            target: target.clone(),
            max_plies: self.max_plies(),
            budget: Budget::of(&plan, settings.nodes, settings.movetime.map(Duration::from_millis)),
            opening_plies: BestFirstParameters::OPENING,
            endings: self.endings.clone(),
            judge: JudgeOptions { engine: settings.judge.clone(), nodes: settings.judge_nodes },
            seed: settings.seed.unwrap_or_else(drawn_seed),
            description: self.description(&plan),
            notes: self.notes(&plan),
            unused: None,
            plan,
        })
    }

    /// The method, and an error for settings that it does not use.
    fn choice(
        &self,
        networks: &mut impl NetworkSource,
    ) -> Result<(Method, Option<RequestError>), RequestError> {
        self.settings.check()?;
        let named = self.named_network(networks)?;
        let method = self.method(named);
        if method.has_policy() && Chess960::castles_differently(&self.root) {
            return Err(RequestError::at(
                Setting::Method,
                Value::Word(method.word()),
                RequestFault::StandardChessOnly,
            ));
        }
        Ok((method, self.unused(method, named)))
    }
}

/// A random seed, for requests without one. It is within the bounds of the UCI option, so that a seed that results name
/// can be set there.
pub(crate) fn drawn_seed() -> u64 {
    rand::random_range(1..=i32::MAX as u64)
}
