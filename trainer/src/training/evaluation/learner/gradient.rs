use std::thread;

use entente_search::vectors::{LANES, Vector, Work, for_vectors};

use super::{expected, of_logit, weights::Weights};
use crate::evaluations::LabelledPosition;

/// The target for a position, as an expected score: the engine's score with the weight `score_weight`, and the result,
/// if known, with the remaining weight.
pub(super) fn target(position: &LabelledPosition, score_weight: f32) -> f32 {
    let score = expected(position);
    position.result().map_or(score, |result| score_weight * score + (1.0 - score_weight) * result)
}

/// Computes the network and the gradient of its loss, in 32 bits.
///
/// The gradient is written by hand, because only about 30 of a side's 768 inputs are 1, and a matrix multiplication
/// would visit all of them. A test compares it with the gradient of libtorch.
#[derive(Debug)]
pub(super) struct Gradient<const WIDTH: usize> {
    /// The sum of the gradients of all positions added.
    pub sum: Vec<f32>,
    /// The sum of their squared errors.
    pub loss: f64,
    inputs: [Vec<u16>; 2],
    neurons: [[f32; WIDTH]; 2],
}

impl<const WIDTH: usize> Default for Gradient<WIDTH> {
    fn default() -> Gradient<WIDTH> {
        Gradient {
            sum: vec![0.0; Weights::<WIDTH>::COUNT],
            loss: 0.0,
            inputs: Default::default(),
            neurons: [[0.0; WIDTH]; 2],
        }
    }
}

impl<const WIDTH: usize> Gradient<WIDTH> {
    /// Resets the sums.
    fn clear(&mut self) {
        self.sum.fill(0.0);
        self.loss = 0.0;
    }

    /// The network's output for a position, as a logit.
    #[inline(always)]
    fn value(&mut self, weights: &[f32], position: &LabelledPosition) -> f32 {
        const { assert!(WIDTH.is_multiple_of(LANES), "no neuron is left over") };
        position.inputs(&mut self.inputs);
        let bucket = position.bucket();
        let last = weights[Weights::<WIDTH>::output(bucket)].as_chunks::<WIDTH>().0;
        // Sums of several lanes, because a single sum would wait for each addition.
        let mut sums = [0.0; LANES];
        for ((inputs, neurons), last) in self.inputs.iter().zip(&mut self.neurons).zip(last) {
            neurons.copy_from_slice(&weights[Weights::<WIDTH>::BIASES]);
            for input in inputs {
                add(neurons, &weights[Weights::<WIDTH>::row(*input)]);
            }
            for (neurons, weights) in neurons.as_chunks::<LANES>().0.iter().zip(last.as_chunks::<LANES>().0) {
                for (sum, (neuron, weight)) in sums.iter_mut().zip(neurons.iter().zip(weights)) {
                    let clipped = neuron.clamp(0.0, 1.0);
                    *sum += clipped * clipped * weight;
                }
            }
        }
        weights[Weights::<WIDTH>::output_bias(bucket)] + sums.iter().sum::<f32>()
    }

    /// Adds the gradient, at `weights`, of the squared error of the expected score.
    #[inline(always)]
    fn add(&mut self, weights: &[f32], position: &LabelledPosition, score_weight: f32) {
        let found = of_logit(self.value(weights, position));
        let error = found - target(position, score_weight);
        self.loss += f64::from(error * error);
        let slope = 2.0 * error * found * (1.0 - found);
        let bucket = position.bucket();
        self.sum[Weights::<WIDTH>::output_bias(bucket)] += slope;
        let last = Weights::<WIDTH>::output(bucket);
        let sums = self.sum[last.clone()].as_chunks_mut::<WIDTH>().0.iter_mut();
        let last = weights[last].as_chunks::<WIDTH>().0.iter().zip(sums);
        for (neurons, (weights, sums)) in self.neurons.iter_mut().zip(last) {
            for (neuron, (weight, sum)) in neurons.iter_mut().zip(weights.iter().zip(sums)) {
                let clipped = neuron.clamp(0.0, 1.0);
                *sum += slope * clipped * clipped;
                let is_open = *neuron > 0.0 && *neuron < 1.0;
                let through = slope * weight * 2.0 * clipped;
                *neuron = if is_open { through } else { 0.0 };
            }
        }
        for (inputs, neurons) in self.inputs.iter().zip(&self.neurons) {
            add(&mut self.sum[Weights::<WIDTH>::BIASES], neurons);
            for input in inputs {
                add(&mut self.sum[Weights::<WIDTH>::row(*input)], neurons);
            }
        }
    }
}

