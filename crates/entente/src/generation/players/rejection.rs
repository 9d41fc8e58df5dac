//! Which populations are worth going on with.
//!
//! A population of a few games nearly always comes to one that meets the constraint, even if it has missed every way
//! that people take there: drawn from all populations alike, games would be longer and stranger than people's. How many of
//! people's games a population stands for is its mean weight, which on average stays what it was in the beginning (what
//! [reviews](super::review) take is given back on average, too). So one that has fallen below a share of that is given up
//! by chance, and another one begins: rejection control (Liu, Chen and Wong 1998, "Rejection control and sequential
//! importance sampling").

use rand::{Rng, RngExt};

use super::population::{Particle, standing};

/// A population of less than this share of the weight with which it began goes on only by chance.
const MIN_STANDING: f64 = 0.25;

/// Says whether a population is kept.
pub(super) struct Rejection {
    /// The games with which it began.
    size: usize,
    /// ln of the mean weight with which it began; −∞ where the network was shown no goal, and so expects nothing.
    first: f64,
}

impl Rejection {
    /// A population begins, all games of which are alike and have been looked at.
    pub(super) fn begin(population: &[Particle]) -> Rejection {
        let size = population.len();
        let expects = population.iter().any(|particle| particle.goal_values().is_some());
        Rejection { size, first: if expects { standing(population, size) } else { f64::NEG_INFINITY } }
    }

    /// False if the population is given up. One that is kept by chance weighs more by as much as the chance was less
    /// than 1.
    pub(super) fn keeps(&self, population: &mut [Particle], rng: &mut impl Rng) -> bool {
        let chance = standing(population, self.size) - self.first - MIN_STANDING.ln();
        if chance >= 0.0 {
            return true;
        }
        population.iter_mut().for_each(|particle| particle.weight -= chance);
        rng.random::<f64>() < chance.exp()
    }
}

#[cfg(test)]
mod tests {
    use entente_search::Game;
    use rand::{SeedableRng, rngs::StdRng};
    use shakmaty::Chess;

    use super::*;

    const SIZE: usize = 4;

    /// Games of these weights, all of which meet the constraint.
    fn population(weights: &[f64]) -> Vec<Particle> {
        let particle = |weight: &f64| {
            let game = Particle::new(Game::new(Chess::default()));
            Particle { weight: weight.ln(), is_done: true, ..game }
        };
        weights.iter().map(particle).collect()
    }

    fn begun() -> Rejection {
        Rejection { size: SIZE, first: 2f64.ln() }
    }

    #[test]
    fn what_stands_for_many_games_is_kept_as_it_is() {
        let mut rng = StdRng::seed_from_u64(1);
        // Two of four games are left, one of which weighs all that a quarter of the beginning did.
        for weights in [vec![2.0; SIZE], vec![9.0; SIZE], vec![2.0, 0.01]] {
            let mut kept = population(&weights);
            assert!(begun().keeps(&mut kept, &mut rng));
            assert!(kept.iter().zip(&weights).all(|(particle, weight)| particle.weight == weight.ln()));
        }
    }

    #[test]
    fn what_stands_for_few_is_kept_as_seldom_and_then_counts_for_all_that_were_not() {
        let mut rng = StdRng::seed_from_u64(2);
        let all = 4000;
        let kept: Vec<f64> = (0..all)
            .filter_map(|_| {
                let mut population = population(&[0.3, 0.1]);
                begun().keeps(&mut population, &mut rng).then(|| standing(&population, SIZE).exp())
            })
            .collect();
        // It has a tenth of a weight, where a half is asked for.
        let share = kept.len() as f64 / f64::from(all);
        assert!((share - 0.2).abs() < 0.03, "{share}");
        let mean = kept.iter().sum::<f64>() / f64::from(all);
        assert!((mean - 0.1).abs() < 0.015, "{mean}");
        assert!(!begun().keeps(&mut [], &mut rng), "no game is left");
    }

    #[test]
    fn where_nothing_is_expected_every_population_is_kept() {
        let mut rng = StdRng::seed_from_u64(4);
        let rejection = Rejection::begin(&population(&[1.0; SIZE]));
        assert!(rejection.keeps(&mut population(&[1e-9]), &mut rng));
    }
}
