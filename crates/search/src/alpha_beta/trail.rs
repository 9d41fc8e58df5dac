//! What a scorer knows of the positions of the line that is searched.

use shakmaty::zobrist::Zobrist64;

use super::node::Node;
use crate::scorer::Scorer;

/// The scorer's state of each position from the root to the node that is searched.
///
/// They lie where they are used, each made from the one before, and only once a node is looked at in earnest: what the
/// table answers needs none. A state depends on the men alone, so that of a position with the same key is the same.
#[derive(Debug)]
pub(super) struct Trail<S: Scorer> {
    /// By ply, each with the key of its position.
    states: Vec<(Zobrist64, S::State)>,
}

impl<S: Scorer> Trail<S> {
    /// One that nobody has followed.
    pub(super) fn new() -> Trail<S> {
        Trail { states: Vec::new() }
    }

    /// Begins at a root.
    pub(super) fn begin(&mut self, root: &Node, scorer: &S) {
        self.states.clear();
        self.states.push((root.key, scorer.root(&root.position)));
    }

    /// Goes on to a node; the nodes before it have been followed.
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

    /// What the scorer says of a node that has been followed, for the side to move.
    pub(super) fn value(&self, node: &Node, scorer: &S) -> i32 {
        scorer.value(&self.states[node.ply as usize].1, &node.position)
    }
}
