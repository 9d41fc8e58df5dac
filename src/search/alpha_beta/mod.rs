//! Competitive search: negamax with alpha-beta, which plays without a network.
//!
//! Iterative deepening over a principal variation search with transposition table, null moves, late move reductions and
//! quiescence search.

mod exchange;
mod iteration;
mod node;
mod ordering;
mod profile;
mod quiescence;
mod table;
mod tree;
mod value;
mod window;

use shakmaty::zobrist::Zobrist64;

pub use self::{
    exchange::is_settled,
    profile::{Attention, Gaze, Profile},
};
use self::{ordering::Ordering, table::Table, value::MAX_PLY};
use super::Limits;
use crate::scorer::{HandWritten, Scorer};

/// Nodes between two looks at the limits.
const NODES_BETWEEN_LOOKS: u64 = 1024;

/// A competitive search, with what it remembers of earlier ones, by what a scorer says positions are worth.
#[derive(Debug)]
pub struct AlphaBeta<S = HandWritten> {
    scorer: S,
    table: Table,
    ordering: Ordering,
    /// The positions before the root, the first one first.
    past: Vec<Zobrist64>,
    /// The positions from the root to the node searched, without the latter.
    path: Vec<Zobrist64>,
    nodes: u64,
    selective_depth: u32,
    stopped: bool,
}

impl AlphaBeta {
    /// The deepest iteration.
    pub const MAX_DEPTH: u32 = MAX_PLY - 1;

    /// As deep as a mate in so many moves is looked for, in plies: late moves are searched less deep than others.
    pub fn depth_for_mate(moves: u32) -> u32 {
        moves.saturating_mul(2).saturating_add(4).min(AlphaBeta::MAX_DEPTH)
    }

    /// A search with a transposition table of so many mebibytes, at least 1, by the hand-written evaluation.
    pub fn new(mebibytes: usize) -> AlphaBeta {
        AlphaBeta::with_scorer(mebibytes, HandWritten)
    }

    /// A search of so few nodes at a time that its table should be emptied between them at no cost.
    pub fn short() -> AlphaBeta {
        AlphaBeta::short_with_scorer(HandWritten)
    }
}

impl<S: Scorer> AlphaBeta<S> {
    /// The same by any scorer.
    pub fn with_scorer(mebibytes: usize, scorer: S) -> AlphaBeta<S> {
        AlphaBeta::with_table(Table::new(mebibytes), scorer)
    }

    /// The same as [`AlphaBeta::short`], by any scorer.
    pub fn short_with_scorer(scorer: S) -> AlphaBeta<S> {
        /// For some thousand positions.
        const BYTES: usize = 128 << 10;
        AlphaBeta::with_table(Table::of_bytes(BYTES), scorer)
    }

    fn with_table(table: Table, scorer: S) -> AlphaBeta<S> {
        AlphaBeta {
            scorer,
            table,
            ordering: Ordering::new(),
            past: Vec::new(),
            path: Vec::new(),
            nodes: 0,
            selective_depth: 0,
            stopped: false,
        }
    }

    /// Forgets earlier games, so that a search depends on nothing but its input.
    pub fn forget(&mut self) {
        self.table.clear();
        self.ordering = Ordering::new();
    }

    /// Counts a node; true if the search must end.
    fn visit(&mut self, ply: u32, limits: Limits<'_>) -> bool {
        self.nodes += 1;
        self.selective_depth = self.selective_depth.max(ply);
        if self.nodes.is_multiple_of(NODES_BETWEEN_LOOKS) || self.nodes >= limits.nodes {
            self.stopped |= limits.forbid(self.nodes, 1);
        }
        self.stopped
    }
}

#[cfg(test)]
mod tests;
