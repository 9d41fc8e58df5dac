//! How much worse than the best move other moves are, in grades.
//!
//! A zero-window search tells whether a move is better than the bound of a grade. That is much faster than an exact
//! score.

use shakmaty::{Chess, Move};

use super::{AlphaBeta, iteration::ASPIRATION, node::Node, value::Value, window::Window};
use crate::{Limits, scorer::Scorer};

/// A scale of losses against the best move, in centipawns.
#[derive(Clone, Copy)]
pub(super) struct Grades<'a> {
    /// The bounds between grades, in ascending order.
    pub bounds: &'a [i32],
    /// The greatest loss. Greater losses count as this.
    pub most: i32,
}

/// A comparison of moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The score of the best move for the side that plays it, in centipawns.
    pub best: i32,
    /// What each move loses compared with the best, in centipawns: the middle of its grade.
    pub losses: Vec<i32>,
}

/// The bounds of the grades of a comparison.
const BOUNDS: [i32; 6] = [25, 60, 100, 150, 250, 400];
/// The nodes of a depth, as a multiple of the nodes of all previous depths, in most positions.
const GROWTH: u64 = 2;
/// The most nodes of a comparison, as a multiple of the nodes that are allowed, if a depth takes unexpectedly many.
const PATIENCE: u64 = 4;
/// From this depth on, the first move is searched with an aspiration window around its last value.
const FIRST_ASPIRED: i32 = 4;

impl<S: Scorer> AlphaBeta<S> {
    /// Compares `moves`, legal moves of the position, by a search of `depth` plies after each move, or less deep if
    /// that would take more than `nodes` nodes. The most promising moves should come first. Losses of `most` centipawns
    /// and more are not distinguished.
    ///
    /// Returns the comparison and the number of nodes searched. There is no comparison if a depth takes far too many
    /// nodes or `until` ends the search; the limit on nodes in `until` is ignored. The result depends neither on
    /// earlier searches nor on the game so far.
    ///
    /// # Panics
    /// If there are no moves.
    pub fn compare(
        &mut self,
        position: &Chess,
        moves: &[Move],
        (depth, nodes): (u32, u64),
        most: i32,
        until: Limits<'_>,
    ) -> (Option<Comparison>, u64) {
        self.start_fresh();
        let root = self.root(position);
        let limits = Limits { nodes: nodes.saturating_mul(PATIENCE), ..until };
        (self.compared(&root, moves, (depth, nodes), most, limits), self.nodes)
    }

    fn compared(
        &mut self,
        root: &Node,
        moves: &[Move],
        (deepest, nodes): (u32, u64),
        most: i32,
        limits: Limits<'_>,
    ) -> Option<Comparison> {
        // Indices of the moves, the best first.
        let mut order: Vec<usize> = (0..moves.len()).collect();
        let mut best = None;
        let mut depth = 0;
        loop {
            best = Some(self.sift(root, moves, &mut order, (depth, best), limits)?);
            if depth >= deepest as i32 || self.nodes.saturating_mul(GROWTH) > nodes {
                break;
            }
            depth += 1;
        }
        let best = best.expect("a depth is searched");
        let mut losses = vec![0; moves.len()];
        let grades = Grades { bounds: &BOUNDS, most };
        for index in &order[1..] {
            let value = self.graded(root, moves[*index], depth, best, grades, limits);
            if self.stopped {
                return None;
            }
            losses[*index] = (best.centipawns() - value.centipawns()).max(0);
        }
        Some(Comparison { best: best.centipawns(), losses })
    }

    /// Moves the best move to the front of `order` and returns its value. `before` is the best value of the previous
    /// depth.
    fn sift(
        &mut self,
        root: &Node,
        moves: &[Move],
        order: &mut [usize],
        (depth, before): (i32, Option<Value>),
        limits: Limits<'_>,
    ) -> Option<Value> {
        let mut line = Vec::new();
        let first = moves[order[0]];
        let near = before.filter(|_| depth >= FIRST_ASPIRED);
        let window = near.map(|near| Window { alpha: near.plus(-ASPIRATION), beta: near.plus(ASPIRATION) });
        let mut best = match window {
            Some(window) => {
                let value = self.child(root, first, depth, window, limits, &mut line);
                Some(value).filter(|value| *value > window.alpha && *value < window.beta)
            }
            None => None,
        };
        if best.is_none() && !self.stopped {
            let whole = Window { alpha: Value::MIN, beta: Value::MAX };
            best = Some(self.child(root, first, depth, whole, limits, &mut line));
        }
        let mut best = best.filter(|_| !self.stopped)?;
        for place in 1..order.len() {
            let m = moves[order[place]];
            let mut value = self.child(root, m, depth, Window::null(best), limits, &mut line);
            if value > best && !self.stopped {
                let above = Window { alpha: best, beta: Value::MAX };
                value = self.child(root, m, depth, above, limits, &mut line);
            }
            if self.stopped {
                return None;
            }
            if value > best {
                best = value;
                order[..=place].rotate_right(1);
            }
        }
        Some(best)
    }

