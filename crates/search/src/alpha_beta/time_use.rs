//! How much of its time a search should use.

use shakmaty::Move;

use crate::{Score, Variation};

/// What the iterations of a search tell about the difficulty of the position. The search needs less time if its best
/// move is stable, and more time if the best move has changed or the score has fallen.
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
    pub(super) fn share(&self) -> f64 {
        let fall = match self.scores[..] {
            [.., last] if self.scores.len() > OVER => self.scores[self.scores.len() - 1 - OVER] - last,
            _ => 0,
        };
        SHARES[self.stable.min(SHARES.len() - 1)] * (1.0 + f64::from(fall.clamp(0, FALL)) / f64::from(FALL))
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
        time_use.learn(&line(0, 20));
        let new = time_use.share();
        (0..9).for_each(|_| time_use.learn(&line(0, 20)));
        let stable = time_use.share();
        assert!(stable < 0.5 * new, "{stable} {new}");
        time_use.learn(&line(0, -500));
        assert!((time_use.share() - 2.0 * stable).abs() < 1e-9, "at most twice the time");
        (0..OVER).for_each(|_| time_use.learn(&line(0, -500)));
        assert!((time_use.share() - stable).abs() < 1e-9, "the fall was earlier");
        time_use.learn(&line(1, 90));
        assert!((time_use.share() - SHARES[0]).abs() < 1e-9, "another best move, but no fall");
    }
}
