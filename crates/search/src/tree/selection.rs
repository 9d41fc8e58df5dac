//! The terms that choose the next move to look at, as functions of a node.

use super::{edge::Edge, nodes::TreeNode};

/// What a move counts as that was never visited: less, the more of the likely moves have been.
pub(super) fn first_play(node: &TreeNode, reduction: f32) -> f32 {
    let visited: f32 = node.edges.iter().filter(|edge| edge.seen() > 0).map(|edge| edge.prior).sum();
    node.value() - reduction * visited.sqrt()
}

/// The worth of looking at a move once more: its value, and what its prior adds while it has few visits.
///
/// Visits under way count as made, with the worst value that there is, so that others look elsewhere.
///
/// `root_of_visits` is the square root of the node's visits.
pub(super) fn worth(edge: &Edge, exploration: f32, root_of_visits: f32, first_play: f32, worst: f32) -> f32 {
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

    /// A move that was visited so often, with this value found.
    fn edge(visits: u32, value: f32, prior: f32) -> Edge {
        let m = Chess::default().legal_moves()[0];
        let mut edge = Edge::new(m, prior, None);
        (edge.visits, edge.value) = (visits, value);
        edge
    }

    #[test]
    fn visits_and_those_under_way_make_a_move_worth_less_to_look_at() {
        let worth = |edge: &Edge| worth(edge, 1.5, 10.0, 0.0, -1.0);
        assert!(worth(&edge(5, 0.2, 0.3)) > worth(&edge(6, 0.2, 0.3)));
        assert!(worth(&edge(5, 0.2, 0.4)) > worth(&edge(5, 0.2, 0.3)));
        let mut waiting = edge(5, 0.2, 0.3);
        waiting.waiting = 1;
        // A visit under way counts as one that was lost.
        assert!(worth(&waiting) < worth(&edge(6, 0.2, 0.3)));
        assert_eq!(worth(&edge(4, 0.25, 0.0)), 0.25);
    }

    #[test]
    fn what_was_never_looked_at_counts_as_expected_or_a_little_less_than_its_node() {
        let mut unseen = edge(0, 0.0, 0.0);
        assert_eq!(worth(&unseen, 1.5, 10.0, -0.5, -1.0), -0.5);
        unseen.expected = Some(0.75);
        assert_eq!(worth(&unseen, 1.5, 10.0, -0.5, -1.0), 0.75);
    }
}
