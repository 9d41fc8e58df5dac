//! The evaluation network for alpha-beta search, in integers, with an incrementally updated first layer.

use std::{array, fmt};

use safetensors::Dtype;

use super::{
    EvaluationError, NARROW,
    file::{self, Declared},
};
use crate::{
    scorer::piece_squares::{BUCKETS, INPUTS},
    vectors::{Vector, Work, for_vectors},
};

/// The integer value of a first-layer neuron that is 1.
pub const NEURON_ONE: i16 = CLIPPED_ONE << HALVINGS;
/// The integer value of a clipped neuron that is 1, its maximum. Its square just fits in 16 bits, so that processors
/// can multiply and add pairs of such numbers.
const CLIPPED_ONE: i16 = 181;
/// The number of bits by which a neuron is shifted right when it is clipped. The first layer needs this precision,
/// because it adds about thirty numbers.
const HALVINGS: u32 = 2;
/// The integer value of a last-layer weight that is 1.
pub const WEIGHT_ONE: i16 = 256;
/// The integer value of an output that is 1.
pub const OUTPUT_ONE: i32 = CLIPPED_ONE as i32 * CLIPPED_ONE as i32 * WEIGHT_ONE as i32;
/// An output of 1 in centipawns. The expected score is then 1/(1 + 1/e).
pub const SCALE: i32 = 400;

/// The first-layer neurons of one side before clipping.
pub type Accumulator<const WIDTH: usize> = [i16; WIDTH];

/// A network whose first layer has `WIDTH` neurons for each side. It is the sum of a row of weights for each man on the
/// board, so that a move changes only a few terms ("NNUE": Nasu 2018, "Efficiently updatable neural-network-based
/// evaluation functions for computer shogi").
///
/// Inputs are the [`piece_squares`](crate::scorer::piece_squares) of both sides, which share the weights. Neurons are
/// clipped to [0, 1] and squared. The output is a weighted sum of the neurons of the side to move and of the other
/// side. The number of men selects the weights. The output is an estimate of Stockfish's evaluation as a logit.
#[derive(Clone, PartialEq)]
pub struct EvaluationNetwork<const WIDTH: usize = NARROW> {
    name: String,
    /// The first-layer weights of each input.
    rows: Vec<Accumulator<WIDTH>>,
    bias: Accumulator<WIDTH>,
    outputs: [Output<WIDTH>; BUCKETS],
}

/// The last layer for one output bucket.
#[derive(Clone, Debug, PartialEq)]
pub struct Output<const WIDTH: usize> {
    /// The weights of the side to move's neurons, and of the other side's neurons.
    pub weights: [Accumulator<WIDTH>; 2],
    /// The bias in units of 1 / [`OUTPUT_ONE`].
    pub bias: i32,
}

impl<const WIDTH: usize> EvaluationNetwork<WIDTH> {
    /// The tensors of a file.
    const TENSORS: [Declared; 4] = [
        ("rows", Dtype::I16, &[INPUTS, WIDTH]),
        ("bias", Dtype::I16, &[WIDTH]),
        ("output_weights", Dtype::I16, &[BUCKETS, 2, WIDTH]),
        ("output_bias", Dtype::I32, &[BUCKETS]),
    ];

