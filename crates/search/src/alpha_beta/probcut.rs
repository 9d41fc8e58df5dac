//! ProbCut (Buro 1995, "ProbCut: an effective selective extension of the alpha-beta algorithm"): if a shallow search of a
//! good capture exceeds beta by far, a deep search probably exceeds it, too.

use shakmaty::{Move, Position};

use super::{
    AlphaBeta,
    exchange::gains_at_least,
    node::Node,
    pruning::scaled,
    table::{Bound, Entry},
    value::Value,
    window::Window,
};
use crate::{Limits, scorer::Scorer};

/// The least depth.
const MIN_DEPTH: i32 = 5;
/// The shallow search is shallower by this.
const SHALLOWER: i32 = 4;
/// How far it must exceed beta, in centipawns.
const MARGIN: i32 = 110;

impl<S: Scorer> AlphaBeta<S> {
    /// A value of at least beta, if a capture probably has one; `None` otherwise, or if a limit ends the search.
    pub(super) fn probable_cut(
        &mut self,
        node: &Node,
        depth: i32,
        window: Window,
        known: Option<Entry>,
        static_eval: Value,
        limits: Limits<'_>,
    ) -> Option<Value> {
        let beta = window.beta.plus(scaled::<S>(MARGIN));
        let is_refuted =
            |entry: Entry| i32::from(entry.depth) > depth - SHALLOWER && entry.value(node.ply) < beta;
        if depth < MIN_DEPTH || known.is_some_and(is_refuted) {
            return None;
        }
        let needed = (beta.centipawns() - static_eval.centipawns()) * 100 / S::WORTH;
        let is_tried = |m: &&Move| m.is_capture() && gains_at_least(&node.position, **m, needed.max(0));
        let (tested, mut line) = (Window::null(beta.plus(-1)), Vec::new());
        let is_cut = self.line[node.ply as usize].is_cut;
        for m in node.position.legal_moves().iter().filter(is_tried) {
            self.expect(node, 0, !is_cut);
            let mut value = self.child(node, *m, 0, tested, limits, &mut line);
            if value >= beta && !self.stopped {
                value = self.child(node, *m, depth - SHALLOWER, tested, limits, &mut line);
            }
            if self.stopped {
                return None;
            }
            if value >= beta {
                let searched = depth - SHALLOWER + 1;
                if known.is_none_or(|entry| i32::from(entry.depth) <= searched) {
                    self.table.insert(node.key, searched as u32, value, Bound::Lower, Some(*m), node.ply);
                }
                return Some(value);
            }
        }
        None
    }
}
