//! The terms that choose the next move to look at, as functions of a node and the parameters.

use super::{
    Parameters,
    tree::{Edge, Node},
};

/// How much exploration counts at a node visited so often.
pub(super) fn exploration(visits: u32, parameters: &Parameters) -> f32 {
    let growth = ((visits as f32 + parameters.exploration_base + 1.0) / parameters.exploration_base).ln();
    parameters.exploration + growth
}

/// What a move counts as that was never visited: less, the more of the likely moves have been.
pub(super) fn first_play(node: &Node, parameters: &Parameters) -> f32 {
    let visited: f32 = node.edges.iter().filter(|edge| edge.seen() > 0).map(|edge| edge.prior).sum();
    node.value() - parameters.first_play_reduction * visited.sqrt()
}

/// The worth of looking at a move once more: its value, and what its prior adds while it has few visits.
///
/// Visits under way count as made, with the worst value that there is, so that others look elsewhere.
pub(super) fn worth(edge: &Edge, exploration: f32, root: f32, first_play: f32, worst: f32) -> f32 {
    let value = match (edge.visits, edge.waiting) {
        (0, 0) => edge.expected.unwrap_or(first_play),
        (visits, waiting) => {
            let (visits, waiting) = (visits as f32, waiting as f32);
            (visits * edge.value + waiting * worst) / (visits + waiting)
        }
    };
    value + exploration * edge.prior * root / (1.0 + edge.seen() as f32)
}
