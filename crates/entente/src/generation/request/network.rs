//! The network of a request.

use std::sync::Arc;

use entente_network::{NetworkError, NetworkKind as _, NetworkSource, Policy, SatisfactionNetwork};

use super::Request;
use crate::{
    generation::{RequestError, RequestFault},
    satisfaction::{SatisfactionModel, is_default_network_trained_on},
    settings::{Backend, Choice as _, Evaluator, GenerationSettings, Method, Setting, Value},
};

/// A network that a request needs, by its name or path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NetworkWanted {
    /// A policy.
    Policy(String),
    /// A satisfaction network.
    Satisfaction(String),
}

/// The kind of the network that the setting `network` names.
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
        // If a method is set, the network must be of its kind, and errors are reported when it is loaded.
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
                    Err(other) => {
                        let reason = RequestFault::NeitherKind {
                            name: name.to_owned(),
                            as_policy: Arc::new(as_policy),
                            as_satisfaction: Arc::new(other),
                        };
                        Err(RequestError::new(Setting::Network, reason))
                    }
                }
            }
            Err(error) => Err(RequestError::network(error)),
        }
    }

    /// The networks that the request needs, determined without loading one.
    pub(crate) fn networks_wanted(&self) -> Vec<NetworkWanted> {
        let method = self.method(None);
        if method.has_policy() {
            let named = [self.settings.policy_name()].into_iter().chain(self.settings.human_name());
            return named.map(|name| NetworkWanted::Policy(name.to_owned())).collect();
        }
        let satisfaction = self.satisfaction_name().filter(|_| method.uses_satisfaction_values());
        satisfaction.map(NetworkWanted::Satisfaction).into_iter().collect()
    }

    /// The name of the satisfaction network; `None` if positions are evaluated without one.
    fn satisfaction_name(&self) -> Option<String> {
        let GenerationSettings { network, eval_file, evaluator, .. } = &self.settings;
        let named = network.as_ref().or(eval_file.as_ref());
        let wants_network = match evaluator {
            Evaluator::Auto => {
                let goal = self.target.goal.as_ref();
                named.is_some() || goal.is_some_and(is_default_network_trained_on)
            }
            Evaluator::Network => true,
            Evaluator::Men | Evaluator::HandWritten | Evaluator::Article => false,
        };
        wants_network.then(|| named.map_or(SatisfactionNetwork::DEFAULT, String::as_str).to_owned())
    }

    /// The policy.
    pub(super) fn policy_network(
        &self,
        networks: &mut impl NetworkSource,
    ) -> Result<Arc<Policy>, RequestError> {
        let backend = self.backend()?;
        networks.policy(self.settings.policy_name(), backend).map_err(RequestError::network)
    }

    /// The policy that models people, if it is another one.
    pub(super) fn human_network(
        &self,
        networks: &mut impl NetworkSource,
    ) -> Result<Option<Arc<Policy>>, RequestError> {
        let Some(name) = self.settings.human_name() else { return Ok(None) };
        let found = networks.policy(name, self.backend()?);
        found.map(Some).map_err(|error| RequestError::network_of(Setting::HumanNetwork, error))
    }

    /// The model that evaluates positions.
    pub(super) fn model(
        &self,
        method: Method,
        networks: &mut impl NetworkSource,
    ) -> Result<SatisfactionModel, RequestError> {
        self.check_counted(method)?;
        let Some(name) = self.satisfaction_name() else { return Ok(SatisfactionModel::Men) };
        let network = networks.network(&name, self.backend()?);
        network.map(SatisfactionModel::Network).map_err(RequestError::network)
    }

    /// The backend, if this build has it.
    fn backend(&self) -> Result<Backend, RequestError> {
        let backend = self.settings.backend;
        match backend.check() {
            Ok(()) => Ok(backend),
            Err(reason) => Err(RequestError::at(
                Setting::Backend,
                Value::Word(backend.word()),
                RequestFault::Backend(reason),
            )),
        }
    }

    /// Checks that a method that is led by numbers of men can be used.
    fn check_counted(&self, method: Method) -> Result<(), RequestError> {
        let GenerationSettings { faithful, evaluator, backend, .. } = self.settings;
        if self.target.goal.is_none() {
            if faithful {
                return Err(RequestError::new(Setting::Faithful, RequestFault::FaithfulToCountsOnly));
            }
            let reason = RequestFault::CountsOnly(self.target.constraint.to_string());
            return Err(RequestError::at(Setting::Method, Value::Word(method.word()), reason));
        }
        if evaluator.excludes_networks() && self.settings.network.is_some() {
            return Err(RequestError::new(Setting::Network, RequestFault::NoNetwork(evaluator)));
        }
        if backend != Backend::Cpu && self.satisfaction_name().is_none() {
            let reason = RequestFault::NothingToRun { is_automatic: evaluator == Evaluator::Auto };
            return Err(RequestError::at(Setting::Backend, Value::Word(backend.word()), reason));
        }
        Ok(())
    }
}