#[inline(always)]
fn add(sum: &mut [f32], more: &[f32]) {
    sum.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
}

/// The work of a thread on its share of a batch.
struct Share<'a, const WIDTH: usize> {
    part: &'a mut Gradient<WIDTH>,
    weights: &'a [f32],
    positions: &'a [LabelledPosition],
    score_weight: f32,
}

impl<const WIDTH: usize> Work for Share<'_, WIDTH> {
    #[inline(always)]
    fn work<V: Vector, const GROUPS: usize>(self) {
        let Share { part, weights, positions, score_weight } = self;
        for position in positions {
            part.add(weights, position, score_weight);
        }
    }
}

/// The mean gradient of the loss over the positions, and the mean loss. Each of `parts` is computed by its own thread.
pub(super) fn mean_gradient<const WIDTH: usize>(
    parts: &mut [Gradient<WIDTH>],
    weights: &[f32],
    positions: &[LabelledPosition],
    score_weight: f32,
) -> (Vec<f32>, f64) {
    let share = positions.len().div_ceil(parts.len()).max(1);
    thread::scope(|scope| {
        let mut shares = positions.chunks(share);
        for part in parts.iter_mut() {
            let positions = shares.next().unwrap_or_default();
            scope.spawn(move || {
                part.clear();
                for_vectors(Share { part, weights, positions, score_weight });
            });
        }
    });
    let count = positions.len() as f32;
    let (first, others) = parts.split_first_mut().expect("a thread");
    for other in others.iter() {
        first.sum.iter_mut().zip(&other.sum).for_each(|(sum, more)| *sum += more);
        first.loss += other.loss;
    }
    (first.sum.iter().map(|sum| sum / count).collect(), first.loss / f64::from(count))
}

/// The network's outputs for positions, as logits.
struct Outputs<'a, const WIDTH: usize> {
    weights: &'a [f32],
    positions: &'a [LabelledPosition],
    found: &'a mut Vec<f32>,
}

impl<const WIDTH: usize> Work for Outputs<'_, WIDTH> {
    #[inline(always)]
    fn work<V: Vector, const GROUPS: usize>(self) {
        let Outputs { weights, positions, found } = self;
        let mut gradient = Gradient::<WIDTH>::default();
        found.extend(positions.iter().map(|position| gradient.value(weights, position)));
    }
}

/// The network's outputs for positions, as logits.
pub(super) fn outputs<const WIDTH: usize>(weights: &[f32], positions: &[LabelledPosition]) -> Vec<f32> {
    let mut found = Vec::with_capacity(positions.len());
    for_vectors(Outputs::<WIDTH> { weights, positions, found: &mut found });
    found
}

