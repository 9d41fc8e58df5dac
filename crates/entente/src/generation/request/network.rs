//! Which network a request needs.

use entente_network::{NetworkError, NetworkKind as _, NetworkSource, Policy, SatisfactionNetwork};

use super::{Request, RequestError};
use crate::{
    adviser::{Adviser, is_default_network_trained_on},
    settings::{Backend, Choice as _, Evaluator, GenerationSettings, Method, Setting, Value},
};

/// A network that a request needs, by its name or path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NetworkWanted {
    /// One that draws moves.
    Policy(String),
    /// One that values positions.
    Satisfaction(String),
}

/// What kind of network was named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Named {
    Policy,
    Satisfaction,
}

impl Request {
    /// The kind of the network that `network` names, if it names one.
    pub(super) fn named_network(
        &self,
        networks: &mut impl NetworkSource,
    ) -> Result<Option<Named>, RequestError> {
        let Some(name) = self.settings.network.as_deref() else { return Ok(None) };
        // With a method the network must be the method's; what is wrong with it is then said of that.
        if self.settings.method.is_some() {
            return Ok(None);
        }
        if SatisfactionNetwork::embedded(name).is_some() {
            return Ok(Some(Named::Satisfaction));
        }
        match networks.policy(name, self.settings.backend) {
            Ok(_) => Ok(Some(Named::Policy)),
            Err(as_policy @ NetworkError::Shape { .. }) => {
                let as_satisfaction = networks.network(name, self.settings.backend);
                match as_satisfaction {
                    Ok(_) => Ok(Some(Named::Satisfaction)),
                    Err(other) => Err(RequestError::network_of_no_kind(name, &as_policy, &other)),
                }
            }
            Err(error) => Err(RequestError::network(&error)),
        }
    }

    /// The network that the request needs, as far as that can be said before any is loaded.
    pub fn network_wanted(&self) -> Option<NetworkWanted> {
        self.wanted(self.method(None))
    }

    /// The network that a method needs.
    fn wanted(&self, method: Method) -> Option<NetworkWanted> {
        let GenerationSettings { network, policy_file, eval_file, evaluator, .. } = &self.settings;
        let name = |file: &Option<String>, usual: &str| {
            network.as_ref().or(file.as_ref()).map_or_else(|| usual.to_owned(), Clone::clone)
        };
        match method {
            _ if method.has_policy() => Some(NetworkWanted::Policy(name(policy_file, Policy::DEFAULT))),
            _ if method.values_positions() => {
                let is_named = network.is_some() || eval_file.is_some();
                let wants_network = match evaluator {
                    Evaluator::Auto => {
                        let goal = self.target.goal.as_ref();
                        is_named || goal.is_some_and(is_default_network_trained_on)
                    }
                    Evaluator::Network => true,
                    Evaluator::Men | Evaluator::HandWritten | Evaluator::Article => false,
                };
                wants_network
                    .then(|| NetworkWanted::Satisfaction(name(eval_file, SatisfactionNetwork::DEFAULT)))
            }
            _ => None,
        }
    }

    /// What values positions, or draws moves.
    pub(super) fn adviser(
        &self,
        method: Method,
        networks: &mut impl NetworkSource,
    ) -> Result<Adviser, RequestError> {
        if method.values_positions() {
            self.check_counted(method)?;
        }
        match self.wanted(method) {
            None => Ok(Adviser::Men),
            Some(wanted) => {
                let backend = self.settings.backend;
                backend.check().map_err(|reason| {
                    RequestError::at(Setting::Backend, Value::Word(backend.word()), reason)
                })?;
                match wanted {
                    NetworkWanted::Policy(name) => networks.policy(&name, backend).map(Adviser::Policy),
                    NetworkWanted::Satisfaction(name) => {
                        networks.network(&name, backend).map(Adviser::Network)
                    }
                }
                .map_err(|error| RequestError::network(&error))
            }
        }
    }

    /// Whether a method that is led by numbers of men can do it.
    fn check_counted(&self, method: Method) -> Result<(), RequestError> {
        let GenerationSettings { faithful, evaluator, backend, .. } = self.settings;
        if self.target.goal.is_none() {
            if faithful {
                let reason = "the published algorithm knows nothing but numbers of men";
                return Err(RequestError::new(Setting::Faithful, reason));
            }
            let constraint = &self.target.constraint;
            let reason = format!(
                "it is led by numbers of men alone, and '{constraint}' says more; best-first is led by everything"
            );
            return Err(RequestError::at(Setting::Method, Value::Word(method.word()), reason));
        }
        if evaluator.excludes_networks() && self.settings.network.is_some() {
            return Err(RequestError::new(
                Setting::Network,
                format!("the evaluator {} has none", evaluator.word()),
            ));
        }
        if backend != Backend::Tract && self.wanted(method).is_none() {
            let hint = if evaluator == Evaluator::Auto { "; evaluator network asks for one" } else { "" };
            let reason = format!("the evaluator men has no network to run{hint}");
            return Err(RequestError::at(Setting::Backend, Value::Word(backend.word()), reason));
        }
        Ok(())
    }
}
