use rand::{Rng, RngExt};

/// How carefully a move is drawn. Several moves are drawn, and the best of them is played, according to an alpha-beta
/// search of few nodes.
///
/// The rating that a network is given changes which moves it plays more than how well it plays. Higher-rated humans
/// consider the same moves, but more than one of them, and notice what is wrong with them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BestOfDraws {
    /// The mean number of moves drawn, at least 1. For 2.25, it is 3 one time in four and otherwise 2. The same move
    /// may be drawn twice.
    pub draws: f64,
    /// The number of nodes of the search that compares the moves.
    pub nodes: u32,
}

impl BestOfDraws {
    /// The number of moves to draw this time.
    pub(super) fn draws(&self, rng: &mut impl Rng) -> usize {
        self.draws as usize + usize::from(rng.random_bool(self.draws.fract()))
    }
}

#[cfg(test)]
mod tests {
    use rand::{SeedableRng, rngs::ChaCha8Rng};

    use super::*;

    #[test]
    fn the_number_of_draws_is_right_on_average() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let best_of_draws = BestOfDraws { draws: 2.25, nodes: 0 };
        let drawn: Vec<usize> = (0..4000).map(|_| best_of_draws.draws(&mut rng)).collect();
        assert!(drawn.iter().all(|draws| [2, 3].contains(draws)));
        let mean = drawn.iter().sum::<usize>() as f64 / 4000.0;
        assert!((mean - 2.25).abs() < 0.03, "{mean}");
        assert_eq!(BestOfDraws { draws: 1.0, nodes: 0 }.draws(&mut rng), 1);
    }
}
