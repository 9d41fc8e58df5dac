//! The positions after one move, as far as the diagram may still be reached from them in time.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use shakmaty::{Chess, Color, Move, Position};

use super::{bounds::Bounds, goal::Goal, keys::State};
use crate::Limits;

/// A position of a game on its way.
#[derive(Clone)]
pub(super) struct Node {
    pub position: Chess,
    pub state: State,
    /// The moves that both sides still need, at least.
    pub needed: u32,
}

/// Why a search ended before its end.
pub(super) struct Cut;

/// Nodes between two looks at the clock.
const LOOK: u64 = 1024;

/// Makes moves and counts them; every thread has its own.
pub(super) struct Expansion<'a> {
    goal: &'a Goal,
    bounds: Bounds,
    limits: Limits<'a>,
    /// Nodes of all threads.
    all: &'a AtomicU64,
    /// Those of this thread that are not among them yet.
    nodes: u64,
}

impl Node {
    /// The root of all games.
    pub(super) fn root(position: &Chess) -> Node {
        Node { position: position.clone(), state: State::of(position), needed: 0 }
    }

    /// That after a move, where both sides need so many moves more.
    pub(super) fn after(&self, m: Move, needed: u32) -> Node {
        Node { position: played(&self.position, m), state: self.state.after(m, &self.position), needed }
    }
}

impl<'a> Expansion<'a> {
    pub(super) fn new(goal: &'a Goal, limits: Limits<'a>, all: &'a AtomicU64) -> Expansion<'a> {
        Expansion { goal, bounds: Bounds::new(), limits, all, nodes: 0 }
    }

    /// The least number of moves that each side needs from `node`, White's first.
    pub(super) fn moves_needed(&mut self, node: &Node) -> [u8; 2] {
        let board = node.position.board();
        Color::ALL.map(|color| self.bounds.moves_needed(self.goal, &node.state, color, || board))
    }

    /// Puts the positions after one move from `node`, which has so many plies left at most, behind those in `children`, if
    /// the diagram may be reached from them in time: in the order in which moves are generated.
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
        // The other side moves next, and has the odd one.
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
            // Most moves are hopeless, and most of these are known to be by their keys: the board after them is not made
            // before it must be.
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

    /// Counts a node; every now and then it looks at the limits.
    fn count(&mut self) -> Result<(), Cut> {
        self.nodes += 1;
        if self.nodes == LOOK {
            self.tell_nodes();
            if self.limits.forbid(self.all.load(Relaxed), 0) {
                return Err(Cut);
            }
        }
        Ok(())
    }

    /// Adds this thread's nodes to those of all.
    fn tell_nodes(&mut self) {
        self.all.fetch_add(std::mem::take(&mut self.nodes), Relaxed);
    }
}

impl Drop for Expansion<'_> {
    fn drop(&mut self) {
        self.tell_nodes();
    }
}

/// The position after a move.
fn played(position: &Chess, m: Move) -> Chess {
    let mut after = position.clone();
    after.play_unchecked(m);
    after
}