    /// A network with these weights.
    ///
    /// # Errors
    /// [`EvaluationError::Useless`] if there are not [`INPUTS`] rows, or if sums of weights may overflow the integers
    /// in which they are computed.
    pub fn new(
        name: &str,
        rows: Vec<Accumulator<WIDTH>>,
        bias: Accumulator<WIDTH>,
        outputs: [Output<WIDTH>; BUCKETS],
    ) -> Result<EvaluationNetwork<WIDTH>, EvaluationError> {
        let error = |reason: &str| Err(EvaluationError::useless(name, reason));
        if rows.len() != INPUTS {
            return error(&format!("expected {INPUTS} rows of weights, found {}", rows.len()));
        }
        // In the worst case, each of 32 men adds the greatest weight of any input.
        let fits = |neuron: usize| {
            let most = rows.iter().map(|row| i32::from(row[neuron]).abs()).max().unwrap_or(0);
            32 * most + i32::from(bias[neuron]).abs() <= i32::from(i16::MAX)
        };
        if !(0..WIDTH).all(fits) {
            return error("its first layer's sums do not fit 16 bits");
        }
        let most = |Output { weights, bias }: &Output<WIDTH>| {
            let weights: u64 =
                weights.as_flattened().iter().map(|weight| u64::from(weight.unsigned_abs())).sum();
            weights * (CLIPPED_ONE as u64).pow(2) + u64::from(bias.unsigned_abs())
        };
        if outputs.iter().any(|output| most(output) > i32::MAX as u64) {
            return error("its last layer's sums do not fit 32 bits");
        }
        Ok(EvaluationNetwork { name: name.to_owned(), rows, bias, outputs })
    }

    /// Reads a safetensors file.
    ///
    /// # Errors
    /// [`EvaluationError::Useless`] if it is not a safetensors file or its weights are not usable,
    /// [`EvaluationError::Shape`] if it has other tensors.
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<EvaluationNetwork<WIDTH>, EvaluationError> {
        let file = file::parse(name, bytes)?;
        let [rows, bias, output_weights, output_bias] =
            Self::TENSORS.map(|declared| file::tensor(name, &file, declared));
        let short = |bytes: Vec<u8>| -> Vec<i16> {
            bytes.as_chunks().0.iter().map(|pair| i16::from_le_bytes(*pair)).collect()
        };
        let accumulators = |bytes: Vec<u8>| short(bytes).as_chunks::<WIDTH>().0.to_vec();
        let (rows, bias) = (accumulators(rows?), accumulators(bias?)[0]);
        let (weights, biases) = (accumulators(output_weights?), output_bias?);
        let outputs = array::from_fn(|bucket| Output {
            weights: [weights[2 * bucket], weights[2 * bucket + 1]],
            bias: i32::from_le_bytes(biases.as_chunks().0[bucket]),
        });
        EvaluationNetwork::new(name, rows, bias, outputs)
    }

    /// The file that [`EvaluationNetwork::from_bytes`] reads, with `origin`, a text on how the network was made, in its
    /// metadata.
    pub fn to_bytes(&self, origin: Option<String>) -> Vec<u8> {
        let bytes = |accumulators: &[Accumulator<WIDTH>]| -> Vec<u8> {
            accumulators.as_flattened().iter().flat_map(|number| number.to_le_bytes()).collect()
        };
        let weights: Vec<Accumulator<WIDTH>> =
            self.outputs.iter().flat_map(|output| output.weights).collect();
        let biases = self.outputs.iter().flat_map(|output| output.bias.to_le_bytes()).collect();
        let data = [bytes(&self.rows), bytes(&[self.bias]), bytes(&weights), biases];
        let tensors: Vec<_> = Self::TENSORS.into_iter().zip(data).collect();
        file::write(&tensors, origin)
    }

    /// The CRC-32 of the weights in hexadecimal, which distinguishes networks.
    pub fn fingerprint(&self) -> String {
        format!("{:08x}", crc32fast::hash(&self.to_bytes(None)))
    }

    /// The name of the embedded network, or the path of the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The accumulator of a side with these inputs.
    pub fn accumulate(&self, inputs: impl Iterator<Item = usize>) -> Accumulator<WIDTH> {
        let mut sum = self.bias;
        inputs.for_each(|input| add(&mut sum, &self.rows[input]));
        sum
    }

    /// Sets `after` to the accumulator `before` without the inputs `removed` and with the inputs `added`.
    pub fn update(
        &self,
        before: &Accumulator<WIDTH>,
        removed: [Option<usize>; 2],
        added: [Option<usize>; 2],
        after: &mut Accumulator<WIDTH>,
    ) {
        for_vectors(Update { network: self, removed, added, before, after });
    }

