//! The pruning and the reductions of a deep search. Their parameters were tuned in games.

use std::sync::LazyLock;

use shakmaty::{Chess, Position};

use super::{
    AlphaBeta,
    node::Node,
    table::{Bound, Entry},
    value::Value,
    window::Window,
};
use crate::{Limits, PortableMath as _, scorer::Scorer};

/// From this depth on, a search of the moves verifies what one with a null move has found: in zugzwang, passing is better
/// than every move.
const VERIFIED: i32 = 10;

/// Late move reductions in plies, by depth and number of the move.
static REDUCTIONS: LazyLock<[[i8; 64]; 64]> = LazyLock::new(|| {
    let reduction = |depth: usize, number: usize| {
        0.8 + (depth as f64).portable_ln() * (number as f64).portable_ln() / 2.3
    };
    let mut table = [[0; 64]; 64];
    for (depth, row) in table.iter_mut().enumerate().skip(1) {
        for (number, entry) in row.iter_mut().enumerate().skip(1) {
            *entry = reduction(depth, number) as i8;
        }
    }
    table
});

/// What a node knows before its moves are searched.
#[derive(Clone, Copy)]
pub(super) struct Outlook {
    /// The table entry.
    pub known: Option<Entry>,
    /// The evaluation; `None` in check.
    pub eval: Option<Value>,
    /// Whether the static evaluation has improved since the side's previous turn.
    pub is_improving: bool,
}

/// The reduction in plies for the quiet move with this number, counted from 0.
pub(super) fn reduction(depth: i32, number: usize) -> i32 {
    i32::from(REDUCTIONS[depth.clamp(0, 63) as usize][(number + 1).min(63)])
}

/// The number of quiet moves after which the rest is pruned (late move pruning). At greater depths none is pruned.
pub(super) fn enough_moves(depth: i32, is_improving: bool) -> usize {
    if depth > 8 {
        return usize::MAX;
    }
    ((3 + depth * depth) / if is_improving { 1 } else { 2 }) as usize
}

/// Converts centipawns to the units of this scorer.
pub(super) fn scaled<S: Scorer>(centipawns: i32) -> i32 {
    centipawns * S::WORTH / 100
}

impl<S: Scorer> AlphaBeta<S> {
    /// The pruning of a node before any move is searched: reverse futility pruning, razoring, null-move pruning and
    /// ProbCut. `known` is the table entry. `Err` has the value of a node that is pruned.
    pub(super) fn static_pruning(
        &mut self,
        node: &Node,
        depth: i32,
        window: Window,
        allow_null: bool,
        known: Option<Entry>,
        limits: Limits<'_>,
    ) -> Result<Outlook, Value> {
        let ply = node.ply as usize;
        if node.position.is_check() {
            self.line[ply].static_eval = None;
            return Ok(Outlook { known, eval: None, is_improving: false });
        }
        let static_eval = self.evaluate(node);
        self.line[ply].static_eval = Some(static_eval);
        let before = ply.checked_sub(2).and_then(|ply| self.line[ply].static_eval);
        let is_improving = before.is_none_or(|before| static_eval > before);
        // A search result from the table is better than the static evaluation, if its bound allows that.
        let found = known.filter(|entry| {
            let value = entry.value(node.ply);
            match entry.bound() {
                Bound::Exact => true,
                Bound::Lower => value > static_eval,
                Bound::Upper => value < static_eval,
            }
        });
        let eval = found.map_or(static_eval, |entry| entry.value(node.ply));
        let outlook = Outlook { known, eval: Some(eval), is_improving };
        let searches_moves = self.line[ply].excluded.is_some() || self.line[ply].verifies;
        if !window.is_null() || window.beta.is_mate() || searches_moves {
            return Ok(outlook);
        }
        if depth <= 8 && eval.plus(-scaled::<S>(70 * (depth - i32::from(is_improving)).max(0))) >= window.beta
        {
            return Err(eval);
        }
        if depth <= 3 && eval.plus(scaled::<S>(150 + 120 * depth)) <= window.alpha {
            let value = self.quiesce(node, window, limits);
            if value <= window.alpha {
                return Err(value);
            }
        }
        if allow_null && depth >= 3 && eval >= window.beta && has_pieces(&node.position) {
            let ahead = (eval.centipawns() - window.beta.centipawns()) / scaled::<S>(120);
            let reduced = depth - 4 - depth / 4 - ahead.min(3);
            self.expect(node, 0, !self.line[ply].is_cut);
            let mut value = self.null_move(node, reduced, window, limits);
            if value >= window.beta && depth >= VERIFIED && !self.stopped {
                self.line[ply].verifies = true;
                value = value.min(self.value(node, reduced, window, false, limits, &mut Vec::new()));
                self.line[ply].verifies = false;
            }
            if self.stopped {
                return Err(Value::DRAW);
            }
            if value >= window.beta {
                // A mate found after a null move is not proved.
                return Err(if value.is_mate() { window.beta } else { value });
            }
        }
        match self.probable_cut(node, depth, window, known, static_eval, limits) {
            Some(value) => Err(value),
            None if self.stopped => Err(Value::DRAW),
            None => Ok(outlook),
        }
    }
}

/// True if the side to move has pieces. With only king and pawns, zugzwang makes null moves unsound.
pub(super) fn has_pieces(position: &Chess) -> bool {
    let board = position.board();
    (position.us() & !(board.pawns() | board.kings())).any()
}
