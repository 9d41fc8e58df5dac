//! 3 × 3 convolutions on boards, by Winograd's minimal filtering F(4 × 4, 3 × 3): Lavin and Gray 2016, "Fast Algorithms
//! for Convolutional Neural Networks".
//!
//! The outputs of a board are divided into tiles of 4 × 4, each of which depends on 6 × 6 squares. These are
//! transformed, so that the convolution of all tiles becomes 36 matrix products. The products are then transformed
//! back. A whole tile takes a quarter of the multiplications of the plain sum. 6 × 6 outputs need four tiles, three of
//! them partly unused, and so take 44%. 2 × 2 outputs use a quarter of one tile, and nothing is saved.
//!
//! Internally, the channels of a square are contiguous, in groups of [`LANES`], so that every step works on whole
//! vectors.

mod boards;
mod transforms;

pub(super) use boards::Boards;
use entente_search::vectors::{LANES, Vector, Work, for_vectors, store};
use transforms::{BoardLayout, transform_back, transform_board, transformed_kernel};

use crate::product::{Strided, product};

/// The number of matrix products of a convolution.
const PRODUCTS: usize = transforms::AROUND * transforms::AROUND;
/// The number of boards that are convolved together. More boards share each read of the weights, but the intermediate
/// results must fit into the processor's cache.
const TOGETHER: usize = 8;
/// The padding between the data of two products. Without it, numbers a power of two apart would evict each other from
/// the cache.
const ASIDE: usize = LANES;

/// A convolution with transformed weights.
#[derive(Debug)]
pub(super) struct Winograd {
    boards: Boards,
    inputs: usize,
    outputs: usize,
    /// `[products, inputs, outputs]`, with the outputs padded to a multiple of [`LANES`].
    weights: Vec<f32>,
    /// One for each output channel, padded in the same way.
    biases: Vec<f32>,
}

/// Intermediate results. The memory can be reused for any convolution.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// The transformed inputs, for each product: the channels of each tile of each board.
    tiles: Vec<f32>,
    /// The results of the products.
    sums: Vec<f32>,
}

impl Winograd {
    /// A convolution of boards of this kind with a kernel `[outputs, inputs, 3, 3]`.
    ///
    /// # Panics
    /// If the length of the kernel does not fit the inputs and the biases, of which there is one for each output.
    pub(super) fn new(kernel: &[f32], biases: &[f32], inputs: usize, boards: Boards) -> Winograd {
        let outputs = biases.len();
        assert_eq!(kernel.len(), outputs * inputs * 9, "a kernel of {outputs} × {inputs} × 3 × 3");
        let wide = outputs.next_multiple_of(LANES);
        let mut weights = vec![0.0; PRODUCTS * inputs * wide];
        for (index, kernel) in kernel.chunks_exact(9).enumerate() {
            let (output, input) = (index / inputs, index % inputs);
            for (product, weight) in transformed_kernel(kernel).into_iter().flatten().enumerate() {
                weights[(product * inputs + input) * wide + output] = weight;
            }
        }
        let mut biases = biases.to_vec();
        biases.resize(wide, 0.0);
        Winograd { boards, inputs, outputs, weights, biases }
    }

    /// Convolves boards, each `[inputs, side, side]`, and writes boards `[outputs, side, side]` of [`Boards::left`]
    /// squares. The result for a board does not depend on the others.
    pub(super) fn convolve(&self, boards: &[f32], scratch: &mut Scratch, convolved: &mut [f32]) {
        let (read, written) = (self.inputs * self.boards.squares(), self.outputs * self.boards.left());
        debug_assert_eq!(boards.len() * written, convolved.len() * read);
        let boards = boards.chunks(TOGETHER * read);
        for (boards, convolved) in boards.zip(convolved.chunks_mut(TOGETHER * written)) {
            for_vectors(Convolving { winograd: self, boards, scratch, convolved });
        }
    }
}

/// The arguments of the vectorised convolution.
struct Convolving<'a> {
    winograd: &'a Winograd,
    boards: &'a [f32],
    scratch: &'a mut Scratch,
    convolved: &'a mut [f32],
}

impl Work for Convolving<'_> {
    #[inline(always)]
    fn work<V: Vector, const GROUPS: usize>(self) {
        // With sizes known at compile time, squares off the board cost nothing.
        match self.winograd.boards {
            Boards::Padded => self.on::<V, GROUPS, 8, 1>(),
            Boards::Whole => self.on::<V, GROUPS, 8, 0>(),
            Boards::Inner => self.on::<V, GROUPS, 6, 0>(),
            Boards::Innermost => self.on::<V, GROUPS, 4, 0>(),
        }
    }
}

