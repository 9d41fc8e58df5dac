use std::{array, ops::Range};

use entente_search::scorer::{
    Accumulator, EvaluationError, EvaluationNetwork, NEURON_ONE, OUTPUT_ONE, Output, WEIGHT_ONE,
    piece_squares::{BUCKETS, INPUTS},
};
use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};
use tch::Tensor;

/// Weights of the first layer are clamped to this absolute value before they become integers, so that a sum of 32 of
/// them fits into 16 bits. Very few are larger.
const MAX_WEIGHT: f32 = 1.4;

/// The weights of a network with `WIDTH` neurons for each side, in a row: rows and biases of the first layer, weights
/// and biases of the last layers.
pub(super) struct Weights<const WIDTH: usize>;

impl<const WIDTH: usize> Weights<WIDTH> {
    /// The range of the first layer's biases.
    pub(super) const BIASES: Range<usize> = INPUTS * WIDTH..INPUTS * WIDTH + WIDTH;

    /// The number of weights.
    pub(super) const COUNT: usize = Self::BIASES.end + BUCKETS * 2 * WIDTH + BUCKETS;

    /// The range of the row of an input.
    pub(super) fn row(input: u16) -> Range<usize> {
        let start = usize::from(input) * WIDTH;
        start..start + WIDTH
    }

    /// The range of the weights of a bucket's last layer: first those for the side to move, then those for the
    /// opponent.
    pub(super) fn output(bucket: usize) -> Range<usize> {
        let start = Self::BIASES.end + bucket * 2 * WIDTH;
        start..start + 2 * WIDTH
    }

    /// The index of the bias of a bucket's last layer.
    pub(super) fn output_bias(bucket: usize) -> usize {
        Self::BIASES.end + BUCKETS * 2 * WIDTH + bucket
    }

    /// Random initial weights.
    pub(super) fn random(seed: u64) -> Tensor {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut weights = vec![0.0f32; Self::COUNT];
        // About 30 inputs are 1, so neurons begin near the middle of their range.
        weights[..Self::BIASES.start].fill_with(|| rng.random_range(-0.1..0.1));
        weights[Self::BIASES].fill(0.3);
        // The last layers of all buckets begin with the same weights.
        let last: Vec<f32> = (0..2 * WIDTH).map(|_| rng.random_range(-0.1..0.1)).collect();
        (0..BUCKETS).for_each(|bucket| weights[Self::output(bucket)].copy_from_slice(&last));
        Tensor::from_slice(&weights)
    }

    /// Converts [`Weights::COUNT`] weights to a network in integers.
    ///
    /// # Errors
    ///
    /// If weights are too large.
    pub(super) fn quantised(
        name: &str,
        weights: &[f32],
    ) -> Result<EvaluationNetwork<WIDTH>, EvaluationError> {
        let accumulator = |part: &[f32], one: i16| -> Accumulator<WIDTH> {
            array::from_fn(|index| (part[index] * f32::from(one)).round() as i16)
        };
        let first = |range: Range<usize>| {
            let part: Vec<f32> =
                weights[range].iter().map(|weight| weight.clamp(-MAX_WEIGHT, MAX_WEIGHT)).collect();
            accumulator(&part, NEURON_ONE)
        };
        let rows = (0..INPUTS as u16).map(|input| first(Self::row(input))).collect();
        let outputs = array::from_fn(|bucket| {
            let last = &weights[Self::output(bucket)];
            Output {
                weights: [accumulator(&last[..WIDTH], WEIGHT_ONE), accumulator(&last[WIDTH..], WEIGHT_ONE)],
                bias: (weights[Self::output_bias(bucket)] * OUTPUT_ONE as f32).round() as i32,
            }
        });
        EvaluationNetwork::new(name, rows, first(Self::BIASES), outputs)
    }
}
