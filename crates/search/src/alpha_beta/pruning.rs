//! What a deep search leaves out, or looks at less deeply, and by how much: all measured in games.

use std::sync::LazyLock;

use shakmaty::{Chess, Position};

use super::{
    AlphaBeta,
    node::Node,
    table::{Bound, Entry},
    value::Value,
    window::Window,
};
use crate::{Limits, scorer::Scorer};

/// How deep a search reduces late moves: by depth and number of the move.
static REDUCTIONS: LazyLock<[[i8; 64]; 64]> = LazyLock::new(|| {
    let reduction = |depth: usize, number: usize| 0.8 + (depth as f64).ln() * (number as f64).ln() / 2.3;
    let mut table = [[0; 64]; 64];
    for (depth, row) in table.iter_mut().enumerate().skip(1) {
        for (number, entry) in row.iter_mut().enumerate().skip(1) {
            *entry = reduction(depth, number) as i8;
        }
    }
    table
});

/// Plies less for the quiet move of this number, from 0.
pub(super) fn reduction(depth: i32, number: usize) -> i32 {
    i32::from(REDUCTIONS[depth.clamp(0, 63) as usize][(number + 1).min(63)])
}

/// Quiet moves that are looked at before the rest is left out; near the root all are.
pub(super) fn enough_moves(depth: i32, is_improving: bool) -> usize {
    if depth > 8 {
        return usize::MAX;
    }
    ((3 + depth * depth) / if is_improving { 1 } else { 2 }) as usize
}

/// So many hundredths of what the men are worth, for this scorer.
pub(super) fn worth<S: Scorer>(centipawns: i32) -> i32 {
    centipawns * S::WORTH / 100
}

impl<S: Scorer> AlphaBeta<S> {
    /// What a deep search thinks of a node before any move is looked at: what it is worth, and whether that is more than a
    /// move ago. Or a value, if that is enough.
    pub(super) fn at_first_sight(
        &mut self,
        node: &Node,
        depth: i32,
        window: Window,
        may_pass: bool,
        known: Option<Entry>,
        limits: Limits<'_>,
    ) -> Result<(Option<Value>, bool), Value> {
        let ply = node.ply as usize;
        if node.position.is_check() {
            self.line[ply].worth = None;
            return Ok((None, false));
        }
        let by_scorer = self.worth(node);
        self.line[ply].worth = Some(by_scorer);
        let before = ply.checked_sub(2).and_then(|ply| self.line[ply].worth);
        let is_improving = before.is_none_or(|before| by_scorer > before);
        // What was found of it before is better than what it looks like.
        let found = known.filter(|entry| {
            let value = entry.value(node.ply);
            match entry.bound() {
                Bound::Exact => true,
                Bound::Lower => value > by_scorer,
                Bound::Upper => value < by_scorer,
            }
        });
        let now = found.map_or(by_scorer, |entry| entry.value(node.ply));
        if !window.is_null() || window.beta.is_mate() || self.line[ply].excluded.is_some() {
            return Ok((Some(now), is_improving));
        }
        if depth <= 8 && now.plus(-worth::<S>(70 * (depth - i32::from(is_improving)).max(0))) >= window.beta {
            return Err(now);
        }
        if depth <= 3 && now.plus(worth::<S>(150 + 120 * depth)) <= window.alpha {
            let value = self.quiesce(node, window, limits);
            if value <= window.alpha {
                return Err(value);
            }
        }
        if may_pass && depth >= 3 && now >= window.beta && has_pieces(&node.position) {
            let ahead = (now.centipawns() - window.beta.centipawns()) / worth::<S>(120);
            let value = self.pass(node, depth - 4 - depth / 4 - ahead.min(3), window, limits);
            if self.stopped {
                return Err(Value::DRAW);
            }
            if value >= window.beta {
                // A mate that the opponent would have to allow by passing is none.
                return Err(if value.is_mate() { window.beta } else { value });
            }
        }
        Ok((Some(now), is_improving))
    }
}

/// True if the side to move has more than king and pawns: else passing may be better than any move.
pub(super) fn has_pieces(position: &Chess) -> bool {
    let board = position.board();
    (position.us() & !(board.pawns() | board.kings())).any()
}
