use std::sync::Arc;

use super::{ByNetwork, ManCount, SatisfactionEvaluator};
use crate::{
    constraint::{Goal, thesis},
    network::{NetworkError, Policy, SatisfactionNetwork},
};

/// What a method of generation asks about positions.
#[derive(Clone, Debug)]
pub enum Adviser {
    /// The numbers of men.
    Men,
    /// A satisfaction network.
    Network(Arc<SatisfactionNetwork>),
    /// A policy, which draws moves; where positions are to be valued men are counted.
    Policy(Arc<Policy>),
}

impl Adviser {
    /// Builds the evaluator for `goal`.
    ///
    /// # Errors
    /// [`NetworkError::Unreadable`] if the network cannot see the goal's conditions.
    pub fn evaluator(&self, goal: &Goal) -> Result<Box<dyn SatisfactionEvaluator>, NetworkError> {
        Ok(match self {
            Adviser::Men | Adviser::Policy(_) => Box::new(ManCount::new(goal)),
            Adviser::Network(network) => Box::new(ByNetwork::new(network, goal)?),
        })
    }

    /// Plies of cooperative search that suit the evaluator: a network costs more and sees further.
    pub fn default_depth(&self) -> u32 {
        if matches!(self, Adviser::Men | Adviser::Policy(_)) { 2 } else { 1 }
    }

    /// The name that output carries: `men` or the network's.
    pub fn name(&self) -> &str {
        match self {
            Adviser::Men => "men",
            Adviser::Policy(policy) => policy.name(),
            Adviser::Network(network) => network.name(),
        }
    }
}

/// True if the default network was trained on the goal.
pub fn is_default_network_trained_on(goal: &Goal) -> bool {
    goal.exact_white().is_some_and(|counts| thesis::SEVENTEEN.contains(&counts))
}
