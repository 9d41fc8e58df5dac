//! Monte Carlo tree search with priors (PUCT; Rosin 2011, Silver et al. 2018), for play and for cooperation.
//!
//! Each visit goes down the tree of `nodes` by `selection`, asks a [`Judge`] to evaluate the position at its end,
//! and passes the value back by the rule of [`Backup`]. One evaluation makes one node. A proved result, such as a mate,
//! is passed back as proved. Threads share the tree; visits under way count as losses, so that threads choose different
//! moves.

mod backup;
mod candidate;
mod edge;
mod exploration;
mod found;
mod judge;
mod nodes;
mod progress;
mod puct;
mod selection;
mod visit;

pub use backup::{Backup, Known};
pub use candidate::Candidate;
pub use edge::Edge;
pub use exploration::Exploration;
pub use found::Found;
pub use judge::{Judge, Judgement};
pub use progress::TreeProgress;
pub use puct::Puct;

#[cfg(test)]
mod tests;