#[cfg(test)]
pub(super) mod tests {
    use entente_search::scorer::{NetworkScorer, SCALE, Scorer as _, piece_squares::INPUTS};
    use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};
    use shakmaty::{Chess, Position};
    use tch::{Kind, Tensor};

    use super::*;
    use crate::games::{Evaluation, GameResult, Split};

    const WIDTH: usize = 64;
    type Small = Weights<WIDTH>;

    /// Positions of random games with random scores.
    pub(crate) fn positions(count: usize) -> Vec<(Chess, LabelledPosition)> {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut all = Vec::new();
        while all.len() < count {
            let mut position = Chess::default();
            for _ in 0..rng.random_range(1..150) {
                let moves = position.legal_moves();
                let Some(m) = moves.get(rng.random_range(0..moves.len().max(1))) else { break };
                position.play_unchecked(*m);
            }
            let score = Evaluation::Centipawns(rng.random_range(-600..600));
            let result = [None, Some(GameResult::WhiteWins), Some(GameResult::Draw)][all.len() % 3];
            let labelled = LabelledPosition::new(
                position.board(),
                position.turn(),
                score,
                result,
                Split::Training,
                true,
            );
            all.push((position, labelled));
        }
        all
    }

    /// The same loss with tensors, so that libtorch can compute its gradient.
    fn loss(weights: &Tensor, positions: &[LabelledPosition], score_weight: f32) -> Tensor {
        let width = WIDTH as i64;
        let rows = weights.narrow(0, 0, (INPUTS * WIDTH) as i64).view([INPUTS as i64, width]);
        let biases = weights.narrow(0, Small::BIASES.start as i64, width);
        let losses: Vec<Tensor> = positions
            .iter()
            .map(|position| {
                let mut inputs = [Vec::new(), Vec::new()];
                position.inputs(&mut inputs);
                let sides = inputs.map(|inputs| {
                    let inputs: Vec<i64> = inputs.iter().map(|input| i64::from(*input)).collect();
                    let sum = rows.index_select(0, &Tensor::from_slice(&inputs)).sum_dim_intlist(
                        [0i64].as_slice(),
                        false,
                        Kind::Float,
                    );
                    (sum + &biases).clamp(0.0, 1.0).square()
                });
                let bucket = position.bucket();
                let last = weights.narrow(0, Small::output(bucket).start as i64, 2 * width);
                let bias = weights.narrow(0, Small::output_bias(bucket) as i64, 1);
                let chance = (Tensor::cat(&sides, 0).dot(&last) + bias).sigmoid();
                (chance - f64::from(target(position, score_weight))).square()
            })
            .collect();
        Tensor::cat(&losses, 0).mean(Kind::Float)
    }

    #[test]
    fn the_gradient_is_that_of_libtorch() {
        let positions: Vec<LabelledPosition> =
            positions(10).into_iter().map(|(_, labelled)| labelled).collect();
        let weights = Small::random(5).set_requires_grad(true);
        let expected_loss = loss(&weights, &positions, 0.8);
        expected_loss.backward();
        let expected = Vec::<f32>::try_from(weights.grad()).unwrap();
        let weights = Vec::<f32>::try_from(weights.detach()).unwrap();
        for threads in [1, 3] {
            let mut parts: Vec<Gradient<WIDTH>> = (0..threads).map(|_| Gradient::default()).collect();
            let (found, loss) = mean_gradient(&mut parts, &weights, &positions, 0.8);
            assert!((loss - expected_loss.double_value(&[])).abs() < 1e-6);
            let difference = found.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            let largest = expected.iter().map(|number| number.abs()).fold(0.0, f32::max);
            assert!(difference < 1e-4 * largest, "{difference} of {largest}");
        }
    }

    #[test]
    fn integer_arithmetic_changes_scores_only_slightly() {
        let weights = Vec::<f32>::try_from(Small::random(6)).unwrap();
        let scorer = NetworkScorer::new(std::sync::Arc::new(Small::quantised("random", &weights).unwrap()));
        let (positions, labelled): (Vec<Chess>, Vec<LabelledPosition>) = positions(100).into_iter().unzip();
        let outputs = outputs::<WIDTH>(&weights, &labelled);
        let differences = positions.iter().zip(outputs).map(|(position, output)| {
            let found = scorer.value(&scorer.root(position), position) as f32;
            (found - SCALE as f32 * output).abs()
        });
        let mean = differences.sum::<f32>() / 100.0;
        assert!(mean < 4.0, "{mean} centipawns");
    }
}
