//! The expansion of a node: the positions after one move from which the diagram may still be reached in time.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use shakmaty::{Chess, Color, Move, Position};

use super::{bounds::Bounds, goal::ProofGoal, keys::State};
use crate::Limits;

/// A node: a position of a partial game.
#[derive(Clone)]
pub(super) struct Node {
    pub position: Chess,
    pub state: State,
    /// A lower bound on the number of moves that both sides together still need.
    pub needed: u32,
}

/// The error of a search that a limit has interrupted.
pub(super) struct Cut;

/// The number of nodes between two checks of the limits.
const NODES_BETWEEN_CHECKS: u64 = 1024;

/// Expands nodes and counts them. Every thread has its own.
pub(super) struct Expansion<'a> {
    goal: &'a ProofGoal,
    bounds: Bounds,
    limits: Limits<'a>,
    /// The published nodes of all threads.
    all: &'a AtomicU64,
    /// The nodes of this thread that have not been published.
    nodes: u64,
}

impl Node {
    /// The root of all games.
    pub(super) fn root(position: &Chess) -> Node {
        Node { position: position.clone(), state: State::of(position), needed: 0 }
    }

    /// The node after a move, with a lower bound `needed` on the moves that both sides together still need.
    pub(super) fn after(&self, m: Move, needed: u32) -> Node {
        Node { position: played(&self.position, m), state: self.state.after(m, &self.position), needed }
    }
}

impl<'a> Expansion<'a> {
    pub(super) fn new(goal: &'a ProofGoal, limits: Limits<'a>, all: &'a AtomicU64) -> Expansion<'a> {
        Expansion { goal, bounds: Bounds::new(), limits, all, nodes: 0 }
    }

    /// A lower bound on the moves that each side needs from `node`, White's first.
    pub(super) fn moves_needed(&mut self, node: &Node) -> [u8; 2] {
        let board = node.position.board();
        Color::ALL.map(|color| self.bounds.moves_needed(self.goal, &node.state, color, || board))
    }

    /// Appends the positions after one move from `node` to `children`, if the diagram may be reached from them within
    /// `plies` plies of `node`. They are in the order in which moves are generated.
    ///
    /// # Errors
    /// [`Cut`] if a limit ends the search.
    pub(super) fn expand(
        &mut self,
        node: &Node,
        plies: u32,
        children: &mut Vec<(Move, Node)>,
    ) -> Result<(), Cut> {
        let color = node.position.turn();
        // After this move the other side is to move, so it gets the odd ply.
        let left = [(color, (plies - 1) / 2), (color.other(), (plies - 1).div_ceil(2))];
        let [captures, others] =
            left.map(|(color, _)| self.goal.captures_needed(node.position.board(), color));
        if others > left[1].1 {
            return Ok(());
        }
        for m in node.position.legal_moves() {
            self.count()?;
            if captures > left[0].1 + u32::from(m.is_capture()) {
                continue;
            }
            let state = node.state.after(m, &node.position);
            // Most moves are hopeless, and the bounds of most of these are in the cache. So the board after the move is
            // only computed if it is needed.
            let mut after = None;
            let mut needed = 0;
            let is_hopeless = left.iter().any(|(color, left)| {
                let made = &mut after;
                let needs = self.bounds.moves_needed(self.goal, &state, *color, move || {
                    made.get_or_insert_with(|| played(&node.position, m)).board()
                });
                let needs = u32::from(needs);
                needed += needs;
                needs > *left
            });
            if !is_hopeless {
                let position = after.unwrap_or_else(|| played(&node.position, m));
                children.push((m, Node { position, state, needed }));
            }
        }
        Ok(())
    }

    /// Counts a node, and checks the limits from time to time.
    fn count(&mut self) -> Result<(), Cut> {
        self.nodes += 1;
        if self.nodes == NODES_BETWEEN_CHECKS {
            self.publish_nodes();
            if self.limits.forbid(self.all.load(Relaxed), 0) {
                return Err(Cut);
            }
        }
        Ok(())
    }

    /// Adds this thread's nodes to the total of all threads.
    fn publish_nodes(&mut self) {
        self.all.fetch_add(std::mem::take(&mut self.nodes), Relaxed);
    }
}

impl Drop for Expansion<'_> {
    fn drop(&mut self) {
        self.publish_nodes();
    }
}

/// The position after a move.
fn played(position: &Chess, m: Move) -> Chess {
    let mut after = position.clone();
    after.play_unchecked(m);
    after
}
