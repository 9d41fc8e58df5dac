//! What a job asks about positions: men are counted, or a network is asked.
//!
//! An [`Adviser`] is what a job was given. For a goal it builds the evaluator, [`ByAdviser`]: a count of men
//! ([`ManCount`]), or a satisfaction network ([`ByNetwork`]).
//!
//! To add an evaluator, implement [`SatisfactionEvaluator`](entente_search::satisfaction::SatisfactionEvaluator) in a file here, or in
//! `satisfaction/` if it needs no network, and build it from a variant of [`Adviser`].

mod by_adviser;
mod by_network;

use std::sync::Arc;

pub use by_adviser::ByAdviser;
pub use by_network::ByNetwork;

use entente_constraint::{Goal, thesis};
use entente_network::{NetworkError, SatisfactionNetwork};
use entente_search::satisfaction::ManCount;

/// What values positions on the way to a goal.
#[derive(Clone, Debug)]
pub enum Adviser {
    /// The numbers of men.
    Men,
    /// A satisfaction network.
    Network(Arc<SatisfactionNetwork>),
}

impl Adviser {
    /// Builds the evaluator for `goal`.
    ///
    /// # Errors
    /// [`NetworkError::Unreadable`] if the network cannot see the goal's conditions.
    pub fn evaluator(&self, goal: &Goal) -> Result<ByAdviser, NetworkError> {
        Ok(match self {
            Adviser::Men => ByAdviser::Men(ManCount::new(goal)),
            Adviser::Network(network) => ByAdviser::Network(Box::new(ByNetwork::new(network, goal)?)),
        })
    }

    /// Plies of cooperative search that suit the evaluator: a network costs more and sees further.
    pub fn default_depth(&self) -> u32 {
        if matches!(self, Adviser::Men) { 2 } else { 1 }
    }

    /// The name that output carries: `men` or the network's.
    pub fn name(&self) -> &str {
        match self {
            Adviser::Men => "men",
            Adviser::Network(network) => network.name(),
        }
    }
}

/// True if the default network was trained on the goal.
pub fn is_default_network_trained_on(goal: &Goal) -> bool {
    goal.exact_white().is_some_and(|counts| thesis::SEVENTEEN.contains(&counts))
}