impl Convolving<'_> {
    /// Convolves boards of this side and padding.
    #[inline(always)]
    fn on<V: Vector, const GROUPS: usize, const SIDE: usize, const PADDING: usize>(self) {
        let Convolving { winograd, boards, scratch, convolved } = self;
        let Winograd { inputs, outputs, weights, biases, boards: kind } = winograd;
        let (deep, wide) = (inputs.next_multiple_of(LANES), biases.len());
        debug_assert_eq!(Boards::of(SIDE, PADDING), Some(*kind));
        let each = const { transforms::tiles_of_board(SIDE, PADDING) };
        let rows = boards.len() / (inputs * SIDE * SIDE) * each;
        let (of_tiles, of_sums) = (rows * deep + ASIDE, rows * wide + ASIDE);
        let Scratch { tiles, sums } = scratch;
        // The buffers never shrink. Old contents are overwritten.
        for (numbers, count) in [(&mut *tiles, PRODUCTS * of_tiles), (&mut *sums, PRODUCTS * of_sums)] {
            if numbers.len() < count {
                numbers.resize(count, 0.0);
            }
        }
        for (number, board) in boards.chunks_exact(inputs * SIDE * SIDE).enumerate() {
            let own = BoardLayout { product: of_tiles, first: number * each * deep };
            transform_board::<V, SIDE, PADDING>(board, own, deep, tiles);
        }
        for number in 0..PRODUCTS {
            let tiles = &tiles[number * of_tiles..][..rows * deep];
            let tiles = Strided { numbers: tiles, rows: deep, columns: 1 };
            let weights = &weights[number * inputs * wide..][..inputs * wide];
            let sums = &mut sums[number * of_sums..][..rows * wide];
            product::<V, GROUPS>(tiles, rows, weights, wide, |tile, first, sum| {
                store(sum, sums, tile * wide + first);
            });
        }
        for (number, convolved) in convolved.chunks_exact_mut(outputs * kind.left()).enumerate() {
            let own = BoardLayout { product: of_sums, first: number * each * wide };
            transform_back::<V, SIDE, PADDING>(sums, own, biases, convolved);
        }
    }
}

#[cfg(test)]
mod tests {
    use entente_search::vectors::Portable;
    use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};

    use super::*;

    /// The convolution as a plain sum.
    fn plain(
        kernel: &[f32],
        biases: &[f32],
        inputs: usize,
        (side, padding): (usize, usize),
        board: &[f32],
    ) -> Vec<f32> {
        let mut convolved = Vec::new();
        let left = side + 2 * padding - 2;
        let on_board = |place: usize| place.checked_sub(padding).filter(|place| *place < side);
        for (output, bias) in biases.iter().enumerate() {
            for square in 0..left * left {
                let mut sum = f64::from(*bias);
                for input in 0..inputs {
                    for (place, weight) in kernel[(output * inputs + input) * 9..][..9].iter().enumerate() {
                        let rank = on_board(square / left + place / 3);
                        let file = on_board(square % left + place % 3);
                        if let (Some(rank), Some(file)) = (rank, file) {
                            let number = board[(input * side + rank) * side + file];
                            sum += f64::from(*weight) * f64::from(number);
                        }
                    }
                }
                convolved.push(sum as f32);
            }
        }
        convolved
    }

    #[test]
    fn convolutions_equal_the_plain_sum_in_every_variant() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut numbers =
            |count: usize| -> Vec<f32> { (0..count).map(|_| rng.random::<f32>() - 0.5).collect() };
        let mut scratch = Scratch::default();
        // Some of the channels fill the vectors, and some do not. Wide ones leave more in the buffers than narrow ones
        // use.
        let channels = [(64, 64), (51, 64), (1, 1), (17, 35), (32, 80)];
        let sizes = [(8, 1), (8, 0), (6, 0), (4, 0)];
        for ((inputs, outputs), size) in channels.into_iter().flat_map(|pair| sizes.map(|size| (pair, size)))
        {
            let (kernel, biases) = (numbers(outputs * inputs * 9), numbers(outputs));
            let board = numbers(inputs * size.0 * size.0);
            let expected = plain(&kernel, &biases, inputs, size, &board);
            let boards = Boards::of(size.0, size.1).unwrap();
            assert_eq!(expected.len(), outputs * boards.left());
            let winograd = Winograd::new(&kernel, &biases, inputs, boards);
            let (mut usual, mut portable) = (vec![f32::NAN; expected.len()], vec![f32::NAN; expected.len()]);
            winograd.convolve(&board, &mut scratch, &mut usual);
            let (winograd, board) = (&winograd, board.as_slice());
            Convolving { winograd, boards: board, scratch: &mut scratch, convolved: &mut portable }
                .work::<Portable, 1>();
            assert_eq!(usual, portable, "to the last bit");
            // Among other boards the result is the same to the last bit.
            let others = numbers(board.len() * TOGETHER);
            let mut among = vec![f32::NAN; expected.len() * (TOGETHER + 1)];
            winograd.convolve(&[&others, board].concat(), &mut scratch, &mut among);
            assert_eq!(among[expected.len() * TOGETHER..], usual);
            winograd.convolve(&[board, &others].concat(), &mut scratch, &mut among);
            assert_eq!(among[..expected.len()], usual);
            for (expected, found) in expected.iter().zip(&usual) {
                assert!(
                    (expected - found).abs() < 1e-4,
                    "{inputs} to {outputs} of {size:?}: {expected} and {found}"
                );
            }
        }
    }
}
