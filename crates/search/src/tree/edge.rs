use shakmaty::Move;

use super::backup::Known;

/// A move of a node with its statistics. Values are for the side that makes the move.
#[derive(Clone, Debug)]
pub struct Edge {
    /// The move.
    pub m: Move,
    /// The prior probability of the move.
    pub prior: f32,
    /// The network's estimate of the move's value before any visit, if it gives one.
    pub expected: Option<f32>,
    /// The number of completed visits.
    pub visits: u32,
    /// The number of visits in progress.
    pub waiting: u32,
    /// The value found so far; 0 before the first visit.
    pub value: f32,
    /// The probability of a draw found so far.
    pub drawn: f32,
    /// The proved result, if there is one.
    pub known: Option<Known>,
    /// The index of the child node, if it has been evaluated.
    pub(super) child: Option<u32>,
}

impl Edge {
    /// A move without visits.
    pub fn new(m: Move, prior: f32, expected: Option<f32>) -> Edge {
        Edge { m, prior, expected, visits: 0, waiting: 0, value: 0.0, drawn: 0.0, known: None, child: None }
    }

    /// The number of visits, including those in progress.
    pub fn seen(&self) -> u32 {
        self.visits + self.waiting
    }
}
