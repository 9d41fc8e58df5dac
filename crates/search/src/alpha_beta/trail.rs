//! The incremental states of a scorer for the positions of the current line.

use shakmaty::zobrist::Zobrist64;

use super::node::Node;
use crate::scorer::Scorer;

/// The scorer's state for each position from the root to the current node.
///
/// Each state is computed from the previous one, and only when a node is searched: nodes that the table answers need
/// none. A state depends only on the men, so positions with equal keys have equal states.
#[derive(Debug)]
pub(super) struct Trail<S: Scorer> {
    /// The states by ply, each with the key of its position.
    states: Vec<(Zobrist64, S::State)>,
}

impl<S: Scorer> Trail<S> {
    /// An empty trail.
    pub(super) fn new() -> Trail<S> {
        Trail { states: Vec::new() }
    }

    /// Starts the trail at a root.
    pub(super) fn begin(&mut self, root: &Node, scorer: &S) {
        self.states.clear();
        self.states.push((root.key, scorer.root(&root.position)));
    }

    /// Extends the trail to a node. It must already include the node's parent.
    pub(super) fn follow(&mut self, node: &Node, scorer: &S) {
        let ply = node.ply as usize;
        if self.states.len() == ply {
            self.states.push(self.states[ply - 1].clone());
        } else if self.states[ply].0 == node.key {
            return;
        }
        let (before, after) = self.states.split_at_mut(ply);
        let ((_, before), (key, after)) = (&before[ply - 1], &mut after[0]);
        match node.reached_by {
            Some(m) => scorer.after(before, m, &node.position, after),
            None => after.clone_from(before),
        }
        *key = node.key;
    }

    /// The scorer's evaluation of a node on the trail, for the side to move.
    pub(super) fn value(&self, node: &Node, scorer: &S) -> i32 {
        scorer.value(&self.states[node.ply as usize].1, &node.position)
    }
}
