//! The evaluation network: what a position is worth, in integers that follow the moves.

use std::{
    array, fmt,
    sync::{Arc, LazyLock},
};

use safetensors::Dtype;

use super::{
    EvaluationError,
    file::{self, Declared},
};
use crate::{
    scorer::piece_squares::{BUCKETS, INPUTS},
    vectors::{Vector, Work, for_vectors},
};

/// Neurons of the first layer for each side.
pub const WIDTH: usize = 128;
/// What a neuron of the first layer is in integers when it is 1.
pub const NEURON_ONE: i16 = CLIPPED_ONE << HALVINGS;
/// What a clipped neuron is when it is 1, as much as it can be: its square just fits 16 bits, and processors multiply and
/// add such numbers in pairs.
const CLIPPED_ONE: i16 = 181;
/// How often a neuron is halved when it is clipped: the first layer adds up some thirty numbers, so they are finer.
const HALVINGS: u32 = 2;
/// What a weight of the last layer is in integers when it is 1.
pub const WEIGHT_ONE: i16 = 256;
/// What the output is in integers when it is 1.
pub const OUTPUT_ONE: i32 = CLIPPED_ONE as i32 * CLIPPED_ONE as i32 * WEIGHT_ONE as i32;
/// An output of 1 in hundredths of a pawn: the chance of winning is then 1/(1 + 1/e).
pub const SCALE: i32 = 400;

/// The neurons of one side before they are clipped.
pub type Accumulator = [i16; WIDTH];

/// A network whose first layer is the sum of a row of weights for each man on the board, so that a move changes few of
/// them ("NNUE": Nasu 2018, "Efficiently updatable neural-network-based evaluation functions for computer shogi").
///
/// Inputs are the [`piece_squares`](crate::scorer::piece_squares) of both sides, with the same weights. A neuron is
/// clipped to [0, 1] and squared. The output is the sum of those of the side to move and of the other one, each
/// times a weight; which weights, depends on the number of men. It is an estimate of what Stockfish says, as a logit.
#[derive(Clone, PartialEq)]
pub struct EvaluationNetwork {
    name: String,
    /// For each input what it adds to the neurons.
    rows: Vec<Accumulator>,
    bias: Accumulator,
    outputs: [Output; BUCKETS],
}

/// The last layer for one kind of position.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    /// For the neurons of the side to move, and those of the other side.
    pub weights: [Accumulator; 2],
    /// In units of 1 / [`OUTPUT_ONE`].
    pub bias: i32,
}

/// The tensors of a file.
const TENSORS: [Declared; 4] = [
    ("rows", Dtype::I16, &[INPUTS, WIDTH]),
    ("bias", Dtype::I16, &[WIDTH]),
    ("output_weights", Dtype::I16, &[BUCKETS, 2, WIDTH]),
    ("output_bias", Dtype::I32, &[BUCKETS]),
];

/// The network in the program.
static EMBEDDED: LazyLock<Arc<EvaluationNetwork>> = LazyLock::new(|| {
    let bytes = EvaluationNetwork::EMBEDDED;
    Arc::new(EvaluationNetwork::from_bytes("evaluation", bytes).expect("a sound network, which tests read"))
});

impl EvaluationNetwork {
    /// The content of the network in the program.
    pub const EMBEDDED: &'static [u8] = include_bytes!("../../../models/evaluation.safetensors");

    /// The network in the program.
    pub fn embedded() -> Arc<EvaluationNetwork> {
        Arc::clone(&EMBEDDED)
    }

