use entente_search::PortableMath as _;
use rand::{Rng, RngExt};

/// The probabilities of logits, computed in a numerically stable way. A logit of −∞ gives 0. If no logit is finite, all
/// probabilities are 0.
pub fn softmax(logits: &[f32]) -> Vec<f32> {
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    if !most.is_finite() {
        return vec![0.0; logits.len()];
    }
    let mut numbers: Vec<f32> = logits.iter().map(|logit| (logit - most).portable_exp()).collect();
    let sum: f32 = numbers.iter().sum();
    numbers.iter_mut().for_each(|number| *number /= sum);
    numbers
}

/// How moves are drawn from a distribution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampling {
    /// Logits are divided by this. 0 selects the likeliest move.
    pub temperature: f32,
    /// Only the fewest likeliest moves whose probabilities add up to at least this are drawn. 1 allows all moves.
    pub top_p: f32,
}

/// The log-probabilities of a list of moves. Masked moves have −∞.
#[derive(Clone, Debug, PartialEq)]
pub struct Distribution {
    logits: Vec<f32>,
}

impl Distribution {
    /// The distribution of a network's `logits`, one for each legal move.
    ///
    /// Moves whose logits are infinite or NaN are masked.
    pub fn new(mut logits: Vec<f32>) -> Distribution {
        for logit in &mut logits {
            if !logit.is_finite() {
                *logit = f32::NEG_INFINITY;
            }
        }
        let mut distribution = Distribution { logits };
        distribution.normalise();
        distribution
    }

    /// The natural logarithms of the probabilities.
    pub fn logarithms(&self) -> &[f32] {
        &self.logits
    }

    /// The probability of a move.
    pub fn probability(&self, index: usize) -> f32 {
        self.logits[index].portable_exp()
    }

    /// True if every move is masked.
    pub fn is_empty(&self) -> bool {
        self.logits.iter().all(|logit| *logit == f32::NEG_INFINITY)
    }

    /// Masks the moves for which `allowed` is false, renormalises the others, and returns the probability that was
    /// removed, in [0, 1]. If the remaining moves have no probability, nothing changes and the result is 1.
    pub fn mask(&mut self, allowed: impl Fn(usize) -> bool) -> f32 {
        let kept: f32 =
            (0..self.logits.len()).filter(|index| allowed(*index)).map(|index| self.probability(index)).sum();
        if kept <= 0.0 {
            return 1.0;
        }
        for (index, logit) in self.logits.iter_mut().enumerate() {
            if !allowed(index) {
                *logit = f32::NEG_INFINITY;
            }
        }
        self.normalise();
        (1.0 - kept).max(0.0)
    }

    /// Adds a bonus to each logit and renormalises.
    pub fn add(&mut self, bonus: impl Fn(usize) -> f32) {
        for (index, logit) in self.logits.iter_mut().enumerate() {
            *logit += bonus(index);
        }
        self.normalise();
    }

    /// The distribution after the temperature and then the top-p limit of `sampling`.
    pub fn shaped(&self, sampling: Sampling) -> Distribution {
        let mut shaped = self.clone();
        if sampling.temperature <= 0.0 {
            let best = shaped.likeliest();
            shaped.mask(|index| Some(index) == best);
            return shaped;
        }
        if sampling.temperature != 1.0 {
            shaped.logits.iter_mut().for_each(|logit| *logit /= sampling.temperature);
            shaped.normalise();
        }
        if sampling.top_p < 1.0 {
            let mut order: Vec<usize> = (0..shaped.logits.len()).collect();
            order.sort_by(|a, b| shaped.logits[*b].total_cmp(&shaped.logits[*a]));
            let mut sum = 0.0;
            let mut kept = vec![false; order.len()];
            for index in order {
                kept[index] = true;
                sum += shaped.probability(index);
                if sum >= sampling.top_p {
                    break;
                }
            }
            shaped.mask(|index| kept[index]);
        }
        shaped
    }

