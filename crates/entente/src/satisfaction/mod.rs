//! What a job asks about positions: men are counted, or a network is asked.
//!
//! A [`SatisfactionModel`] is what a job was given. For a goal it builds the evaluator, [`ModelEvaluator`]: a count of men
//! ([`ManCount`]), or a satisfaction network ([`NetworkEvaluator`]).
//!
//! To add an evaluator, implement [`SatisfactionEvaluator`](entente_search::satisfaction::SatisfactionEvaluator) in a file here, or in
//! `satisfaction/` if it needs no network, and build it from a variant of [`SatisfactionModel`].

mod model_evaluator;
mod network_evaluator;

use std::sync::Arc;

pub use model_evaluator::ModelEvaluator;
pub use network_evaluator::NetworkEvaluator;

use entente_constraint::{Goal, thesis};
use entente_network::{NetworkError, SatisfactionNetwork};
use entente_search::satisfaction::ManCount;

/// What values positions on the way to a goal.
#[derive(Clone, Debug)]
pub enum SatisfactionModel {
    /// The numbers of men.
    Men,
    /// A satisfaction network.
    Network(Arc<SatisfactionNetwork>),
}

impl SatisfactionModel {
    /// Builds the evaluator for `goal`.
    ///
    /// # Errors
    /// [`NetworkError::Unreadable`] if the network cannot see the goal's conditions.
    pub fn evaluator(&self, goal: &Goal) -> Result<ModelEvaluator, NetworkError> {
        Ok(match self {
            SatisfactionModel::Men => ModelEvaluator::Men(ManCount::new(goal)),
            SatisfactionModel::Network(network) => {
                ModelEvaluator::Network(Box::new(NetworkEvaluator::new(network, goal)?))
            }
        })
    }

    /// Plies of cooperative search that suit the evaluator: a network costs more and sees further.
    pub fn default_depth(&self) -> u32 {
        if matches!(self, SatisfactionModel::Men) { 2 } else { 1 }
    }

    /// The name that output carries: `men` or the network's.
    pub fn name(&self) -> &str {
        match self {
            SatisfactionModel::Men => "men",
            SatisfactionModel::Network(network) => network.name(),
        }
    }
}

/// True if the default network was trained on the goal.
pub fn is_default_network_trained_on(goal: &Goal) -> bool {
    goal.exact_white().is_some_and(|counts| thesis::SEVENTEEN.contains(&counts))
}
