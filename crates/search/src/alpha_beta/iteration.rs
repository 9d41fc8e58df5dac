//! Iterative deepening: the root is searched one ply deeper in each iteration, beginning with the best move so far.

use shakmaty::{Move, Position};

use super::{
    AlphaBeta, node::Node, ordering, pruning::reduction, time_use::TimeUse, value::Value, window::Window,
};
use crate::{
    Game, Limits, Reporter, Score, SearchEvent, SearchReport, SearchRequest, Variation, scorer::Scorer,
};

/// The task of a search.
#[derive(Clone, Copy)]
pub(super) struct Work<'a> {
    pub game: &'a Game,
    pub request: &'a SearchRequest,
    pub limits: Limits<'a>,
}

/// Half the width of the first aspiration window around the value of the previous iteration, in centipawns.
pub(super) const ASPIRATION: i32 = 30;

impl<S: Scorer> AlphaBeta<S> {
    /// Searches the current position of `game` and returns its best lines. It reports each iteration and each root move
    /// to `report`.
    ///
    /// Even if `limits` forbid any search, the result has a line of one move.
    ///
    /// # Panics
    ///
    /// If the request has no moves.
    pub fn search(
        &mut self,
        game: &Game,
        request: &SearchRequest,
        limits: Limits<'_>,
        report: &mut Reporter<'_>,
    ) -> Vec<Variation> {
        self.table.grow_older();
        self.ordering.age();
        self.past.clear();
        self.past.extend(game.past());
        self.path.clear();
        self.effort.clear();
        (self.nodes, self.selective_depth, self.stopped) = (0, 0, false);
        self.threads.begin();
        self.hits_before = self.endings.as_ref().map_or(0, entente_endings::Endings::probes);
        self.search_with_helpers(Work { game, request, limits }, report)
    }

    /// Searches deeper in each iteration, beginning at depth `first`.
    pub(super) fn deepen(&mut self, work: Work<'_>, first: u32, report: &mut Reporter<'_>) -> Vec<Variation> {
        let Work { request, limits, .. } = work;
        let nothing = Variation::of(Score::Centipawns(0), vec![request.moves[0]]);
        let mut best = vec![Variation { depth: Some(0), ..nothing }];
        let wanted = request.lines.clamp(1, request.moves.len());
        let mut time_use = TimeUse::default();
        for depth in first..=request.depth.clamp(1, AlphaBeta::MAX_DEPTH) {
            let lines = self.iterate(work, depth, wanted, &best, report);
            if let Some(lines) = merged(lines, &best, wanted) {
                best = lines;
            }
            report(&self.report(depth, SearchEvent::Variations(&best)));
            time_use.learn(&best[0]);
            let share = if self.is_deep() { time_use.share(&self.effort) } else { 1.0 };
            let late = limits.timer.is_some_and(|timer| timer.share_passed(share));
            let over = self.stopped || limits.forbid(self.all_nodes(), 1);
            if over || late || request.is_answered(best[0].score, depth, limits) {
                break;
            }
        }
        best
    }

    pub(super) fn report<'a>(&self, depth: u32, event: SearchEvent<'a>) -> SearchReport<'a> {
        // Sampling the table takes longer than searching a root move to a small depth.
        let hashfull = match event {
            SearchEvent::Variations(_) => self.table.hashfull(),
            SearchEvent::Answer(_) | SearchEvent::Move(..) => 0,
        };
        SearchReport {
            depth,
            selective_depth: self.selective_depth,
            event,
            nodes: self.all_nodes(),
            hashfull,
            table_hits: self.table_hits(),
        }
    }

    /// Searches one iteration. The result has `wanted` lines, the best first, or fewer if a limit cut it short.
    fn iterate(
        &mut self,
        work: Work<'_>,
        depth: u32,
        wanted: usize,
        before: &[Variation],
        report: &mut Reporter<'_>,
    ) -> Vec<Variation> {
        let mut lines: Vec<Variation> = Vec::with_capacity(wanted);
        for number in 0..wanted {
            let expected = before.get(number).map(|line| line.score);
            let mut slack = ASPIRATION;
            let found = loop {
                let window = match expected {
                    Some(Score::Centipawns(centipawns)) if depth >= 5 && slack < 1000 => Window {
                        alpha: Value::new(centipawns).plus(-slack),
                        beta: Value::new(centipawns).plus(slack),
                    },
                    _ => Window { alpha: Value::MIN, beta: Value::MAX },
                };
                let found = self.search_root(work, depth, window, &lines, before.get(number), report);
                match &found {
                    Some((value, _))
                        if !self.stopped && (*value <= window.alpha || *value >= window.beta) =>
                    {
                        slack *= 4;
                    }
                    _ => break found,
                }
            };
            match found {
                Some((value, moves)) => {
                    let line = Variation::of(value.score(), moves);
                    lines.push(Variation { depth: Some(depth), ..line });
                }
                None => break,
            }
            if self.stopped {
                break;
            }
        }
        lines.sort_by_key(|line| std::cmp::Reverse(line.score.rank()));
        lines
    }

    /// The value and the line of the best move with which no line of `done` begins; `None` if a limit was reached
    /// before any move was searched.
    fn search_root(
        &mut self,
        work: Work<'_>,
        depth: u32,
        window: Window,
        done: &[Variation],
        first: Option<&Variation>,
        report: &mut Reporter<'_>,
    ) -> Option<(Value, Vec<Move>)> {
        let Work { game, request, limits } = work;
        let position = game.position();
        let node = self.root(position);
        let iteration = depth;
        let depth = depth as i32 + i32::from(position.is_check());
        let mut moves: Vec<Move> = request.moves.clone();
        moves.retain(|m| done.iter().all(|line| line.moves[0] != *m));
        let first = first.map(|line| line.moves[0]).or_else(|| {
            let entry = self.table.get(node.key)?;
            entry.find_move(&position.legal_moves())
        });
        let turn = position.turn();
        moves.sort_by_cached_key(|m| {
            let rank = if ordering::is_quiet(*m) {
                self.ordering.history(*m, turn)
            } else {
                i32::MAX / 2 + ordering::tactical(*m)
            };
            (Some(*m) != first, -rank)
        });
        let mut best: Option<(Value, Vec<Move>)> = None;
        let mut alpha = window.alpha;
        let mut below = Vec::new();
        for (m, number) in moves.into_iter().zip(1..) {
            report(&self.report(iteration, SearchEvent::Move(m, number)));
            let whole = Window { alpha, beta: window.beta };
            let before = self.nodes;
            self.expect(&node, 0, best.is_some());
            let value = if best.is_none() {
                self.child(&node, m, depth - 1, whole, limits, &mut below)
            } else if self.is_deep() && !alpha.is_mate() {
                let reduced = reduced_at_root(&node, m, depth, number);
                self.later_child(&node, m, (depth - 1, reduced), whole, limits, &mut below)
            } else {
                let value = self.child(&node, m, depth - 1, Window::null(alpha), limits, &mut below);
                match value > alpha && !self.stopped {
                    true => self.child(&node, m, depth - 1, whole, limits, &mut below),
                    false => value,
                }
            };
            // Only the choice of the best move tells how difficult the position is.
            if done.is_empty() {
                self.effort.add(m, self.nodes - before);
            }
            if self.stopped {
                break;
            }
            if best.as_ref().is_none_or(|(known, _)| value > *known) {
                let mut line = vec![m];
                line.append(&mut below);
                best = Some((value, line));
            }
            alpha = alpha.max(value);
            if alpha >= window.beta {
                break;
            }
        }
        if let Some((value, line)) = &best
            && !self.stopped
            && done.is_empty()
            && request.moves.len() == position.legal_moves().len()
        {
            self.table.insert(node.key, depth as u32, *value, window.bound(*value), Some(line[0]), 0);
        }
        // If an interrupted iteration fails low, all values are upper bounds and do not tell which move is best.
        best.filter(|(value, _)| !self.stopped || *value > window.alpha)
    }
}

