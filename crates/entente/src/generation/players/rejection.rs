//! Decides which populations are continued.
//!
//! A population of a few games nearly always reaches the constraint, even if it has missed all ways that humans take.
//! If all populations counted the same, games would be longer and stranger than human ones. The mean weight of a
//! population says how many human games it represents. On average, the mean weight stays the same from the beginning,
//! because [reviews](super::review) also give back on average what they take. So a population whose mean weight has
//! fallen below a share of that is given up at random, and another one begins. This is rejection control (Liu, Chen and
//! Wong 1998, "Rejection control and sequential importance sampling").

use entente_search::PortableMath as _;
use rand::{Rng, RngExt};

use super::population::{Particle, standing};

/// A population whose mean weight is below this share of the initial one continues only with a probability.
const MIN_STANDING: f64 = 0.25;

/// Decides whether a population is kept.
pub(super) struct Rejection {
    /// The number of games at the beginning.
    size: usize,
    /// ln of the mean weight at the beginning; −∞ if the network was shown no goal and so expects nothing.
    first: f64,
}

impl Rejection {
    /// The rejection for a population at its beginning, when all games are the same and have predictions.
    pub(super) fn begin(population: &[Particle]) -> Rejection {
        let size = population.len();
        let expects = population.iter().any(|particle| particle.goal_values().is_some());
        Rejection { size, first: if expects { standing(population, size) } else { f64::NEG_INFINITY } }
    }

    /// False if the population is given up. If it is kept with a probability below 1, its weights are divided by the
    /// probability.
    pub(super) fn keeps(&self, population: &mut [Particle], rng: &mut impl Rng) -> bool {
        let chance = standing(population, self.size) - self.first - MIN_STANDING.portable_ln();
        if chance >= 0.0 {
            return true;
        }
        population.iter_mut().for_each(|particle| particle.weight -= chance);
        rng.random::<f64>() < chance.portable_exp()
    }
}

#[cfg(test)]
mod tests {
    use entente_search::Game;
    use rand::{SeedableRng, rngs::StdRng};
    use shakmaty::Chess;

    use super::*;

    const SIZE: usize = 4;

    /// Games with these weights, all of which satisfy the constraint.
    fn population(weights: &[f64]) -> Vec<Particle> {
        let particle = |weight: &f64| {
            let game = Particle::new(Game::new(Chess::default()));
            Particle { weight: weight.portable_ln(), is_done: true, ..game }
        };
        weights.iter().map(particle).collect()
    }

    fn begun() -> Rejection {
        Rejection { size: SIZE, first: 2f64.portable_ln() }
    }

    #[test]
    fn a_population_that_represents_many_games_is_kept_unchanged() {
        let mut rng = StdRng::seed_from_u64(1);
        // Two of four games are left, one of which has a quarter of the initial weight.
        for weights in [vec![2.0; SIZE], vec![9.0; SIZE], vec![2.0, 0.01]] {
            let mut kept = population(&weights);
            assert!(begun().keeps(&mut kept, &mut rng));
            assert!(
                kept.iter().zip(&weights).all(|(particle, weight)| particle.weight == weight.portable_ln())
            );
        }
    }

    #[test]
    fn a_population_that_represents_few_games_is_kept_rarely_and_then_weighs_more() {
        let mut rng = StdRng::seed_from_u64(2);
        let all = 4000;
        let kept: Vec<f64> = (0..all)
            .filter_map(|_| {
                let mut population = population(&[0.3, 0.1]);
                begun().keeps(&mut population, &mut rng).then(|| standing(&population, SIZE).portable_exp())
            })
            .collect();
        // It has a tenth of the weight, and half is needed.
        let share = kept.len() as f64 / f64::from(all);
        assert!((share - 0.2).abs() < 0.03, "{share}");
        let mean = kept.iter().sum::<f64>() / f64::from(all);
        assert!((mean - 0.1).abs() < 0.015, "{mean}");
        assert!(!begun().keeps(&mut [], &mut rng), "no game is left");
    }

    #[test]
    fn without_a_goal_for_the_network_every_population_is_kept() {
        let mut rng = StdRng::seed_from_u64(4);
        let rejection = Rejection::begin(&population(&[1.0; SIZE]));
        assert!(rejection.keeps(&mut population(&[1e-9]), &mut rng));
    }
}