    /// A network of these numbers, which may be checked in vain: see [`EvaluationNetwork::from_bytes`].
    ///
    /// # Errors
    /// [`EvaluationError::Useless`] if sums of them may not fit the integers that they are reckoned in.
    pub fn new(
        name: &str,
        rows: Vec<Accumulator>,
        bias: Accumulator,
        outputs: [Output; BUCKETS],
    ) -> Result<EvaluationNetwork, EvaluationError> {
        let error = |reason: &str| Err(EvaluationError::useless(name, reason));
        if rows.len() != INPUTS {
            return error(&format!("expected {INPUTS} rows of weights, found {}", rows.len()));
        }
        // Of 32 men each may add the most that any input does.
        let fits = |neuron: usize| {
            let most = rows.iter().map(|row| i32::from(row[neuron]).abs()).max().unwrap_or(0);
            32 * most + i32::from(bias[neuron]).abs() <= i32::from(i16::MAX)
        };
        if !(0..WIDTH).all(fits) {
            return error("its first layer's sums do not fit 16 bits");
        }
        let most = |Output { weights, bias }: &Output| {
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
    /// [`EvaluationError::Useless`] if it is none; [`EvaluationError::Shape`] if it has other tensors.
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<EvaluationNetwork, EvaluationError> {
        let file = file::parse(name, bytes)?;
        let [rows, bias, output_weights, output_bias] =
            TENSORS.map(|declared| file::tensor(name, &file, declared));
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

    /// The file that [`EvaluationNetwork::from_bytes`] reads; `origin` says in it how the network was made.
    pub fn to_bytes(&self, origin: Option<String>) -> Vec<u8> {
        let bytes = |accumulators: &[Accumulator]| -> Vec<u8> {
            accumulators.as_flattened().iter().flat_map(|number| number.to_le_bytes()).collect()
        };
        let weights: Vec<Accumulator> = self.outputs.iter().flat_map(|output| output.weights).collect();
        let biases = self.outputs.iter().flat_map(|output| output.bias.to_le_bytes()).collect();
        let data = [bytes(&self.rows), bytes(&[self.bias]), bytes(&weights), biases];
        let tensors: Vec<_> = TENSORS.into_iter().zip(data).collect();
        file::write(&tensors, origin)
    }

    /// Tells networks of other numbers apart: the CRC-32 of these, in hexadecimal.
    pub fn fingerprint(&self) -> String {
        format!("{:08x}", crc32fast::hash(&self.to_bytes(None)))
    }

    /// The embedded name or the path.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The neurons of a side that sees these inputs.
    pub fn accumulate(&self, inputs: impl Iterator<Item = usize>) -> Accumulator {
        let mut sum = self.bias;
        inputs.for_each(|input| add(&mut sum, &self.rows[input]));
        sum
    }

    /// Makes of `after` the neurons once men have left the inputs `gone` and come to the inputs `come`.
    pub fn update(
        &self,
        before: &Accumulator,
        gone: [Option<usize>; 2],
        come: [Option<usize>; 2],
        after: &mut Accumulator,
    ) {
        for_vectors(Update { network: self, gone, come, before, after });
    }

    /// What the side to move has, in hundredths of a pawn: `own` neurons, those of the `other` side, and the kind of
    /// position (see [`bucket`](crate::scorer::piece_squares::bucket)).
    pub fn value(&self, own: &Accumulator, other: &Accumulator, bucket: usize) -> i32 {
        let output = &self.outputs[bucket];
        let mut sum = output.bias;
        for_vectors(Weighing { sides: [own, other], output, sum: &mut sum });
        (i64::from(sum) * i64::from(SCALE) / i64::from(OUTPUT_ONE)) as i32
    }
}

/// What a move does to the neurons of a side.
struct Update<'a> {
    network: &'a EvaluationNetwork,
    gone: [Option<usize>; 2],
    come: [Option<usize>; 2],
    before: &'a Accumulator,
    after: &'a mut Accumulator,
}

impl Work for Update<'_> {
    #[inline(always)]
    fn work<V: Vector, const GROUPS: usize>(self) {
        let Update { network, gone, come, before, after } = self;
        let row = |input: usize| &network.rows[input];
        // Nearly all moves take one man away and put one down, captures two away.
        match (gone, come) {
            ([Some(from), None], [Some(to), None]) => {
                let (from, to) = (row(from), row(to));
                for (neuron, ((was, less), more)) in after.iter_mut().zip(before.iter().zip(from).zip(to)) {
                    *neuron = was.wrapping_sub(*less).wrapping_add(*more);
                }
            }
            ([Some(from), Some(taken)], [Some(to), None]) => {
                let (from, taken, to) = (row(from), row(taken), row(to));
                let rows = before.iter().zip(from).zip(taken).zip(to);
                for (neuron, (((was, less), taken), more)) in after.iter_mut().zip(rows) {
                    *neuron = was.wrapping_sub(*less).wrapping_sub(*taken).wrapping_add(*more);
                }
            }
            _ => {
                *after = *before;
                gone.into_iter().flatten().for_each(|input| subtract(after, row(input)));
                come.into_iter().flatten().for_each(|input| add(after, row(input)));
            }
        }
    }
}

/// The sum of the last layer.
struct Weighing<'a> {
    sides: [&'a Accumulator; 2],
    output: &'a Output,
    sum: &'a mut i32,
}

impl Work for Weighing<'_> {
    #[inline(always)]
    fn work<V: Vector, const GROUPS: usize>(self) {
        for (neurons, weights) in self.sides.into_iter().zip(&self.output.weights) {
            *self.sum += weighed(neurons, weights);
        }
    }
}

impl fmt::Debug for EvaluationNetwork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EvaluationNetwork").field("name", &self.name).finish_non_exhaustive()
    }
}

#[inline(always)]
fn add(sum: &mut Accumulator, row: &Accumulator) {
    sum.iter_mut().zip(row).for_each(|(sum, more)| *sum = sum.wrapping_add(*more));
}

#[inline(always)]
fn subtract(sum: &mut Accumulator, row: &Accumulator) {
    sum.iter_mut().zip(row).for_each(|(sum, less)| *sum = sum.wrapping_sub(*less));
}

/// The sum of the clipped and squared neurons, each times its weight.
#[inline(always)]
fn weighed(neurons: &Accumulator, weights: &Accumulator) -> i32 {
    let one = |(neuron, weight): (&i16, &i16)| {
        let clipped = ((*neuron).clamp(0, NEURON_ONE) + (1 << (HALVINGS - 1))) >> HALVINGS;
        i32::from(clipped * clipped) * i32::from(*weight)
    };
    neurons.iter().zip(weights).map(one).sum()
}
