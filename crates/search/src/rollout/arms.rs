use shakmaty::{Move, Position};

use crate::{Game, Score, Variation};

/// Which move the next playout begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allotment {
    /// The one with the highest upper bound of its value, as far as its playouts tell.
    Ucb,
    /// Each in its turn.
    Uniform,
}

/// What the playouts of each move have been worth.
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

    /// The upper bound of the value where `ln` is the logarithm of all playouts: UCB1-tuned (Auer, Cesa-Bianchi and Fischer
    /// 2002, "Finite-time analysis of the multiarmed bandit problem", section 4).
    fn upper_bound(&self, ln: f64) -> f64 {
        let playouts = self.playouts as f64;
        let variance = self.squares / playouts - self.mean().powi(2) + (2.0 * ln / playouts).sqrt();
        self.mean() + (ln / playouts * variance.min(0.25)).sqrt()
    }
}

impl Arms {
    /// So many moves, at least 1.
    pub fn new(count: usize) -> Arms {
        Arms { arms: vec![Arm::default(); count], playouts: 0 }
    }

    /// The place of the move of the next playout. What was never tried comes first, from number `first` on, so that threads
    /// do not all begin with the same.
    pub fn next(&self, allotment: Allotment, first: usize) -> usize {
        let count = self.arms.len();
        let done = self.playouts as usize;
        if allotment == Allotment::Uniform || done < count {
            return (first + done) % count;
        }
        let ln = (self.playouts as f64).ln();
        let bound = |place: &usize| self.arms[*place].upper_bound(ln);
        (0..count).max_by(|a, b| bound(a).total_cmp(&bound(b))).unwrap_or(0)
    }

    /// A playout of a move ended with this value, 0 to 1.
    pub fn add(&mut self, place: usize, value: f64) {
        let arm = &mut self.arms[place];
        arm.playouts += 1;
        arm.sum += value;
        arm.squares += value * value;
        self.playouts += 1;
    }

    /// Adds what others have found of the same moves.
    pub fn join(&mut self, others: &Arms) {
        self.playouts += others.playouts;
        for (arm, other) in self.arms.iter_mut().zip(&others.arms) {
            arm.playouts += other.playouts;
            arm.sum += other.sum;
            arm.squares += other.squares;
        }
    }

    /// The places of the moves, the best first. Where playouts went to what looked best, the most played is best; else
    /// it is that with the highest average.
    pub fn ranking(&self, allotment: Allotment) -> Vec<usize> {
        let worth = |place: &usize| {
            let arm = &self.arms[*place];
            (if allotment == Allotment::Ucb { arm.playouts } else { 0 }, arm.mean())
        };
        let mut places: Vec<usize> = (0..self.arms.len()).collect();
        places.sort_by(|a, b| {
            let (a, b) = (worth(a), worth(b));
            b.0.cmp(&a.0).then(b.1.total_cmp(&a.1))
        });
        places
    }

    /// The average value of a move; ½ if it has none.
    pub fn mean(&self, place: usize) -> f64 {
        if self.arms[place].playouts == 0 { 0.5 } else { self.arms[place].mean() }
    }

    /// The line of a move.
    pub(super) fn variation(&self, place: usize, game: &Game, m: Move) -> Variation {
        let mut after = game.position().clone();
        after.play_unchecked(m);
        if after.is_checkmate() {
            return Variation::of(Score::Mate(1), vec![m]);
        }
        let mean = self.mean(place);
        // The inverse of what made a chance of the score; no playouts are so many that they show a mate.
        let centipawns = 400.0 * (mean.clamp(1e-4, 1.0 - 1e-4) / (1.0 - mean.clamp(1e-4, 1.0 - 1e-4))).ln();
        let won = (1000.0 * mean).round() as u32;
        Variation {
            score: Score::Centipawns(centipawns.round() as i32),
            chances: [won, 0, 1000 - won],
            moves: vec![m],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn playouts_go_where_more_is_won_and_none_is_forgotten() {
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
    fn evenly_each_has_its_turn_and_the_average_decides() {
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
    fn what_two_threads_found_is_what_one_would_have_found() {
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
