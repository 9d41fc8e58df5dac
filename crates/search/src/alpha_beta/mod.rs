//! Competitive alpha-beta search, which needs no policy network.
//!
//! It is a principal variation search with iterative deepening, a transposition table, null-move pruning, late move
//! reductions, and quiescence search.

mod correction;
mod deep;
mod exchange;
mod extensions;
mod grading;
mod iteration;
mod node;
mod ordering;
mod picker;
mod ply;
mod probcut;
mod profile;
mod pruning;
mod quiescence;
mod scores;
mod table;
mod threads;
mod time_use;
mod trail;
mod tree;
mod value;
mod window;

use std::sync::Arc;

use entente_endings::{Endings, Wdl};
use shakmaty::{Chess, Position, zobrist::Zobrist64};

use self::{
    correction::Correction,
    node::Node,
    ordering::Ordering,
    picker::Ranked,
    ply::Ply,
    table::Table,
    threads::Threads,
    time_use::Effort,
    trail::Trail,
    value::{MAX_PLY, Value},
};
pub use self::{
    exchange::{gives_up, is_settled, loses_by_see},
    grading::Comparison,
    profile::{Profile, ProfileLimits, SearchEffort},
    scores::{MAX_DEPTHS, MoveScores},
};
use super::Limits;
use crate::scorer::{HandWritten, Scorer};

/// The number of nodes between two checks of the limits. On a loaded machine a thousand nodes may take 10 ms, which is
/// all that some clocks have left.
const NODES_BETWEEN_CHECKS: u64 = 256;

/// A competitive search that evaluates positions with a scorer. It keeps its tables between searches.
#[derive(Debug)]
pub struct AlphaBeta<S: Scorer = HandWritten> {
    scorer: S,
    /// Tables of endings, if there are any.
    endings: Option<Endings>,
    /// The number of results that they had given when the search began.
    hits_before: u64,
    trail: Trail<S>,
    table: Arc<Table>,
    threads: Threads,
    ordering: Ordering,
    correction: Correction,
    effort: Effort,
    /// The keys of the game's positions before the root, the first one first.
    past: Vec<Zobrist64>,
    /// The keys of the positions from the root to the parent of the current node.
    path: Vec<Zobrist64>,
    /// The search stack, with an entry for each ply; empty for a short search.
    line: Vec<Ply>,
    /// Unused move lists, kept to avoid allocations.
    spare: Vec<Vec<Ranked>>,
    nodes: u64,
    selective_depth: u32,
    stopped: bool,
}

impl AlphaBeta {
    /// The greatest depth of an iteration, in plies.
    pub const MAX_DEPTH: u32 = MAX_PLY - 1;

    /// The depth, in plies, for finding a mate in `moves` moves. It exceeds the length of the mate because late moves
    /// are searched with reduced depth.
    pub fn depth_for_mate(moves: u32) -> u32 {
        moves.saturating_mul(2).saturating_add(4).min(AlphaBeta::MAX_DEPTH)
    }

    /// A search with the hand-written evaluation and a transposition table of `mebibytes` MiB, at least 1.
    pub fn new(mebibytes: usize) -> AlphaBeta {
        AlphaBeta::with_scorer(mebibytes, HandWritten)
    }

    /// A search for a few thousand nodes at a time. Its table is small, so clearing it between searches costs little.
    pub fn short() -> AlphaBeta {
        AlphaBeta::short_with_scorer(HandWritten)
    }
}

impl<S: Scorer> AlphaBeta<S> {
    /// A search with `scorer` and a transposition table of `mebibytes` MiB, at least 1.
    pub fn with_scorer(mebibytes: usize, scorer: S) -> AlphaBeta<S> {
        AlphaBeta::with_table(Table::new(mebibytes), scorer, S::IS_SELECTIVE)
    }

    /// [`AlphaBeta::short`] with any scorer.
    pub fn short_with_scorer(scorer: S) -> AlphaBeta<S> {
        /// Enough for a few thousand positions.
        const BYTES: usize = 128 << 10;
        AlphaBeta::with_table(Table::of_bytes(BYTES), scorer, false)
    }