    /// Draws the index of a move; `None` if all moves are masked.
    pub fn draw(&self, rng: &mut impl Rng) -> Option<usize> {
        let mut left: f32 = rng.random();
        for index in 0..self.logits.len() {
            left -= self.probability(index);
            if left < 0.0 {
                return Some(index);
            }
        }
        // Rounding may leave a remainder.
        self.likeliest()
    }

    /// The index of the likeliest move; `None` if all moves are masked.
    pub fn likeliest(&self) -> Option<usize> {
        let moves = (0..self.logits.len()).filter(|index| self.logits[*index] > f32::NEG_INFINITY);
        moves.max_by(|a, b| self.logits[*a].total_cmp(&self.logits[*b]))
    }

    fn normalise(&mut self) {
        let most = self.logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        if most == f32::NEG_INFINITY {
            return;
        }
        let sum: f32 = self.logits.iter().map(|logit| (logit - most).portable_exp()).sum();
        let logarithm = most + sum.portable_ln();
        self.logits.iter_mut().for_each(|logit| *logit -= logarithm);
    }
}

#[cfg(test)]
mod tests {
    use rand::{SeedableRng, rngs::ChaCha8Rng};

    use super::*;

    #[test]
    fn large_logits_do_not_overflow_and_masked_ones_get_zero() {
        let numbers = softmax(&[1000.0, 1000.0, f32::NEG_INFINITY, -1000.0]);
        assert_eq!(numbers, [0.5, 0.5, 0.0, 0.0]);
        let distribution = Distribution::new(vec![1000.0, f32::NAN, 1000.0, f32::INFINITY]);
        for (index, expected) in [0.5, 0.0, 0.5, 0.0].into_iter().enumerate() {
            assert!((distribution.probability(index) - expected).abs() < 1e-4);
        }
    }

    #[test]
    fn a_mask_returns_what_it_removes_and_never_removes_everything() {
        let mut distribution =
            Distribution::new(vec![0.25f32.portable_ln(), 0.25f32.portable_ln(), 0.5f32.portable_ln()]);
        assert!((distribution.mask(|index| index != 2) - 0.5).abs() < 1e-6);
        assert!((distribution.probability(0) - 0.5).abs() < 1e-6);
        let before = distribution.clone();
        assert_eq!(distribution.mask(|index| index == 2), 1.0);
        assert_eq!(distribution, before);
    }

    #[test]
    fn temperature_and_top_p_sharpen() {
        let distribution =
            Distribution::new(vec![0.1f32.portable_ln(), 0.2f32.portable_ln(), 0.7f32.portable_ln()]);
        let cold = distribution.shaped(Sampling { temperature: 0.5, top_p: 1.0 });
        let squares = 0.01 + 0.04 + 0.49;
        assert!((cold.probability(2) - 0.49 / squares).abs() < 1e-5);
        let coldest = distribution.shaped(Sampling { temperature: 0.0, top_p: 1.0 });
        assert_eq!(coldest.probability(2), 1.0);
        let top = distribution.shaped(Sampling { temperature: 1.0, top_p: 0.8 });
        assert_eq!(top.probability(0), 0.0);
        assert!((top.probability(1) - 2.0 / 9.0).abs() < 1e-5);
    }

    #[test]
    fn moves_are_drawn_with_their_probabilities() {
        let distribution = Distribution::new(vec![
            0.1f32.portable_ln(),
            f32::NEG_INFINITY,
            0.2f32.portable_ln(),
            0.7f32.portable_ln(),
        ]);
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut drawn = [0_i32; 4];
        for _ in 0..10_000 {
            drawn[distribution.draw(&mut rng).unwrap()] += 1;
        }
        assert_eq!(drawn[1], 0);
        for (count, expected) in [(drawn[0], 1000), (drawn[2], 2000), (drawn[3], 7000)] {
            assert!((count - expected).abs() < 150, "{drawn:?}");
        }
        assert_eq!(Distribution::new(vec![f32::NEG_INFINITY]).draw(&mut rng), None);
    }
}
