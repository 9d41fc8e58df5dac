//! The games of a population, and their resampling.

use entente_search::{Game, PortableMath as _};
use rand::{Rng, RngExt};

use crate::generation::policy::{GoalPrediction, GoalValues, PolicyReport};

/// The population is resampled when its effective size falls below this share of its size.
const MIN_SHARE: f64 = 0.5;
/// An active game whose weight is below this share of the mean survives only with a probability.
const ROULETTE: f64 = 0.2;
/// The minimum probability of reaching the goal, which is that for a network's value of 0.0001. The network is never
/// certain.
const MIN_CHANCE: f64 = 3.5e-6;

/// One game of a population.
#[derive(Clone)]
pub(super) struct Particle {
    pub game: Game,
    /// ln of its weight, without the value.
    pub weight: f64,
    /// True once the constraint holds.
    pub is_done: bool,
    /// The prediction of the policy for its position.
    pub prediction: Option<GoalPrediction>,
    /// ln of the probability that the conditions that the network is not shown will finally hold.
    pub promise: f64,
    /// Its report.
    pub report: PolicyReport,
    /// The number of its moves that have been reviewed.
    pub reviewed: usize,
}

impl Particle {
    /// A game with the weight 1.
    pub(super) fn new(game: Game) -> Particle {
        let report = PolicyReport::default();
        Particle { game, weight: 0.0, is_done: false, prediction: None, promise: 0.0, report, reviewed: 0 }
    }

    /// The probabilities of reaching the goal according to the network, if it was shown one.
    pub(super) fn goal_values(&self) -> Option<&GoalValues> {
        self.prediction.as_ref()?.goal_values.as_ref()
    }

    /// ln of its weight, with the value.
    fn whole(&self) -> f64 {
        self.weight + self.value()
    }

    /// ln of the probability that the goal is reached in time.
    fn value(&self) -> f64 {
        if self.is_done {
            return 0.0;
        }
        self.promise
            + self.goal_values().map_or(0.0, |goal_values| goal_values.chance().max(MIN_CHANCE).portable_ln())
    }
}

/// ln of the mean weight, with the value, of a population that began with `size` games.
pub(super) fn standing(population: &[Particle], size: usize) -> f64 {
    log_sum(population.iter().map(Particle::whole)) - (size as f64).portable_ln()
}

/// The population after resampling, if a few games have most of the weight. Otherwise, games with little weight end at
/// random, and the survivors have their weights divided by the probability of survival.
pub(super) fn resampled(population: Vec<Particle>, size: usize, rng: &mut impl Rng) -> Vec<Particle> {
    if population.is_empty() {
        return population;
    }
    let weights = shares(population.iter().map(Particle::whole));
    let effective = 1.0 / weights.iter().map(|weight| weight * weight).sum::<f64>();
    if effective >= MIN_SHARE * size as f64 && population.len() == size {
        let mean = 1.0 / weights.len() as f64;
        let survives = population.into_iter().zip(weights).filter_map(|(mut particle, weight)| {
            let chance = weight / (ROULETTE * mean);
            if particle.is_done || chance >= 1.0 {
                return Some(particle);
            }
            if rng.random::<f64>() >= chance {
                return None;
            }
            particle.weight -= chance.portable_ln();
            Some(particle)
        });
        return survives.collect();
    }
    // Systematic resampling: each game is drawn in proportion to its share, rounded up or down by a single random
    // number.
    let total = log_sum(population.iter().map(Particle::whole)) - (size as f64).portable_ln();
    let start: f64 = rng.random();
    let mut drawn = Vec::with_capacity(size);
    let (mut sum, mut index) = (0.0, 0);
    for number in 0..size {
        let place = (number as f64 + start) / size as f64;
        while index + 1 < population.len() && sum + weights[index] <= place {
            sum += weights[index];
            index += 1;
        }
        let mut particle = population[index].clone();
        particle.weight = total - particle.value();
        drawn.push(particle);
    }
    drawn
}

/// ln of the sum of numbers, given their logarithms.
pub(super) fn log_sum(logarithms: impl Iterator<Item = f64> + Clone) -> f64 {
    let most = logarithms.clone().fold(f64::NEG_INFINITY, f64::max);
    if most == f64::NEG_INFINITY {
        return most;
    }
    most + logarithms.map(|logarithm| (logarithm - most).portable_exp()).sum::<f64>().portable_ln()
}

