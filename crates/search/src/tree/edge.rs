use shakmaty::Move;

use super::backup::Known;

/// A move of a node, and what is known of it. Values are those of the mover.
#[derive(Clone, Debug)]
pub struct Edge {
    /// The move.
    pub m: Move,
    /// How likely it is the best, before it was looked at.
    pub prior: f32,
    /// What the network expects of it before it was looked at, if it says that.
    pub expected: Option<f32>,
    /// Visits that have ended.
    pub visits: u32,
    /// Visits under way.
    pub waiting: u32,
    /// The value found so far; 0 before the first visit.
    pub value: f32,
    /// The share of draws among what was found.
    pub drawn: f32,
    /// What is proved of it.
    pub known: Option<Known>,
    /// Where the node that it leads to stands, if that was evaluated.
    pub(super) child: Option<u32>,
}

impl Edge {
    /// A move that was never looked at.
    pub fn new(m: Move, prior: f32, expected: Option<f32>) -> Edge {
        Edge { m, prior, expected, visits: 0, waiting: 0, value: 0.0, drawn: 0.0, known: None, child: None }
    }

    /// Visits, those under way among them.
    pub fn seen(&self) -> u32 {
        self.visits + self.waiting
    }
}
