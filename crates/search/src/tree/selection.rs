//! The PUCT formula, which selects the next move to visit.

use super::{edge::Edge, nodes::TreeNode};

/// The value of unvisited moves (first play urgency). It falls as more of the likely moves have been visited.
#[inline]
pub(super) fn first_play(node: &TreeNode, reduction: f32) -> f32 {
    let visited: f32 = node.edges.iter().filter(|edge| edge.seen() > 0).map(|edge| edge.prior).sum();
    node.value() - reduction * visited.sqrt()
}

/// The PUCT score of a move: its value plus an exploration bonus, which is proportional to its prior and falls with its
/// visits.
///
/// Visits in progress count with the `worst` value (virtual loss), so that other threads choose other moves.
///
/// `root_of_visits` is the square root of the node's visits.
pub(super) fn score(edge: &Edge, exploration: f32, root_of_visits: f32, first_play: f32, worst: f32) -> f32 {
    let value = match (edge.visits, edge.waiting) {
        (0, 0) => edge.expected.unwrap_or(first_play),
        (visits, waiting) => {
            let (visits, waiting) = (visits as f32, waiting as f32);
            (visits * edge.value + waiting * worst) / (visits + waiting)
        }
    };
    value + exploration * edge.prior * root_of_visits / (1.0 + edge.seen() as f32)
}

#[cfg(test)]
mod tests {
    use shakmaty::{Chess, Position};

    use super::*;

    /// A move with a number of visits, a value and a prior.
    fn edge(visits: u32, value: f32, prior: f32) -> Edge {
        let m = Chess::default().legal_moves()[0];
        let mut edge = Edge::new(m, prior, None);
        (edge.visits, edge.value) = (visits, value);
        edge
    }

    #[test]
    fn completed_visits_and_visits_in_progress_lower_the_score() {
        let score = |edge: &Edge| score(edge, 1.5, 10.0, 0.0, -1.0);
        assert!(score(&edge(5, 0.2, 0.3)) > score(&edge(6, 0.2, 0.3)));
        assert!(score(&edge(5, 0.2, 0.4)) > score(&edge(5, 0.2, 0.3)));
        let mut waiting = edge(5, 0.2, 0.3);
        waiting.waiting = 1;
        // A visit in progress counts as a loss.
        assert!(score(&waiting) < score(&edge(6, 0.2, 0.3)));
        assert_eq!(score(&edge(4, 0.25, 0.0)), 0.25);
    }

    #[test]
    fn unvisited_moves_count_as_expected_or_as_first_play() {
        let mut unseen = edge(0, 0.0, 0.0);
        assert_eq!(score(&unseen, 1.5, 10.0, -0.5, -1.0), -0.5);
        unseen.expected = Some(0.75);
        assert_eq!(score(&unseen, 1.5, 10.0, -0.5, -1.0), 0.75);
    }
}
