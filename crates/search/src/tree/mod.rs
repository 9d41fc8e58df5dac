//! Monte Carlo tree search with priors (PUCT; Rosin 2011, Silver et al. 2018), for play and for cooperation.
//!
//! Each visit descends the tree of `nodes` by `selection`, lets a [`NodeEvaluator`] evaluate the position at the end,
//! and backs up the value according to [`Backup`]. Each evaluation adds one node. Proved results, such as mates, are
//! backed up as proved. Threads share the tree. Visits in progress count as losses (virtual loss), so that threads
//! choose different moves.

mod backup;
mod candidate;
mod edge;
mod evaluator;
mod exploration;
mod found;
mod nodes;
mod progress;
mod puct;
mod selection;
mod visit;

pub use backup::{Backup, Known};
pub use candidate::Candidate;
pub use edge::Edge;
pub use evaluator::{NodeEvaluation, NodeEvaluator};
pub use exploration::Exploration;
pub use found::Found;
pub use progress::TreeProgress;
pub use puct::Puct;

#[cfg(test)]
mod tests;
