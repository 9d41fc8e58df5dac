//! The tree below a root move: principal variation search.

use entente_endings::Wdl;
use shakmaty::{Chess, Move, MoveList, Position};

use super::{
    AlphaBeta,
    exchange::gains_at_least,
    node::Node,
    ordering::is_quiet,
    picker::Picker,
    ply::placed,
    pruning::{has_pieces, scaled},
    table::Entry,
    value::{MAX_PLY, Value},
    window::Window,
};
use crate::{Limits, scorer::Scorer};

/// Up to this depth, moves that seem hopeless are pruned.
const SHALLOW: i32 = 4;

impl<S: Scorer> AlphaBeta<S> {
    /// The value of a node's move by a search of `depth` plies after it. The principal variation is written to `line`.
    pub(super) fn child(
        &mut self,
        node: &Node,
        m: Move,
        depth: i32,
        window: Window,
        limits: Limits<'_>,
        line: &mut Vec<Move>,
    ) -> Value {
        let child = node.after(m, &self.table);
        self.path.push(node.key);
        if let Some(ply) = self.line.get_mut(node.ply as usize) {
            ply.played = Some(placed(&node.position, m));
        }
        let value = -self.value(&child, depth, window.swapped(), true, limits, line);
        self.path.pop();
        value
    }

    /// The value of a move that is probably not the best. A zero-window search reduced by `reduction` plies tests
    /// whether the move is better than alpha. Only if it is, searches to the full depth and with the full window
    /// follow.
    pub(super) fn later_child(
        &mut self,
        node: &Node,
        m: Move,
        (depth, reduction): (i32, i32),
        window: Window,
        limits: Limits<'_>,
        line: &mut Vec<Move>,
    ) -> Value {
        let null = Window::null(window.alpha);
        let mut value = self.child(node, m, depth - reduction, null, limits, line);
        if value > window.alpha && reduction > 0 {
            let is_cut = self.line.get(node.ply as usize).is_some_and(|ply| ply.is_cut);
            self.expect(node, 0, !is_cut);
            value = self.child(node, m, depth, null, limits, line);
        }
        if value > window.alpha && value < window.beta {
            self.expect(node, 0, false);
            value = self.child(node, m, depth, window, limits, line);
        }
        value
    }

    /// The value of a node by a search of `depth` plies, exact if it is inside `window`.
    pub(super) fn value(
        &mut self,
        node: &Node,
        depth: i32,
        window: Window,
        allow_null: bool,
        limits: Limits<'_>,
        line: &mut Vec<Move>,
    ) -> Value {
        line.clear();
        if self.visit(node.ply, limits) {
            return Value::DRAW;
        }
        let (position, ply) = (&node.position, node.ply);
        if position.is_insufficient_material() || self.is_repeated(node) {
            return Value::DRAW;
        }
        let in_check = position.is_check();
        if position.halfmoves() >= 100 && !(in_check && position.legal_moves().is_empty()) {
            return Value::DRAW;
        }
        let result = self.ending(position);
        if result == Some(Wdl::Draw) {
            return Value::DRAW;
        }
        let value = self.open_value(node, depth, window, allow_null, limits, line);
        // Pruning may have missed the moves that win or save the game.
        match result {
            Some(Wdl::Win) if self.is_whole(ply) => value.max(Value::KNOWN_WIN),
            Some(Wdl::Loss) if self.is_whole(ply) => value.min(-Value::KNOWN_WIN),
            _ => value,
        }
    }

    /// True if a shallower search of a node is more efficient, because no table move is known (internal iterative
    /// reduction).
    fn is_unprepared(&self, ply: u32, depth: i32, known: Option<Entry>) -> bool {
        match known {
            None => depth >= 4,
            Some(entry) => depth >= 7 && !entry.has_move() && self.line[ply as usize].is_cut,
        }
    }

    /// True if all moves at this ply are searched, none excluded.
    fn is_whole(&self, ply: u32) -> bool {
        self.line.get(ply as usize).is_none_or(|ply| ply.excluded.is_none())
    }

    /// The value of a node that is not a draw.
    fn open_value(
        &mut self,
        node: &Node,
        depth: i32,
        mut window: Window,
        allow_null: bool,
        limits: Limits<'_>,
        line: &mut Vec<Move>,
    ) -> Value {
        let (position, ply) = (&node.position, node.ply);
        let in_check = position.is_check();
        // Mate distance pruning: no mate below can be shorter than one at the next ply.
        window.alpha = window.alpha.max(Value::mated_at(ply));
        window.beta = window.beta.min(Value::mate_at(ply + 1));
        if window.alpha >= window.beta {
            return window.alpha;
        }
        let depth = depth + i32::from(in_check);
        if depth <= 0 || ply >= MAX_PLY - 1 {
            return self.quiesce(node, window, limits);
        }
        let excluded = self.line.get(ply as usize).and_then(|ply| ply.excluded);
        let known = self.table.get(node.key);
        if let Some(entry) = known
            && excluded.is_none()
            && window.is_null()
            && i32::from(entry.depth) >= depth
        {
            let value = entry.value(ply);
            if window.is_answered_by(value, entry.bound()) {
                return value;
            }
        }
        self.trail.follow(node, &self.scorer);
        if self.is_deep() {
            let outlook = match self.static_pruning(node, depth, window, allow_null, known, limits) {
                Ok(outlook) => outlook,
                Err(value) => return value,
            };
            let depth = depth - i32::from(excluded.is_none() && self.is_unprepared(ply, depth, known));
            return self.search_deep(node, depth, window, limits, line, outlook);
        }
        let is_quiet = window.is_null() && !in_check && !window.beta.is_mate();
        let eval = is_quiet.then(|| self.evaluate(node));
        if let Some(eval) = eval {
            // Reverse futility pruning: the side is so far ahead that a shallow search will not change it.
            if depth <= 3 && eval.plus(-scaled::<S>(110 * depth)) >= window.beta {
                return eval;
            }
            if allow_null && depth >= 3 && eval >= window.beta && has_pieces(position) {
                let value = self.null_move(node, depth - 3 - depth / 6, window, limits);
                if value >= window.beta {
                    // A mate found after a null move is not proved.
                    return if value.is_mate() { window.beta } else { value };
                }
            }
        }
        let eval = eval.filter(|_| S::IS_SELECTIVE);
        self.search_moves(node, depth, window, limits, line, (known, eval))
    }

