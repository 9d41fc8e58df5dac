//! The search of a node's moves in a deep search.

use shakmaty::{Chess, Move, MoveList, Position, attacks::attacks};

use super::{
    AlphaBeta,
    exchange::gains_at_least,
    node::Node,
    ordering::{Before, is_quiet},
    picker::Picker,
    ply::placed,
    pruning::{enough_moves, reduction, scaled},
    table::{Bound, Entry},
    value::Value,
    window::Window,
};
use crate::{Limits, scorer::Scorer};

/// From this depth on, a move that seems much better than all others is extended by a ply (singular extension).
const SINGULAR: i32 = 7;

impl<S: Scorer> AlphaBeta<S> {
    /// The value of a node that was not pruned. The last argument has the table entry, the evaluation, and whether the
    /// static evaluation has improved since the side's previous turn.
    pub(super) fn search_deep(
        &mut self,
        node: &Node,
        depth: i32,
        window: Window,
        limits: Limits<'_>,
        line: &mut Vec<Move>,
        (known, eval, is_improving): (Option<Entry>, Option<Value>, bool),
    ) -> Value {
        let (position, ply) = (&node.position, node.ply);
        let (turn, in_check) = (position.turn(), position.is_check());
        let legal = position.legal_moves();
        if legal.is_empty() {
            return if in_check { Value::mated_at(ply) } else { Value::DRAW };
        }
        let excluded = self.line[ply as usize].excluded;
        let before: Before = [1, 2].map(|plies| {
            let ply = (ply as usize).checked_sub(plies)?;
            self.line[ply].played
        });
        let table_move = known.and_then(|entry| entry.find_move(&legal));
        let mut moves = Picker::new(position, &legal, table_move, true);
        let mut best = (Value::MIN, None);
        let mut alpha = window.alpha;
        let mut tried = MoveList::new();
        let mut below = Vec::new();
        let mut number = 0;
        while let Some(m) = moves.next(&self.ordering, ply, before) {
            if Some(m) == excluded {
                continue;
            }
            let quiet = is_quiet(m);
            if number > 0 && !best.0.is_mate() {
                let reduced_depth = (depth - if quiet { reduction(depth, number) } else { 0 }).max(1);
                let is_futile = |eval: Value| {
                    reduced_depth <= 7 && eval.plus(scaled::<S>(100 + 80 * reduced_depth)) <= alpha
                };
                let is_prunable = quiet && !gives_direct_check(position, m);
                if is_prunable {
                    let is_enough = window.is_null() && tried.len() >= enough_moves(depth, is_improving);
                    if is_enough || eval.is_some_and(is_futile) {
                        if window.is_null() && !window.beta.is_mate() {
                            // All later quiet moves can be pruned, too. In a wider window a later move may still find a
                            // mate below beta, after which nothing is pruned.
                            moves.skip_quiet(|position, m| !gives_direct_check(position, m));
                        }
                        continue;
                    }
                }
                let most_lost = if is_prunable { -25 * reduced_depth * reduced_depth } else { -90 * depth };
                if depth <= 8 && !in_check && !m.is_promotion() && !gains_at_least(position, m, most_lost) {
                    continue;
                }
            }
            let mut extension = 0;
            if let Some(entry) = known
                && Some(m) == table_move
                && excluded.is_none()
                && ply > 0
                && depth >= SINGULAR
                && i32::from(entry.depth) >= depth - 3
                && entry.bound() != Bound::Upper
                && !entry.value(ply).is_mate()
            {
                let bound = entry.value(ply).plus(-2 * depth);
                self.line[ply as usize].excluded = Some(m);
                let others = self.value(
                    node,
                    (depth - 1) / 2,
                    Window::null(bound.plus(-1)),
                    false,
                    limits,
                    &mut below,
                );
                self.line[ply as usize].excluded = None;
                if self.stopped {
                    return Value::DRAW;
                }
                if others < bound {
                    extension = 1;
                } else if bound >= window.beta {
                    // Other moves also fail high (multi-cut).
                    return bound;
                }
            }
            let deeper = depth - 1 + extension;
            let value = if number == 0 {
                self.child(node, m, deeper, Window { alpha, beta: window.beta }, limits, &mut below)
            } else {
                let mut reduced_by = 0;
                if depth >= 3 && number >= 2 && !in_check {
                    reduced_by = reduction(depth, number);
                    if quiet {
                        reduced_by -= self.ordering.experience(position, m, before) / (1 << 19);
                    } else {
                        reduced_by /= 2;
                    }
                    reduced_by += i32::from(!is_improving) - i32::from(!window.is_null());
                    reduced_by = reduced_by.clamp(0, deeper - 1);
                }
                let rest = Window { alpha, beta: window.beta };
                self.later_child(node, m, (deeper, reduced_by), rest, limits, &mut below)
            };
            if self.stopped {
                return Value::DRAW;
            }
            number += 1;
            if value > best.0 {
                best = (value, (value > window.alpha).then_some(m));
            }
            if value > alpha {
                alpha = value;
                line.clear();
                line.push(m);
                line.extend(&below);
            }
            if alpha >= window.beta {
                if quiet {
                    self.ordering.refuted(m, &tried, turn, ply, depth as u32);
                    let bonus = (32 * depth * depth).min(1600);
                    self.ordering.learn_continuation(before, placed(position, m), bonus);
                    for m in &tried {
                        self.ordering.learn_continuation(before, placed(position, *m), -bonus);
                    }
                }
                break;
            }
            if quiet {
                tried.push(m);
            }
        }
        if number == 0 {
            // There are no moves except the excluded one.
            return window.alpha;
        }
        if excluded.is_none() {
            self.table.insert(node.key, depth as u32, best.0, window.bound(best.0), best.1, ply);
        }
        best.0
    }
}

/// True if the moved man attacks the enemy king from its new square.
fn gives_direct_check(position: &Chess, m: Move) -> bool {
    let (Some(from), board) = (m.from(), position.board()) else { return false };
    let occupied = board.occupied().without(from);
    let piece = m.role().of(position.turn());
    board.king_of(!position.turn()).is_some_and(|king| attacks(m.to(), piece, occupied).contains(king))
}
