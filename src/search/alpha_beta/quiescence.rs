//! What ends every line: captures and promotions are played out, and checks evaded.

use shakmaty::{Move, Position, Role};

use super::{
    AlphaBeta,
    node::Node,
    ordering::{next, tactical, worth},
    value::{MAX_PLY, Value},
    window::Window,
};
use crate::{scorer::Scorer, search::Limits};

impl<S: Scorer> AlphaBeta<S> {
    /// The value once captures and promotions have been played out, and checks evaded.
    pub(super) fn quiesce(&mut self, node: &Node<S>, window: Window, limits: Limits<'_>) -> Value {
        let (position, ply) = (&node.position, node.ply);
        let in_check = position.is_check();
        if ply >= MAX_PLY - 1 {
            return node.value(&self.scorer);
        }
        let (standing, moves) = if in_check {
            (Value::mated_at(ply), position.legal_moves())
        } else {
            let standing = node.value(&self.scorer);
            if standing >= window.beta {
                return standing;
            }
            let mut moves = position.capture_moves();
            moves.extend(position.promotion_moves().into_iter().filter(|m| !m.is_capture()));
            // A knight may be better than a queen; other promotions hardly ever are.
            moves.retain(|m| !matches!(m.promotion(), Some(Role::Rook | Role::Bishop)));
            (standing, moves)
        };
        let mut best = standing;
        let mut alpha = window.alpha.max(best);
        let mut moves: Vec<(i32, Move)> = moves.into_iter().map(|m| (tactical(m), m)).collect();
        let mut index = 0;
        while let Some(m) = next(&mut moves, index) {
            index += 1;
            let gain = m.capture().map_or(0, worth) + m.promotion().map_or(0, worth);
            if !in_check && standing.plus(gain + 200) <= alpha {
                continue;
            }
            if self.visit(ply + 1, limits) {
                return Value::DRAW;
            }
            let child = node.after(m, &self.scorer);
            let value = -self.quiesce(&child, Window { alpha, beta: window.beta }.swapped(), limits);
            if self.stopped {
                return Value::DRAW;
            }
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= window.beta {
                break;
            }
        }
        best
    }
}