    /// Searches the legal moves of a node that was not pruned. If the evaluation `eval` is given, moves that seem
    /// hopeless are pruned.
    fn search_moves(
        &mut self,
        node: &Node,
        depth: i32,
        window: Window,
        limits: Limits<'_>,
        line: &mut Vec<Move>,
        (known, eval): (Option<Entry>, Option<Value>),
    ) -> Value {
        let (position, ply) = (&node.position, node.ply);
        let (turn, in_check) = (position.turn(), position.is_check());
        let legal = position.legal_moves();
        if legal.is_empty() {
            return if in_check { Value::mated_at(ply) } else { Value::DRAW };
        }
        let table_move = known.and_then(|entry| entry.find_move(&legal));
        let mut moves = Picker::new(position, &legal, table_move, S::IS_SELECTIVE);
        let mut best = (Value::MIN, None);
        let mut alpha = window.alpha;
        let mut tried = MoveList::new();
        let mut below = Vec::new();
        let mut index = 0;
        while let Some(m) = moves.next(&self.ordering, ply, [None; 2]) {
            let quiet = is_quiet(m);
            if let Some(eval) = eval
                && index > 0
                && !best.0.is_mate()
                && depth <= SHALLOW
            {
                if quiet && is_futile::<S>(depth, eval, alpha) {
                    // The same is true of all later quiet moves.
                    moves.skip_quiet(|_, _| true);
                    continue;
                }
                if loses_much(position, m, depth) {
                    index += 1;
                    continue;
                }
            }
            let value = if index == 0 {
                self.child(node, m, depth - 1, Window { alpha, beta: window.beta }, limits, &mut below)
            } else {
                // Late quiet moves are rarely the best.
                let reduction = if quiet && depth >= 3 && index >= 3 && !in_check {
                    1 + i32::from(index >= 8) + i32::from(index >= 20) - i32::from(!window.is_null())
                } else {
                    0
                };
                let rest = Window { alpha, beta: window.beta };
                self.later_child(node, m, (depth - 1, reduction.max(0)), rest, limits, &mut below)
            };
            if self.stopped {
                return Value::DRAW;
            }
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
                }
                break;
            }
            if quiet {
                tried.push(m);
            }
            index += 1;
        }
        self.table.insert(node.key, depth as u32, best.0, window.bound(best.0), best.1, ply);
        best.0
    }

    /// The value after a null move. If it is at least beta, some legal move almost certainly is, too.
    pub(super) fn null_move(&mut self, node: &Node, depth: i32, window: Window, limits: Limits<'_>) -> Value {
        let Some(child) = node.after_null_move() else { return Value::MIN };
        self.path.push(node.key);
        if let Some(ply) = self.line.get_mut(node.ply as usize) {
            ply.played = None;
        }
        let window = Window::null(window.beta.plus(-1)).swapped();
        let value = -self.value(&child, depth, window, false, limits, &mut Vec::new());
        self.path.pop();
        value
    }

    /// True if the position already occurred in this line after the root, or twice before in the game with the root.
    pub(super) fn is_repeated(&self, node: &Node) -> bool {
        let reversible = node.position.halfmoves() as usize;
        // The root belongs to the game: a line that returns to it has repeated it once, and may go on as before.
        let below_root = (node.ply as usize).saturating_sub(1);
        let mut line = self.path.iter().rev().take(reversible.min(below_root));
        let game = self.path.iter().take(1).chain(self.past.iter().rev());
        let game = game.take(reversible.saturating_sub(below_root));
        line.any(|key| *key == node.key) || game.filter(|key| **key == node.key).count() >= 2
    }
}

/// True if a quiet move will probably not raise `alpha` (futility pruning). The number of moves tried before does not
/// count: a search of a few thousand nodes has not learnt to order quiet moves, and players see some of the late ones.
fn is_futile<S: Scorer>(depth: i32, eval: Value, alpha: Value) -> bool {
    eval.plus(scaled::<S>(100 + 80 * depth)) <= alpha
}

/// True if a move is probably bad because it loses a man.
fn loses_much(position: &Chess, m: Move, depth: i32) -> bool {
    if is_quiet(m) {
        return !gains_at_least(position, m, -40 * depth);
    }
    m.is_capture() && !gains_at_least(position, m, -90 * depth)
}
