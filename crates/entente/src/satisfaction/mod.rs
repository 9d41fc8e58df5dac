//! Evaluators of how near positions are to a goal: a count of men, or a network.
//!
//! A job has a [`SatisfactionModel`]. For a goal, the model builds the evaluator, a [`ModelEvaluator`]: a count of men
//! ([`ManCount`]), or a satisfaction network ([`NetworkEvaluator`]).
//!
//! To add an evaluator, implement [`SatisfactionEvaluator`](entente_search::satisfaction::SatisfactionEvaluator) in a
//! file here, or in the room `satisfaction/` of `entente-search` if it needs no network. Build it from a variant of
//! [`SatisfactionModel`].

mod model_evaluator;
mod network_evaluator;

use std::sync::Arc;

pub use model_evaluator::ModelEvaluator;
pub use network_evaluator::NetworkEvaluator;

use entente_constraint::{Goal, thesis};
use entente_network::{NetworkError, SatisfactionNetwork};
use entente_search::satisfaction::ManCount;

/// What evaluates positions on the way to a goal.
#[derive(Clone, Debug)]
pub enum SatisfactionModel {
    /// A count of men.
    Men,
    /// A satisfaction network.
    Network(Arc<SatisfactionNetwork>),
}

impl SatisfactionModel {
    /// Builds the evaluator for `goal`.
    ///
    /// # Errors
    /// [`NetworkError::Unreadable`] if the network's input cannot represent the goal.
    pub fn evaluator(&self, goal: &Goal) -> Result<ModelEvaluator, NetworkError> {
        Ok(match self {
            SatisfactionModel::Men => ModelEvaluator::Men(ManCount::new(goal)),
            SatisfactionModel::Network(network) => {
                ModelEvaluator::Network(Box::new(NetworkEvaluator::new(network, goal)?))
            }
        })
    }

    /// The depth in plies of cooperative search that suits the evaluator. A network costs more time and needs less
    /// depth.
    pub fn default_depth(&self) -> u32 {
        if matches!(self, SatisfactionModel::Men) { 2 } else { 1 }
    }

    /// Its name in output: `men`, or the name of the network.
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