    /// The value of a move: the middle of its grade, or the search's value if the first bound is 0 and the move is
    /// better than `best`.
    pub(super) fn graded(
        &mut self,
        root: &Node,
        m: Move,
        depth: i32,
        best: Value,
        Grades { bounds, most: cap }: Grades<'_>,
        limits: Limits<'_>,
    ) -> Value {
        let mut line = Vec::new();
        let mut last = 0;
        // An upper bound on the value of the move.
        let mut most = Value::MAX;
        for loss in bounds.iter().copied().filter(|loss| *loss < cap) {
            let bound = best.plus(-loss);
            if most > bound {
                let value = self.child(root, m, depth, Window::null(bound), limits, &mut line);
                if self.stopped {
                    return value;
                }
                if value > bound {
                    return if loss == 0 { value } else { best.plus(-(last + loss) / 2) };
                }
                most = value;
            }
            last = loss;
        }
        best.plus(-cap)
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::Position;

    use super::*;
    use crate::position_from_fen;

    const MAX: i32 = 800;
    /// The knight can capture the queen; no other move can.
    const HANGING_QUEEN: &str = "4k3/8/8/3q4/8/4N3/4P3/4K3 w - - 0 1";
    /// If Black's queen captures the pawn on b2, the rook traps it.
    const POISONED_PAWN: &str = "r3k2r/ppp2ppp/2n2n2/3p4/3P4/q1N1PN2/PPQ2PPP/R3K2R b KQkq - 0 12";
    /// If Black captures the queen, White mates in two (Légal's mate).
    const OFFERED_QUEEN: &str = "rn1qkbnr/ppp2p1p/3p2p1/4N3/2B1P1b1/2N5/PPPP1PPP/R1BQK2R b KQkq - 0 5";

    fn compare(
        search: &mut AlphaBeta,
        fen: &str,
        limits: (u32, u64),
    ) -> (Vec<Move>, Option<Comparison>, u64) {
        let position = position_from_fen(fen).unwrap();
        let moves: Vec<Move> = position.legal_moves().into_iter().collect();
        let (comparison, nodes) = search.compare(&position, &moves, limits, MAX, Limits::none());
        (moves, comparison, nodes)
    }

    #[test]
    fn the_best_move_loses_nothing_and_others_what_they_give_up() {
        let (moves, comparison, nodes) = compare(&mut AlphaBeta::new(1), HANGING_QUEEN, (6, u64::MAX));
        let Comparison { best, losses } = comparison.unwrap();
        assert!(nodes > 1000 && best > 200, "{nodes} nodes, {best}");
        for (m, loss) in moves.iter().zip(losses) {
            let expected = if m.to_string() == "Ne3xd5" { 0 } else { MAX };
            assert_eq!(loss, expected, "{m}");
        }
    }

    /// A full-window search of a single move gives a score within the bounds of its grade.
    #[test]
    fn grades_agree_with_full_windows() {
        let deepest = 2;
        let (moves, comparison, _) = compare(&mut AlphaBeta::new(1), POISONED_PAWN, (deepest, u64::MAX));
        let Comparison { best, losses } = comparison.unwrap();
        let position = position_from_fen(POISONED_PAWN).unwrap();
        let mut grades = 0;
        for (m, loss) in moves.iter().zip(losses) {
            let (alone, _) =
                AlphaBeta::new(1).compare(&position, &[*m], (deepest, u64::MAX), MAX, Limits::none());
            let lost = best - alone.unwrap().best;
            let expected = BOUNDS.iter().position(|bound| lost < *bound);
            let found = BOUNDS.iter().position(|bound| loss < *bound);
            assert_eq!(found, expected, "{m}: {loss}, alone {lost}");
            grades |= 1 << found.unwrap_or(BOUNDS.len());
        }
        assert!(u32::count_ones(grades) >= 3, "grades {grades:b}");
    }

    #[test]
    fn deeper_comparisons_see_more() {
        let loss_of_capture = |plies| {
            let (moves, comparison, _) = compare(&mut AlphaBeta::new(1), OFFERED_QUEEN, (plies, u64::MAX));
            let place = moves.iter().position(|m| m.to_string() == "Bg4xd1").unwrap();
            comparison.unwrap().losses[place]
        };
        assert_eq!([loss_of_capture(0), loss_of_capture(5)], [0, MAX]);
    }

    #[test]
    fn the_result_does_not_depend_on_earlier_searches() {
        let mut search = AlphaBeta::new(1);
        let first = compare(&mut search, POISONED_PAWN, (5, u64::MAX));
        compare(&mut search, HANGING_QUEEN, (5, u64::MAX));
        let again = compare(&mut search, POISONED_PAWN, (5, u64::MAX));
        assert_eq!((first.1, first.2), (again.1, again.2));
    }

    #[test]
    fn few_nodes_give_a_shallow_comparison_and_far_too_few_give_none() {
        let mut search = AlphaBeta::new(1);
        let (_, deep, most) = compare(&mut search, POISONED_PAWN, (8, u64::MAX));
        let (_, shallow, fewer) = compare(&mut search, POISONED_PAWN, (8, most / 4));
        assert!(deep.is_some() && shallow.is_some() && fewer < most, "{fewer} of {most}");
        let (_, none, least) = compare(&mut search, POISONED_PAWN, (8, 10));
        assert!(none.is_none() && least <= 10 * PATIENCE, "{least}");
    }
}
