use rand::{Rng, RngExt};

/// How carefully a move is drawn: the best of some that are drawn, as far as an alpha-beta search of few nodes shows.
///
/// The rating that a network is told changes what it plays more than how well. People of a higher rating think of the
/// same moves, but of more than one, and see what is wrong with them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BestOfDraws {
    /// Moves drawn, at least 1, on average: of 2.25 they are 3 one time in four. The same may be drawn twice.
    pub draws: f64,
    /// Nodes of the search that compares them.
    pub nodes: u32,
}

impl BestOfDraws {
    /// How many moves to draw this time.
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
