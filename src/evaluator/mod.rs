//! Evaluators: how near a position is to meeting a constraint.
//!
//! [`Material`] counts men and needs no network, [`Tract`] runs a trained network on the CPU, `Torch`
//! (feature `torch`) on the CPU or a GPU. Search
//! asks for the values of all moves of a position at once, so that an evaluator may share work
//! between them.

mod kind;
mod material;
mod model;
mod network;
#[cfg(feature = "torch")]
mod operators;
mod panics;
mod policy;
mod session;
#[cfg(feature = "torch")]
mod torch;
mod tract;

use std::sync::Arc;

use shakmaty::{Chess, Move};

pub use kind::{NetworkKind, read_network};
pub use material::Material;
pub use network::{Network, NetworkError};
pub use panics::hide_caught_panics;
pub use policy::{Opinion, Policy, PolicySession};
pub use session::Session;
#[cfg(feature = "torch")]
pub use torch::Torch;
pub use tract::Tract;

use crate::constraint::{Goal, thesis};

/// Gives networks by their name or path, each loaded once if it is asked for again.
pub trait NetworkSource {
    /// A network that values positions.
    ///
    /// # Errors
    /// [`NetworkError`] if there is none.
    fn network(&mut self, name: &str) -> Result<Arc<Network>, NetworkError>;

    /// A policy.
    ///
    /// # Errors
    /// [`NetworkError`] if there is none.
    fn policy(&mut self, name: &str) -> Result<Arc<Policy>, NetworkError>;
}

/// Loads each network anew.
pub struct Files;

impl NetworkSource for Files {
    fn network(&mut self, name: &str) -> Result<Arc<Network>, NetworkError> {
        Network::open(name).map(Arc::new)
    }

    fn policy(&mut self, name: &str) -> Result<Arc<Policy>, NetworkError> {
        Policy::open(name).map(Arc::new)
    }
}

/// True if the default network was trained on the goal.
pub fn is_default_network_trained_on(goal: &Goal) -> bool {
    goal.exact_white().is_some_and(|counts| thesis::SEVENTEEN.contains(&counts))
}

/// Values positions for one goal; every search thread has its own.
pub trait Evaluator: Send {
    /// Appends to `values` the value, in [0, 1], of the position after each of the legal `moves`.
    ///
    /// 1 is satisfied or sure to be, 0 is hopeless. An evaluator that takes long asks `stop` every now and then, and
    /// gives fewer values once it says true: a GUI waits for the answer to its `stop`.
    ///
    /// # Errors
    /// [`NetworkError::Model`] if a network that could be loaded cannot be run here; then `values` are worthless.
    fn evaluate_moves(
        &mut self,
        position: &Chess,
        moves: &[Move],
        stop: &dyn Fn() -> bool,
        values: &mut Vec<f32>,
    ) -> Result<(), NetworkError>;

    /// The value of one position, as above.
    ///
    /// # Errors
    /// As [`Evaluator::evaluate_moves`].
    fn evaluate(&mut self, position: &Chess) -> Result<f32, NetworkError>;

    /// The lowest value that counts as "within `criterion` of the best".
    ///
    /// The thesis subtracts from what its networks say; see [`Material`] for the other way. The
    /// published variant of a search always subtracts.
    fn threshold(&self, best: f32, criterion: f32) -> f32 {
        best - criterion
    }

    /// The least remaining depth, in plies, at which looking a position up costs less than searching it.
    fn worthwhile_table_depth(&self) -> u32 {
        1
    }
}

/// Which evaluator to build for a goal.
#[derive(Clone, Debug)]
pub enum Recipe {
    /// The hand-written evaluator.
    Material,
    /// A network, through tract.
    Network(Arc<Network>),
    /// A network, through libtorch.
    #[cfg(feature = "torch")]
    Torch(Arc<Network>),
    /// A policy, which draws moves; where positions are to be valued men are counted.
    Policy(Arc<Policy>),
}

impl Recipe {
    /// Builds the evaluator for `goal`.
    ///
    /// # Errors
    /// [`NetworkError::Unreadable`] if the network cannot see the goal's conditions.
    pub fn build(&self, goal: &Goal) -> Result<Box<dyn Evaluator>, NetworkError> {
        Ok(match self {
            Recipe::Material | Recipe::Policy(_) => Box::new(Material::new(goal)),
            Recipe::Network(network) => Box::new(Tract::new(network, goal)?),
            #[cfg(feature = "torch")]
            Recipe::Torch(network) => Box::new(Torch::new(network, goal)?),
        })
    }

    /// Plies of cooperative search that suit the evaluator: a network costs more and sees further.
    pub fn default_depth(&self) -> u32 {
        if matches!(self, Recipe::Material | Recipe::Policy(_)) { 2 } else { 1 }
    }

    /// The name that output carries: `material` or the network's.
    pub fn name(&self) -> &str {
        match self {
            Recipe::Material => "material",
            Recipe::Policy(policy) => policy.name(),
            Recipe::Network(network) => network.name(),
            #[cfg(feature = "torch")]
            Recipe::Torch(network) => network.name(),
        }
    }
}