/// By how many plies a later root move is searched less deeply at first; moves are counted from 1.
fn reduced_at_root(node: &Node, m: Move, depth: i32, number: u32) -> i32 {
    if depth < 3 || number < 5 || node.position.is_check() {
        return 0;
    }
    let reduced = (reduction(depth, number as usize - 1) - 1).clamp(0, depth - 2);
    if ordering::is_quiet(m) { reduced } else { reduced / 2 }
}

/// The lines of an iteration, completed by those of the iteration before if a limit cut it short; the best first.
/// `None` if the new lines cannot be compared with the old ones, which then count.
///
/// A single new line counts if only one is wanted, because it beat the previous best line. With several lines, the
/// scores of two iterations may contradict each other: the new best line may be worse than the old second one.
fn merged(lines: Vec<Variation>, before: &[Variation], wanted: usize) -> Option<Vec<Variation>> {
    let is_new = |line: &&Variation| lines.iter().all(|new| new.moves[0] != line.moves[0]);
    let old: Vec<Variation> = before.iter().filter(is_new).take(wanted - lines.len()).cloned().collect();
    let merged = [lines, old].concat();
    let ranks = merged.iter().map(|line| line.score.rank());
    (!merged.is_empty() && ranks.is_sorted_by(|better, worse| better >= worse)).then_some(merged)
}

#[cfg(test)]
mod tests {
    use shakmaty::Chess;

    use super::*;

    /// Lines with these first moves, by number, and scores.
    fn lines(depth: u32, lines: &[(usize, i32)]) -> Vec<Variation> {
        let legal = Chess::default().legal_moves();
        let line = |&(number, score): &(usize, i32)| Variation {
            depth: Some(depth),
            ..Variation::of(Score::Centipawns(score), vec![legal[number]])
        };
        lines.iter().map(line).collect()
    }

    #[test]
    fn an_iteration_that_was_cut_short_keeps_the_depth_of_the_other_lines() {
        let before = lines(8, &[(0, 50), (1, 40), (2, 30)]);
        let found = |cut: &[(usize, i32)]| merged(lines(9, cut), &before, 3);
        let brief = |lines: Vec<Variation>| -> Vec<(u32, i32)> {
            lines.iter().map(|line| (line.depth.unwrap(), line.score.rank() as i32)).collect()
        };
        assert_eq!(brief(found(&[(0, 60)]).unwrap()), [(9, 60), (8, 40), (8, 30)]);
        assert_eq!(brief(found(&[(3, 70), (0, 55)]).unwrap()), [(9, 70), (9, 55), (8, 40)]);
        assert_eq!(brief(found(&[(0, 3), (1, 2), (2, 1)]).unwrap()), [(9, 3), (9, 2), (9, 1)]);
        assert_eq!(brief(found(&[]).unwrap()), [(8, 50), (8, 40), (8, 30)]);
    }

    #[test]
    fn an_iteration_whose_lines_would_not_be_in_order_does_not_count() {
        let before = lines(8, &[(0, 50), (1, 40)]);
        assert_eq!(merged(lines(9, &[(0, 30)]), &before, 2), None);
        // A single line is the best one even if its score has fallen.
        assert!(merged(lines(9, &[(0, 30)]), &before[..1], 1).is_some());
    }
}
