//! The search of a node's moves in a deep search.

use shakmaty::{Chess, Move, MoveList, Position, attacks::attacks};

use super::{
    AlphaBeta,
    exchange::gains_at_least,
    node::Node,
    ordering::{Before, is_quiet},
    picker::Picker,
    pruning::{Outlook, enough_moves, reduction, scaled},
    table::Bound,
    value::Value,
    window::Window,
};
use crate::{Limits, scorer::Scorer};

/// Up to this depth, a quiet move is pruned if its history is below the number that follows, times the depth.
const HISTORY_DEPTH: i32 = 5;
const WORST_HISTORY: i32 = -(1 << 17);
/// This much history makes the reduction of a quiet move a ply smaller.
const HISTORY_OF_A_PLY: i32 = 1 << 19;

/// The moves of a node that were searched and did not fail high.
#[derive(Default)]
struct Tried {
    quiet: MoveList,
    captures: MoveList,
}

impl<S: Scorer> AlphaBeta<S> {
    /// The value of a node that was not pruned.
    pub(super) fn search_deep(
        &mut self,
        node: &Node,
        depth: i32,
        window: Window,
        limits: Limits<'_>,
        line: &mut Vec<Move>,
        outlook: Outlook,
    ) -> Value {
        let (position, ply) = (&node.position, node.ply);
        let in_check = position.is_check();
        let legal = position.legal_moves();
        if legal.is_empty() {
            return if in_check { Value::mated_at(ply) } else { Value::DRAW };
        }
        let excluded = self.line[ply as usize].excluded;
        let before = self.before(ply);
        let table_move = outlook.known.and_then(|entry| entry.find_move(&legal));
        let mut moves = Picker::new(position, &legal, table_move, true);
        let mut best = (Value::MIN, None);
        let mut alpha = window.alpha;
        let mut tried = Tried::default();
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
                    let is_enough =
                        window.is_null() && tried.quiet.len() >= enough_moves(depth, outlook.is_improving);
                    if is_enough || outlook.eval.is_some_and(is_futile) {
                        if window.is_null() && !window.beta.is_mate() {
                            // All later quiet moves can be pruned, too. In a wider window a later move may still find a
                            // mate below beta, after which nothing is pruned.
                            moves.skip_quiet(|position, m| !gives_direct_check(position, m));
                        }
                        continue;
                    }
                    let history = self.ordering.experience(position, m, before);
                    if depth <= HISTORY_DEPTH && history < WORST_HISTORY * depth {
                        continue;
                    }
                }
                let most_lost = if is_prunable { -25 * reduced_depth * reduced_depth } else { -90 * depth };
                if depth <= 8 && !in_check && !m.is_promotion() && !gains_at_least(position, m, most_lost) {
                    continue;
                }
            }
            let extension = match outlook.known.filter(|_| Some(m) == table_move) {
                Some(entry) => match self.extension(node, depth, window, limits, (m, entry)) {
                    Ok(extension) => extension,
                    Err(value) => return value,
                },
                None => 0,
            };
            let deeper = depth - 1 + extension;
            let rest = Window { alpha, beta: window.beta };
            self.expect(node, extension, number > 0 || window.is_null() && !self.line[ply as usize].is_cut);
            let value = if number == 0 {
                self.child(node, m, deeper, rest, limits, &mut below)
            } else {
                let seen = (before, outlook.is_improving);
                let reduced = self.reduced(node, m, (depth, number), window, seen, table_move);
                self.later_child(node, m, (deeper, reduced.min(deeper - 1).max(0)), rest, limits, &mut below)
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
                self.ordering.learn(position, m, (&tried.quiet, &tried.captures), before, (ply, depth));
                break;
            }
            if quiet {
                tried.quiet.push(m);
            } else {
                tried.captures.push(m);
            }
        }
        if number == 0 {
            // There are no moves except the excluded one.
            return window.alpha;
        }
        if excluded.is_none() {
            let bound = window.bound(best.0);
            self.correct(node, best, bound, depth);
            self.table.insert(node.key, depth as u32, best.0, bound, best.1, ply);
        }
        best.0
    }

    /// The moves one and two plies before a node.
    fn before(&self, ply: u32) -> Before {
        [1, 2].map(|plies| self.line[(ply as usize).checked_sub(plies)?].played)
    }

    /// Tells the next child of a node whether it is expected to fail high, and by how much the move to it is extended.
    pub(super) fn expect(&mut self, node: &Node, extension: i32, is_cut: bool) {
        let ply = node.ply as usize;
        let Some(doubles) = self.line.get(ply).map(|ply| ply.doubles) else { return };
        if let Some(next) = self.line.get_mut(ply + 1) {
            (next.doubles, next.is_cut) = (doubles + u32::from(extension > 1), is_cut);
        }
    }

    /// By how many plies a later move is searched less deeply at first (late move reductions).
    fn reduced(
        &self,
        node: &Node,
        m: Move,
        (depth, number): (i32, usize),
        window: Window,
        (before, is_improving): (Before, bool),
        table_move: Option<Move>,
    ) -> i32 {
        if depth < 3 || number < 2 {
            return 0;
        }
        let is_cut = self.line[node.ply as usize].is_cut;
        // If the best move is a capture, later moves rarely matter.
        let takes = table_move.is_some_and(|m| m.is_capture());
        let mut reduced = reduction(depth, number) + i32::from(is_cut) + i32::from(takes);
        if is_quiet(m) {
            reduced -= self.ordering.experience(&node.position, m, before) / HISTORY_OF_A_PLY;
        } else {
            reduced /= 2;
        }
        reduced + i32::from(!is_improving) - i32::from(!window.is_null())
    }

    /// Learns from the value of a node how wrong its static evaluation is, if the value tells that.
    fn correct(&mut self, node: &Node, (value, best): (Value, Option<Move>), bound: Bound, depth: i32) {
        let Some(seen) = self.line[node.ply as usize].static_eval else { return };
        let tells = match bound {
            Bound::Exact => true,
            Bound::Lower => value > seen,
            Bound::Upper => value < seen,
        };
        // What a capture, a mate or an ending of tables is worth is no matter of static evaluation.
        let is_open = |value: Value| value.centipawns().abs() < Value::KNOWN_WIN.centipawns();
        if tells && is_open(value) && is_open(seen) && best.is_none_or(is_quiet) {
            self.correction.learn(&node.position, value.centipawns() - seen.centipawns(), depth);
        }
    }
}

/// True if the moved man attacks the enemy king from its new square.
fn gives_direct_check(position: &Chess, m: Move) -> bool {
    let (Some(from), board) = (m.from(), position.board()) else { return false };
    let occupied = board.occupied().without(from);
    let piece = m.role().of(position.turn());
    board.king_of(!position.turn()).is_some_and(|king| attacks(m.to(), piece, occupied).contains(king))
}
