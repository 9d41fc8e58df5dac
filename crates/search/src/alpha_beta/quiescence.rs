//! Quiescence search: at the end of every line, captures and promotions are played out, and checks are evaded.

use std::mem;

use shakmaty::{Chess, Move, Position, Role};

use super::{
    AlphaBeta, Correction,
    exchange::{gains_at_least, piece_value},
    node::Node,
    ordering::{is_quiet, tactical},
    picker::{Ranked, best_first},
    value::{MAX_PLY, Value},
    window::Window,
};
use crate::{Limits, scorer::Scorer};

impl<S: Scorer> AlphaBeta<S> {
    /// True if the position is quiet: the side to move is not in check, and captures and promotions gain it at most
    /// `most` centipawns.
    pub fn is_quiet(&mut self, position: &Chess, most: i32) -> bool {
        if position.is_check() {
            return false;
        }
        self.without_correction(|search| {
            let root = search.root(position);
            let bound = search.evaluate(&root).plus(most);
            search.quiesce(&root, Window::null(bound), Limits::none()) <= bound
        })
    }

    /// The score of a quiescence search for the side to move, in centipawns.
    pub fn settled(&mut self, position: &Chess) -> i32 {
        self.without_correction(|search| {
            let root = search.root(position);
            let window = Window { alpha: Value::MIN, beta: Value::MAX };
            search.quiesce(&root, window, Limits::none()).centipawns()
        })
    }

    /// Does work whose result must not depend on what earlier searches have learned.
    fn without_correction<T>(&mut self, work: impl FnOnce(&mut AlphaBeta<S>) -> T) -> T {
        (self.nodes, self.stopped) = (0, false);
        self.threads.begin();
        let correction = mem::replace(&mut self.correction, Correction::new(false));
        let result = work(self);
        self.correction = correction;
        result
    }

    /// The value of a quiescence search.
    pub(super) fn quiesce(&mut self, node: &Node, window: Window, limits: Limits<'_>) -> Value {
        let (position, ply) = (&node.position, node.ply);
        let in_check = position.is_check();
        if ply >= MAX_PLY - 1 {
            self.trail.follow(node, &self.scorer);
            return self.evaluate(node);
        }
        let known = if self.is_deep() { self.table.get(node.key) } else { None };
        if let Some(entry) = known
            && window.is_null()
        {
            let value = entry.value(ply);
            if window.is_answered_by(value, entry.bound()) {
                return value;
            }
        }
        self.trail.follow(node, &self.scorer);
        let stand_pat = if in_check {
            // It may be mate, so tables are not asked.
            Value::mated_at(ply)
        } else {
            let centipawns = self.trail.value(node, &self.scorer);
            match self.ending(position) {
                Some(result) => return Value::known(result, centipawns),
                None => self.correction.apply(position, Value::new(centipawns)),
            }
        };
        if stand_pat >= window.beta {
            return stand_pat;
        }
        let mut best = stand_pat;
        let mut alpha = window.alpha.max(best);
        // Delta pruning: the gain would not raise alpha even without a recapture.
        let is_futile = |m: Move, alpha: Value| {
            let gain = m.capture().map_or(0, piece_value) + m.promotion().map_or(0, piece_value);
            stand_pat.plus((gain + 200) * S::WORTH / 100) <= alpha
        };
        let legal = position.legal_moves();
        let is_searched = |m: Move| in_check || is_forcing(m) && !is_futile(m, alpha);
        let all = legal.iter().zip(0..).filter(|(m, _)| is_searched(**m));
        let mut moves = self.spare.pop().unwrap_or_default();
        moves.clear();
        moves.extend(all.map(|(m, number)| Ranked::new(*m, tactical(*m), number)));
        let (mut taken, mut chosen) = (0, None);
        while let Some(Ranked { m, .. }) = best_first(&mut moves, taken) {
            taken += 1;
            if !in_check && is_futile(m, alpha) {
                continue;
            }
            if S::IS_SELECTIVE && !in_check && m.is_capture() && !gains_at_least(position, m, 0) {
                continue;
            }
            if self.visit(ply + 1, limits) {
                return Value::DRAW;
            }
            let child = node.after(m, &self.table);
            let value = -self.quiesce(&child, Window { alpha, beta: window.beta }.swapped(), limits);
            if self.stopped {
                return Value::DRAW;
            }
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= window.beta {
                chosen = Some(m);
                break;
            }
        }
        self.spare.push(moves);
        // An entry of a deeper search is worth more.
        if self.is_deep() && known.is_none_or(|entry| entry.depth == 0) {
            self.table.insert(node.key, 0, best, window.bound(best), chosen, ply);
        }
        best
    }
}

/// True for captures and promotions, except promotions to a rook or bishop, which are almost never better than a queen.
fn is_forcing(m: Move) -> bool {
    !is_quiet(m) && !matches!(m.promotion(), Some(Role::Rook | Role::Bishop))
}