    fn with_table(table: Table, scorer: S, is_deep: bool) -> AlphaBeta<S> {
        AlphaBeta {
            scorer,
            endings: None,
            hits_before: 0,
            trail: Trail::new(),
            table: Arc::new(table),
            threads: Threads::default(),
            ordering: Ordering::new(is_deep),
            correction: Correction::new(is_deep),
            effort: Effort::default(),
            past: Vec::new(),
            path: Vec::new(),
            line: Ply::stack(is_deep),
            spare: Vec::new(),
            nodes: 0,
            selective_depth: 0,
            stopped: false,
        }
    }

    /// Replaces the tables of endings. What they know is exact, so that the values of these endings are a draw, or at
    /// least [`Score::KNOWN_WIN`](crate::Score::KNOWN_WIN) for the winner.
    pub fn set_endings(&mut self, endings: Endings) {
        self.endings = Some(endings);
    }

    /// True if tables know the result of a position.
    pub fn knows(&self, position: &Chess) -> bool {
        self.ending(position).is_some()
    }

    /// The number of results that tables gave since the search began.
    fn table_hits(&self) -> u64 {
        self.endings.as_ref().map_or(0, |endings| endings.probes() - self.hits_before)
    }

    /// The result of a position for the side to move, if tables know it.
    pub(super) fn ending(&self, position: &Chess) -> Option<Wdl> {
        let endings = self.endings.as_ref()?;
        let is_small = position.board().occupied().count() <= endings.max_men();
        if is_small { endings.probe(position) } else { None }
    }

    /// Forgets earlier games, so that a search depends only on its input.
    pub fn forget(&mut self) {
        // Other threads share the table only during a search.
        Arc::get_mut(&mut self.table).expect("no search is running").clear();
        self.ordering = Ordering::new(self.is_deep());
        self.correction = Correction::new(self.is_deep());
        self.line.fill(Ply::default());
    }

    /// Prepares a search that depends neither on earlier searches nor on the game so far.
    fn start_fresh(&mut self) {
        self.forget();
        self.past.clear();
        self.path.clear();
        (self.nodes, self.selective_depth, self.stopped) = (0, 0, false);
    }

    /// The root node of a search of `position`.
    fn root(&mut self, position: &Chess) -> Node {
        let node = Node::root(position);
        self.trail.begin(&node, &self.scorer);
        if self.is_deep() {
            self.line[0].static_eval = (!position.is_check()).then(|| self.evaluate(&node));
        }
        node
    }

    /// The evaluation of a node on the current line, for the side to move: the scorer's with what searches have learned about
    /// its errors, unless tables know the result.
    fn evaluate(&self, node: &Node) -> Value {
        let centipawns = self.trail.value(node, &self.scorer);
        match self.ending(&node.position) {
            Some(result) => Value::known(result, centipawns),
            None => self.correction.apply(&node.position, Value::new(centipawns)),
        }
    }

    /// True for a deep search, which learns from its nodes which moves can be pruned. A short search, which models what
    /// players see, does not.
    fn is_deep(&self) -> bool {
        !self.line.is_empty()
    }

    /// The number of nodes of all threads.
    fn all_nodes(&self) -> u64 {
        self.threads.all(self.nodes)
    }

    /// Counts a node; true if the search must end.
    fn visit(&mut self, ply: u32, limits: Limits<'_>) -> bool {
        // Nodes that are still open after a limit must not count their children.
        if self.stopped {
            return true;
        }
        self.nodes += 1;
        self.selective_depth = self.selective_depth.max(ply);
        if self.nodes.is_multiple_of(NODES_BETWEEN_CHECKS) || self.nodes >= limits.nodes {
            self.threads.publish(self.nodes);
            self.stopped |= limits.forbid(self.all_nodes(), 1);
        }
        self.stopped
    }
}

#[cfg(test)]
mod tests;
