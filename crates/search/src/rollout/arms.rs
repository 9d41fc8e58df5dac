use shakmaty::{Move, Position};

use crate::{Game, PortableMath as _, Score, Variation};

/// How playouts are allocated to moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allotment {
    /// To the move with the highest upper confidence bound.
    Ucb,
    /// To each move in turn.
    Uniform,
}

/// The statistics of the playouts of each move: a multi-armed bandit.
#[derive(Clone, Debug, Default)]
pub struct Arms {
    arms: Vec<Arm>,
    playouts: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Arm {
    playouts: u64,
    sum: f64,
    squares: f64,
}

impl Arm {
    fn mean(&self) -> f64 {
        self.sum / self.playouts.max(1) as f64
    }

    /// The upper confidence bound of the value, where `ln` is the logarithm of the number of all playouts: UCB1-tuned
    /// (Auer, Cesa-Bianchi and Fischer 2002, "Finite-time analysis of the multiarmed bandit problem", section 4).
    fn upper_bound(&self, ln: f64) -> f64 {
        let playouts = self.playouts as f64;
        let variance = self.squares / playouts - self.mean() * self.mean() + (2.0 * ln / playouts).sqrt();
        self.mean() + (ln / playouts * variance.min(0.25)).sqrt()
    }
}

impl Arms {
    /// Empty statistics for `count` moves, at least 1.
    pub fn new(count: usize) -> Arms {
        Arms { arms: vec![Arm::default(); count], playouts: 0 }
    }

    /// The index of the move for the next playout. Untried moves come first, beginning with index `first`, so that not
    /// all threads begin with the same move.
    pub fn next(&self, allotment: Allotment, first: usize) -> usize {
        let count = self.arms.len();
        let done = self.playouts as usize;
        if allotment == Allotment::Uniform || done < count {
            return (first + done) % count;
        }
        let ln = (self.playouts as f64).portable_ln();
        let bound = |place: &usize| self.arms[*place].upper_bound(ln);
        (0..count).max_by(|a, b| bound(a).total_cmp(&bound(b))).unwrap_or(0)
    }

    /// Adds a playout of a move with its value, in [0, 1].
    pub fn add(&mut self, place: usize, value: f64) {
        let arm = &mut self.arms[place];
        arm.playouts += 1;
        arm.sum += value;
        arm.squares += value * value;
        self.playouts += 1;
    }

    /// Adds the statistics of other playouts of the same moves.
    pub fn join(&mut self, others: &Arms) {
        self.playouts += others.playouts;
        for (arm, other) in self.arms.iter_mut().zip(&others.arms) {
            arm.playouts += other.playouts;
            arm.sum += other.sum;
            arm.squares += other.squares;
        }
    }

    /// The indices of the moves, the best first. With [`Allotment::Ucb`] the move with the most playouts is best, with
    /// [`Allotment::Uniform`] the move with the highest mean.
    pub fn ranking(&self, allotment: Allotment) -> Vec<usize> {
        let merit = |place: &usize| {
            let arm = &self.arms[*place];
            (if allotment == Allotment::Ucb { arm.playouts } else { 0 }, arm.mean())
        };
        let mut places: Vec<usize> = (0..self.arms.len()).collect();
        places.sort_by(|a, b| {
            let (a, b) = (merit(a), merit(b));
            b.0.cmp(&a.0).then(b.1.total_cmp(&a.1))
        });
        places
    }

    /// The mean value of a move; ½ if it has no playouts.
    pub fn mean(&self, place: usize) -> f64 {
        if self.arms[place].playouts == 0 { 0.5 } else { self.arms[place].mean() }
    }

    /// A line of one move with its score.
    pub(super) fn variation(&self, place: usize, game: &Game, m: Move) -> Variation {
        let mut after = game.position().clone();
        after.play_unchecked(m);
        if after.is_checkmate() {
            return Variation::of(Score::Mate(1), vec![m]);
        }
        let mean = self.mean(place);
        // The inverse of the logistic curve from scores to probabilities. The mean is clamped, because playouts never
        // prove a mate.
        let centipawns =
            400.0 * (mean.clamp(1e-4, 1.0 - 1e-4) / (1.0 - mean.clamp(1e-4, 1.0 - 1e-4))).portable_ln();
        let won = (1000.0 * mean).round() as u32;
        Variation {
            score: Score::Centipawns(centipawns.round() as i32),
            chances: [won, 0, 1000 - won],
            moves: vec![m],
            depth: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn better_moves_get_more_playouts_and_no_move_is_neglected() {
        let mut arms = Arms::new(3);
        for _ in 0..3000 {
            let place = arms.next(Allotment::Ucb, 0);
            arms.add(place, [0.2, 0.6, 0.5][place]);
        }
        assert_eq!(arms.ranking(Allotment::Ucb), [1, 2, 0]);
        let counts: Vec<u64> = arms.arms.iter().map(|arm| arm.playouts).collect();
        assert!(counts[1] > 2000 && counts[0] > 5, "{counts:?}");
    }

    #[test]
    fn uniform_playouts_take_turns_and_the_mean_decides() {
        let mut arms = Arms::new(3);
        for _ in 0..31 {
            let place = arms.next(Allotment::Uniform, 0);
            arms.add(place, [0.2, 0.3, 0.7][place]);
        }
        let counts: Vec<u64> = arms.arms.iter().map(|arm| arm.playouts).collect();
        assert_eq!(counts, [11, 10, 10]);
        assert_eq!(arms.ranking(Allotment::Uniform), [2, 1, 0]);
    }

    #[test]
    fn joined_statistics_equal_those_of_one_thread() {
        let (mut one, mut other, mut both) = (Arms::new(2), Arms::new(2), Arms::new(2));
        for (place, value) in [(0, 0.5), (1, 0.25), (1, 0.75)] {
            one.add(place, value);
            both.add(place, value);
        }
        other.add(0, 1.0);
        both.add(0, 1.0);
        one.join(&other);
        assert_eq!((one.mean(0), one.mean(1)), (both.mean(0), both.mean(1)));
        assert_eq!(one.playouts, 4);
    }
}
