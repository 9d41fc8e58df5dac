//! How much of its time a search should take.

use shakmaty::Move;

use crate::{Score, Variation};

/// What the iterations of a search say of how hard the position is: little time is needed where the same move has long been
/// the best, more where another one has come up or the score has fallen.
#[derive(Debug, Default)]
pub(super) struct Effort {
    best: Option<Move>,
    /// Iterations for which it has been the best.
    stable: usize,
    /// The scores of all iterations.
    scores: Vec<i32>,
}

/// The share of its time that a search takes, by the iterations for which its move has been the best.
const SHARES: [f64; 6] = [1.7, 1.2, 1.0, 0.85, 0.75, 0.65];
/// A fall of the score, in hundredths of a pawn, for which a search takes twice as long, and no longer for any greater one.
const FALL: i32 = 80;
/// The iterations over which it falls.
const OVER: usize = 3;

impl Effort {
    /// An iteration found this line best.
    pub(super) fn learn(&mut self, line: &Variation) {
        let best = line.moves.first().copied();
        self.stable = if best == self.best { self.stable + 1 } else { 0 };
        self.best = best;
        self.scores.push(match line.score {
            Score::Centipawns(score) => score,
            // However long a mate takes, there is no need to hurry or to dwell on it.
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
    fn a_move_that_stays_the_best_needs_less_time_and_a_falling_score_more() {
        let moves = Chess::default().legal_moves();
        let line = |number: usize, score| Variation::of(Score::Centipawns(score), vec![moves[number]]);
        let mut effort = Effort::default();
        effort.learn(&line(0, 20));
        let new = effort.share();
        (0..9).for_each(|_| effort.learn(&line(0, 20)));
        let stable = effort.share();
        assert!(stable < 0.5 * new, "{stable} {new}");
        effort.learn(&line(0, -500));
        assert!((effort.share() - 2.0 * stable).abs() < 1e-9, "twice at most");
        (0..OVER).for_each(|_| effort.learn(&line(0, -500)));
        assert!((effort.share() - stable).abs() < 1e-9, "it has fallen already");
        effort.learn(&line(1, 90));
        assert!((effort.share() - SHARES[0]).abs() < 1e-9, "another move, and no fall");
    }
}