/// The share of each number in the sum, given their logarithms.
fn shares(logarithms: impl Iterator<Item = f64> + Clone) -> Vec<f64> {
    let total = log_sum(logarithms.clone());
    logarithms
        .map(|logarithm| if total.is_finite() { (logarithm - total).portable_exp() } else { 0.0 })
        .collect()
}

#[cfg(test)]
mod tests {
    use entente_network::encoding::Distribution;
    use rand::{SeedableRng, rngs::ChaCha8Rng};

    use super::*;

    #[test]
    fn calibration_lowers_all_probabilities_except_0_and_1() {
        let chance = |value| GoalValues { value, action_values: Vec::new() }.chance();
        assert_eq!([0.0, 1.0].map(chance), [0.0, 1.0]);
        assert!((chance(0.37) - 0.21).abs() < 0.01 && (chance(0.8) - 0.77).abs() < 0.01);
    }

    #[test]
    fn shares_do_not_depend_on_the_scale() {
        for scale in [-1000.0, 0.0, 1000.0] {
            let weights = shares([scale, scale + 2f64.portable_ln(), f64::NEG_INFINITY, scale].into_iter());
            assert_eq!(weights.len(), 4);
            for (weight, expected) in weights.iter().zip([0.25, 0.5, 0.0, 0.25]) {
                assert!((weight - expected).abs() < 1e-12, "{weights:?}");
            }
        }
        assert_eq!(shares([f64::NEG_INFINITY].into_iter()), [0.0]);
    }

    /// The value of the network for a probability of reaching the goal.
    fn said(chance: f64) -> f32 {
        let (mut below, mut above) = (0.0, 1.0);
        for _ in 0..40 {
            let value = (below + above) / 2.0;
            let goal_values = GoalValues { value, action_values: Vec::new() };
            *if goal_values.chance() < chance { &mut below } else { &mut above } = value;
        }
        below
    }

    /// A game without moves, with this logarithm of its weight and this probability of reaching the goal.
    fn particle(number: u32, weight: f64, chance: f64) -> Particle {
        let position = shakmaty::Chess::default();
        let prediction = GoalPrediction {
            moves: shakmaty::MoveList::new(),
            men: entente_constraint::Men::on(shakmaty::Position::board(&position)),
            goal: Distribution::new(Vec::new()),
            human: None,
            goal_values: Some(GoalValues { value: said(chance), action_values: Vec::new() }),
        };
        Particle {
            weight,
            prediction: Some(prediction),
            report: PolicyReport { judged: number, ..PolicyReport::default() },
            ..Particle::new(Game::new(position))
        }
    }

    /// Resampling and random ends do not change the distribution: on average, the total weight of the copies of a game,
    /// with the value, stays the same.
    #[test]
    fn resampling_and_roulette_keep_expectations() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        // The first population is resampled; in the second, the last game may end.
        for (kinds, is_whole) in [
            ([(1.0, 0.5), (2.0, 0.9), (40.0, 0.2), (0.5, 0.01)], true),
            ([(1.0, 0.5), (0.5, 0.9), (2.0, 0.25), (0.05, 0.5)], false),
        ] {
            let before: Vec<f64> = kinds.iter().map(|(weight, value)| weight * value).collect();
            let mut after = [0.0; 4];
            let mut copies = 0;
            const TRIALS: usize = 8000;
            for _ in 0..TRIALS {
                let population = (0..).zip(kinds);
                let population =
                    population.map(|(number, (weight, value))| particle(number, weight.portable_ln(), value));
                for particle in resampled(population.collect(), 4, &mut rng) {
                    copies += 1;
                    let whole = (particle.weight + particle.value()).portable_exp();
                    after[particle.report.judged as usize] += whole / TRIALS as f64;
                }
            }
            assert_eq!(copies == 4 * TRIALS, is_whole, "{copies}");
            for (after, before) in after.iter().zip(&before) {
                assert!((after - before).abs() < 0.1 * before + 0.01, "{before} became {after}");
            }
        }
    }
}
