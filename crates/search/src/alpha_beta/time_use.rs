//! How much of its time a search should use.

use shakmaty::Move;

use crate::{Score, Variation};

/// The nodes that a search has spent on each root move.
#[derive(Debug, Default)]
pub(super) struct Effort {
    nodes: Vec<(Move, u64)>,
}

impl Effort {
    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
    }

    /// Adds nodes that were spent on a move.
    pub(super) fn add(&mut self, m: Move, nodes: u64) {
        match self.nodes.iter_mut().find(|(known, _)| *known == m) {
            Some((_, all)) => *all += nodes,
            None => self.nodes.push((m, nodes)),
        }
    }

    /// The share of all nodes that were spent on a move.
    fn share(&self, m: Move) -> f64 {
        let all: u64 = self.nodes.iter().map(|(_, nodes)| nodes).sum();
        let own = self.nodes.iter().find(|(known, _)| *known == m).map_or(0, |(_, nodes)| *nodes);
        own as f64 / all.max(1) as f64
    }
}

/// What the iterations of a search tell about the difficulty of the position. The search needs less time if its best
/// move is stable or most nodes are spent on it, and more time if the best move has changed or the score has fallen.
#[derive(Debug, Default)]
pub(super) struct TimeUse {
    best: Option<Move>,
    /// The number of iterations since the best move changed.
    stable: usize,
    /// The scores of all iterations.
    scores: Vec<i32>,
}

/// The share of its time that a search uses, by the number of iterations since its best move changed.
const SHARES: [f64; 6] = [1.7, 1.2, 1.0, 0.85, 0.75, 0.65];
/// The fall of the score, in centipawns, that doubles the time. Larger falls do not increase it further.
const FALL: i32 = 80;
/// From this number of iterations on, the nodes spent on other moves than the best tell how difficult the choice is.
const FIRST_EFFORT: usize = 6;
/// The share of the time if all nodes are spent on the best move, and how much more if none are.
const EASY: f64 = 0.81;
const DIFFICULT: f64 = 1.35;
/// The number of iterations over which the fall is measured.
const OVER: usize = 3;

impl TimeUse {
    /// Records the best line of an iteration.
    pub(super) fn learn(&mut self, line: &Variation) {
        let best = line.moves.first().copied();
        self.stable = if best == self.best { self.stable + 1 } else { 0 };
        self.best = best;
        self.scores.push(match line.score {
            Score::Centipawns(score) => score,
            // A mate score is not a change of the score.
            Score::Mate(_) => self.scores.last().copied().unwrap_or(0),
        });
    }

    /// The share of the usual time that the search should take.
    pub(super) fn share(&self, effort: &Effort) -> f64 {
        let fall = match self.scores[..] {
            [.., last] if self.scores.len() > OVER => self.scores[self.scores.len() - 1 - OVER] - last,
            _ => 0,
        };
        let by_fall = 1.0 + f64::from(fall.clamp(0, FALL)) / f64::from(FALL);
        let by_effort = match self.best {
            Some(best) if self.scores.len() >= FIRST_EFFORT => EASY + DIFFICULT * (1.0 - effort.share(best)),
            _ => 1.0,
        };
        SHARES[self.stable.min(SHARES.len() - 1)] * by_fall * by_effort
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{Chess, Position};

    use super::*;

    #[test]
    fn a_stable_best_move_needs_less_time_and_a_falling_score_more() {
        let moves = Chess::default().legal_moves();
        let line = |number: usize, score| Variation::of(Score::Centipawns(score), vec![moves[number]]);
        let mut time_use = TimeUse::default();
        // Most nodes are spent on the first move.
        let mut effort = Effort::default();
        effort.add(moves[0], 860);
        effort.add(moves[1], 140);
        time_use.learn(&line(0, 20));
        let new = time_use.share(&effort);
        (0..9).for_each(|_| time_use.learn(&line(0, 20)));
        let stable = time_use.share(&effort);
        assert!(stable < 0.5 * new, "{stable} {new}");
        time_use.learn(&line(0, -500));
        assert!((time_use.share(&effort) - 2.0 * stable).abs() < 1e-9, "at most twice the time");
        (0..OVER).for_each(|_| time_use.learn(&line(0, -500)));
        assert!((time_use.share(&effort) - stable).abs() < 1e-9, "the fall was earlier");
        time_use.learn(&line(1, 90));
        let changed = SHARES[0] * (EASY + DIFFICULT * 0.86);
        assert!((time_use.share(&effort) - changed).abs() < 1e-9, "another best move, but no fall");
        // Almost all nodes are spent on the best move.
        effort.add(moves[1], 99_000);
        assert!(time_use.share(&effort) < 0.6 * changed);
    }
}
