//! Competitive search: negamax with alpha-beta, which plays without a network.
//!
//! Iterative deepening over a principal variation search with transposition table, null moves, late move reductions and
//! quiescence search.

mod deep;
mod effort;
mod exchange;
mod grading;
mod iteration;
mod node;
mod ordering;
mod picker;
mod ply;
mod profile;
mod pruning;
mod quiescence;
mod scores;
mod table;
mod threads;
mod trail;
mod tree;
mod value;
mod window;

use std::sync::Arc;

use shakmaty::{Chess, Position, zobrist::Zobrist64};

pub use self::{
    exchange::{gives_up, is_settled},
    grading::Comparison,
    profile::{Attention, Gaze, Profile},
    scores::{MOST_DEPTHS, MoveScores},
};
use self::{
    node::Node,
    ordering::Ordering,
    picker::Ranked,
    ply::Ply,
    table::Table,
    threads::Company,
    trail::Trail,
    value::{MAX_PLY, Value},
};
use super::Limits;
use crate::scorer::{HandWritten, Scorer};

/// Nodes between two looks at the limits.
const NODES_BETWEEN_LOOKS: u64 = 1024;

/// A competitive search, with what it remembers of earlier ones, by what a scorer says positions are worth.
#[derive(Debug)]
pub struct AlphaBeta<S: Scorer = HandWritten> {
    scorer: S,
    trail: Trail<S>,
    table: Arc<Table>,
    company: Company,
    ordering: Ordering,
    /// The positions before the root, the first one first.
    past: Vec<Zobrist64>,
    /// The positions from the root to the node searched, without the latter.
    path: Vec<Zobrist64>,
    /// What it knows of each ply of the line searched; none if it is short.
    line: Vec<Ply>,
    /// Lists that no node needs any more, for the moves of the next one.
    spare: Vec<Vec<Ranked>>,
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
        AlphaBeta::with_table(Table::new(mebibytes), scorer, S::IS_SELECTIVE)
    }

    /// The same as [`AlphaBeta::short`], by any scorer.
    pub fn short_with_scorer(scorer: S) -> AlphaBeta<S> {
        /// For some thousand positions.
        const BYTES: usize = 128 << 10;
        AlphaBeta::with_table(Table::of_bytes(BYTES), scorer, false)
    }

    fn with_table(table: Table, scorer: S, is_deep: bool) -> AlphaBeta<S> {
        AlphaBeta {
            scorer,
            trail: Trail::new(),
            table: Arc::new(table),
            company: Company::default(),
            ordering: Ordering::new(is_deep),
            past: Vec::new(),
            path: Vec::new(),
            line: Ply::stack(is_deep),
            spare: Vec::new(),
            nodes: 0,
            selective_depth: 0,
            stopped: false,
        }
    }

    /// Forgets earlier games, so that a search depends on nothing but its input.
    pub fn forget(&mut self) {
        // Others share it during a search alone.
        Arc::get_mut(&mut self.table).expect("no search is running").clear();
        self.ordering = Ordering::new(self.is_deep());
    }

    /// Begins a search that depends on nothing searched before, nor on a game so far.
    fn begin_anew(&mut self) {
        self.forget();
        self.past.clear();
        self.path.clear();
        (self.nodes, self.selective_depth, self.stopped) = (0, 0, false);
    }

    /// The node that is searched from.
    fn root(&mut self, position: &Chess) -> Node {
        let node = Node::root(position);
        self.trail.begin(&node, &self.scorer);
        if self.is_deep() {
            self.line[0].worth = (!position.is_check()).then(|| self.worth(&node));
        }
        node
    }

    /// What the scorer says of a node of the line that is searched, for the side to move.
    fn worth(&self, node: &Node) -> Value {
        Value::new(self.trail.value(node, &self.scorer))
    }

    /// True if it is meant for so many nodes that it learns on its way which moves may be left out. A search of few, which
    /// stands for what players see, does not.
    fn is_deep(&self) -> bool {
        !self.line.is_empty()
    }

    /// The nodes of all threads.
    fn all_nodes(&self) -> u64 {
        self.company.all(self.nodes)
    }

    /// Counts a node; true if the search must end.
    fn visit(&mut self, ply: u32, limits: Limits<'_>) -> bool {
        self.nodes += 1;
        self.selective_depth = self.selective_depth.max(ply);
        if self.nodes.is_multiple_of(NODES_BETWEEN_LOOKS) || self.nodes >= limits.nodes {
            self.company.tell(self.nodes);
            self.stopped |= limits.forbid(self.all_nodes(), 1);
        }
        self.stopped
    }
}

#[cfg(test)]
mod tests;
