//! Extensions: a move that seems much better than all others is searched more deeply (singular extensions).

use shakmaty::Move;

use super::{
    AlphaBeta,
    node::Node,
    pruning::scaled,
    table::{Bound, Entry},
    value::Value,
    window::Window,
};
use crate::{Limits, scorer::Scorer};

/// From this depth on, table moves are compared with all others.
const MIN_DEPTH: i32 = 7;
/// A move that is better than all others by this much more, in centipawns, is extended by two plies.
const CLEARLY: i32 = 12;
/// The most extensions by two plies in a line.
const MAX_DOUBLES: u32 = 6;

impl<S: Scorer> AlphaBeta<S> {
    /// By how many plies the table move of a node is extended: one or two if all other moves are much worse, and a
    /// negative number if others fail high, too. `Err` has a value that answers the window.
    pub(super) fn extension(
        &mut self,
        node: &Node,
        depth: i32,
        window: Window,
        limits: Limits<'_>,
        (m, entry): (Move, Entry),
    ) -> Result<i32, Value> {
        let ply = node.ply as usize;
        let value = entry.value(node.ply);
        let is_reliable = i32::from(entry.depth) >= depth - 3 && entry.bound() != Bound::Upper;
        if self.line[ply].excluded.is_some()
            || ply == 0
            || depth < MIN_DEPTH
            || !is_reliable
            || value.is_mate()
        {
            return Ok(0);
        }
        let bound = value.plus(-2 * depth);
        self.line[ply].excluded = Some(m);
        let tested = Window::null(bound.plus(-1));
        let others = self.value(node, (depth - 1) / 2, tested, false, limits, &mut Vec::new());
        self.line[ply].excluded = None;
        if self.stopped {
            return Err(Value::DRAW);
        }
        if others < bound {
            let is_double = window.is_null()
                && others < bound.plus(-scaled::<S>(CLEARLY))
                && self.line[ply].doubles < MAX_DOUBLES;
            return Ok(1 + i32::from(is_double));
        }
        if bound >= window.beta {
            // Other moves also fail high (multi-cut).
            return Err(bound);
        }
        Ok(match value >= window.beta {
            true => -2,
            false => -i32::from(self.line[ply].is_cut),
        })
    }
}