    /// The evaluation for the side to move in centipawns, from its `own` accumulator, that of the `other` side, and the
    /// output bucket (see [`bucket`](crate::scorer::piece_squares::bucket)).
    pub fn value(&self, own: &Accumulator<WIDTH>, other: &Accumulator<WIDTH>, bucket: usize) -> i32 {
        let output = &self.outputs[bucket];
        let mut sum = output.bias;
        for_vectors(LastLayer { sides: [own, other], output, sum: &mut sum });
        (i64::from(sum) * i64::from(SCALE) / i64::from(OUTPUT_ONE)) as i32
    }
}

/// The update of a side's accumulator by a move.
struct Update<'a, const WIDTH: usize> {
    network: &'a EvaluationNetwork<WIDTH>,
    removed: [Option<usize>; 2],
    added: [Option<usize>; 2],
    before: &'a Accumulator<WIDTH>,
    after: &'a mut Accumulator<WIDTH>,
}

impl<const WIDTH: usize> Work for Update<'_, WIDTH> {
    #[inline(always)]
    fn work<V: Vector, const GROUPS: usize>(self) {
        let Update { network, removed, added, before, after } = self;
        let row = |input: usize| &network.rows[input];
        // Almost all moves remove one man, or two if they capture, and add one.
        match (removed, added) {
            ([Some(from), None], [Some(to), None]) => {
                let (from, to) = (row(from), row(to));
                for (neuron, ((old, from), to)) in after.iter_mut().zip(before.iter().zip(from).zip(to)) {
                    *neuron = old.wrapping_sub(*from).wrapping_add(*to);
                }
            }
            ([Some(from), Some(captured)], [Some(to), None]) => {
                let (from, captured, to) = (row(from), row(captured), row(to));
                let rows = before.iter().zip(from).zip(captured).zip(to);
                for (neuron, (((old, from), captured), to)) in after.iter_mut().zip(rows) {
                    *neuron = old.wrapping_sub(*from).wrapping_sub(*captured).wrapping_add(*to);
                }
            }
            _ => {
                *after = *before;
                removed.into_iter().flatten().for_each(|input| subtract(after, row(input)));
                added.into_iter().flatten().for_each(|input| add(after, row(input)));
            }
        }
    }
}

/// The weighted sum of the last layer.
struct LastLayer<'a, const WIDTH: usize> {
    sides: [&'a Accumulator<WIDTH>; 2],
    output: &'a Output<WIDTH>,
    sum: &'a mut i32,
}

impl<const WIDTH: usize> Work for LastLayer<'_, WIDTH> {
    #[inline(always)]
    fn work<V: Vector, const GROUPS: usize>(self) {
        for (neurons, weights) in self.sides.into_iter().zip(&self.output.weights) {
            *self.sum += weighted_sum(neurons, weights);
        }
    }
}

impl<const WIDTH: usize> fmt::Debug for EvaluationNetwork<WIDTH> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EvaluationNetwork").field("name", &self.name).finish_non_exhaustive()
    }
}

#[inline(always)]
fn add<const WIDTH: usize>(sum: &mut Accumulator<WIDTH>, row: &Accumulator<WIDTH>) {
    sum.iter_mut().zip(row).for_each(|(sum, more)| *sum = sum.wrapping_add(*more));
}

#[inline(always)]
fn subtract<const WIDTH: usize>(sum: &mut Accumulator<WIDTH>, row: &Accumulator<WIDTH>) {
    sum.iter_mut().zip(row).for_each(|(sum, less)| *sum = sum.wrapping_sub(*less));
}

/// The weighted sum of the clipped and squared neurons.
#[inline(always)]
fn weighted_sum<const WIDTH: usize>(neurons: &Accumulator<WIDTH>, weights: &Accumulator<WIDTH>) -> i32 {
    let one = |(neuron, weight): (&i16, &i16)| {
        let clipped = ((*neuron).clamp(0, NEURON_ONE) + (1 << (HALVINGS - 1))) >> HALVINGS;
        i32::from(clipped * clipped) * i32::from(*weight)
    };
    neurons.iter().zip(weights).map(one).sum()
}
