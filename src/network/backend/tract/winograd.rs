//! Convolutions of 3 × 3 on boards of 8 × 8, by Winograd's minimal filtering F(4 × 4, 3 × 3): Lavin and Gray 2016, "Fast
//! Algorithms for Convolutional Neural Networks".
//!
//! A board has four tiles of 4 × 4 squares, and the outputs of a tile depend on the 6 × 6 squares around it. These are
//! transformed, so that the convolution of all tiles becomes 36 products of matrices with a quarter of the
//! multiplications; what comes is transformed back. The points are those of the paper: 0, ±1, ±2 and infinity.
//!
//! Within, the channels of a square lie side by side, in groups of [`LANES`], so that every step takes whole vectors.

use std::array;

use crate::network::{
    product::{Strided, product},
    vectors::{LANES, Vector, Work, for_vectors, load, store},
};

/// Files and ranks of a board.
const BOARD: usize = 8;
/// Squares of a board.
pub const SQUARES: usize = BOARD * BOARD;
/// Ranks and files of a tile's outputs.
const TILE: usize = 4;
/// Ranks and files of a tile's inputs.
const AROUND: usize = TILE + 2;
/// Tiles of a board.
const TILES: usize = 4;
/// Products of matrices that make a convolution.
const PRODUCTS: usize = AROUND * AROUND;

/// A convolution with its weights transformed.
#[derive(Debug)]
pub struct Winograd {
    inputs: usize,
    outputs: usize,
    /// For each product the weights of each input channel: of the output channels, filled up to whole [`LANES`].
    weights: Vec<f32>,
    /// Of each output channel, filled up likewise.
    biases: Vec<f32>,
}

/// Boards that are convolved together: more share each weight that is read, but what is computed on the way is to fit the
/// processor's cache.
const TOGETHER: usize = 8;

/// What lies between two products: numbers that are a power of two apart would drive each other out of the cache.
const ASIDE: usize = LANES;

/// What is computed on the way; it may be used again, for any convolution.
#[derive(Debug, Default)]
pub struct Scratch {
    /// For each product the channels of each tile of each board.
    tiles: Vec<f32>,
    /// What the products give.
    sums: Vec<f32>,
}

impl Winograd {
    /// A convolution by a kernel `[outputs, inputs, 3, 3]`, one more square on each side taken as 0.
    ///
    /// # Panics
    /// If the kernel or the biases, one for each output, have another length.
    pub fn new(kernel: &[f32], biases: &[f32], inputs: usize) -> Winograd {
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
        Winograd { inputs, outputs, weights, biases }
    }

    /// Convolves boards, each `[inputs, 8, 8]`, into as many of `[outputs, 8, 8]`. Each becomes the same in any company.
    pub fn convolve(&self, boards: &[f32], scratch: &mut Scratch, convolved: &mut [f32]) {
        debug_assert_eq!(boards.len() * self.outputs, convolved.len() * self.inputs);
        let boards = boards.chunks(TOGETHER * self.inputs * SQUARES);
        for (boards, convolved) in boards.zip(convolved.chunks_mut(TOGETHER * self.outputs * SQUARES)) {
            for_vectors(Convolving { winograd: self, boards, scratch, convolved });
        }
    }
}

/// A convolution under way.
struct Convolving<'a> {
    winograd: &'a Winograd,
    boards: &'a [f32],
    scratch: &'a mut Scratch,
    convolved: &'a mut [f32],
}

impl Work for Convolving<'_> {
    #[inline(always)]
    fn work<V: Vector, const GROUPS: usize>(self) {
        let Convolving { winograd, boards, scratch, convolved } = self;
        let Winograd { inputs, outputs, weights, biases } = winograd;
        let (deep, wide) = (inputs.next_multiple_of(LANES), biases.len());
        let rows = boards.len() / (inputs * SQUARES) * TILES;
        let (of_tiles, of_sums) = (rows * deep + ASIDE, rows * wide + ASIDE);
        scratch.tiles.resize(PRODUCTS * of_tiles, 0.0);
        scratch.sums.resize(PRODUCTS * of_sums, 0.0);
        let Scratch { tiles, sums } = scratch;
        for (number, board) in boards.chunks_exact(inputs * SQUARES).enumerate() {
            transform_board::<V>(
                board,
                Place { product: of_tiles, first: number * TILES * deep },
                deep,
                tiles,
            );
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
        for (number, convolved) in convolved.chunks_exact_mut(outputs * SQUARES).enumerate() {
            transform_back::<V>(
                sums,
                Place { product: of_sums, first: number * TILES * wide },
                biases,
                convolved,
            );
        }
    }
}

/// Where the numbers of a board stand among those of all.
#[derive(Clone, Copy)]
struct Place {
    /// From one product to the next.
    product: usize,
    /// From where those of a product begin.
    first: usize,
}

/// The kernel of an output and an input channel, transformed.
fn transformed_kernel(kernel: &[f32]) -> [[f32; AROUND]; AROUND] {
    const POINTS: [[f32; 3]; AROUND] = [
        [1.0 / 4.0, 0.0, 0.0],
        [-1.0 / 6.0, -1.0 / 6.0, -1.0 / 6.0],
        [-1.0 / 6.0, 1.0 / 6.0, -1.0 / 6.0],
        [1.0 / 24.0, 1.0 / 12.0, 1.0 / 6.0],
        [1.0 / 24.0, -1.0 / 12.0, 1.0 / 6.0],
        [0.0, 0.0, 1.0],
    ];
    let dot = |a: [f32; 3], b: [f32; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    POINTS.map(|point| {
        let column = |file: usize| dot(point, array::from_fn(|rank| kernel[rank * 3 + file]));
        let row: [f32; 3] = array::from_fn(column);
        POINTS.map(|point| dot(point, row))
    })
}

/// Transforms the squares around each tile; channels beyond the last count as 0.
#[inline(always)]
fn transform_board<V: Vector>(board: &[f32], own: Place, deep: usize, tiles: &mut [f32]) {
    for (group, planes) in board.chunks(LANES * SQUARES).enumerate() {
        let mut squares = [V::zeros(); SQUARES];
        for (block, squares) in squares.as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
            let mut rows = [V::zeros(); LANES];
            for (row, plane) in rows.iter_mut().zip(planes.as_chunks::<SQUARES>().0) {
                *row = load(plane, block * LANES);
            }
            *squares = V::transposed(&rows);
        }
        for tile in 0..TILES {
            let (first_rank, first_file) = corner(tile);
            let mut rows = [[V::zeros(); AROUND]; AROUND];
            for (rank, row) in rows.iter_mut().enumerate() {
                // What is off the board stays 0.
                let Some(rank) = (first_rank + rank).checked_sub(1).filter(|rank| *rank < BOARD) else {
                    continue;
                };
                let mut numbers = [V::zeros(); AROUND];
                for (file, number) in numbers.iter_mut().enumerate() {
                    if let Some(file) = (first_file + file).checked_sub(1).filter(|file| *file < BOARD) {
                        *number = squares[rank * BOARD + file];
                    }
                }
                *row = transformed(numbers);
            }
            let [a, b, c, d, e, f] = &rows;
            for file in 0..AROUND {
                let column = transformed([a[file], b[file], c[file], d[file], e[file], f[file]]);
                for (rank, number) in column.iter().enumerate() {
                    let place =
                        (rank * AROUND + file) * own.product + own.first + tile * deep + group * LANES;
                    store(*number, tiles, place);
                }
            }
        }
    }
}

/// Transforms the products back, adds the biases, and lays the squares of each channel side by side.
#[inline(always)]
fn transform_back<V: Vector>(sums: &[f32], own: Place, biases: &[f32], convolved: &mut [f32]) {
    let wide = biases.len();
    for (group, planes) in convolved.chunks_mut(LANES * SQUARES).enumerate() {
        let channel = group * LANES;
        let bias: V = load(biases, channel);
        let mut squares = [V::zeros(); SQUARES];
        for tile in 0..TILES {
            let (first_rank, first_file) = corner(tile);
            let mut rows = [[V::zeros(); AROUND]; TILE];
            for file in 0..AROUND {
                let column = array::from_fn(|rank| {
                    load(sums, (rank * AROUND + file) * own.product + own.first + tile * wide + channel)
                });
                for (row, number) in rows.iter_mut().zip(transformed_back(column)) {
                    row[file] = number;
                }
            }
            for (rank, row) in rows.iter().enumerate() {
                let square = (first_rank + rank) * BOARD + first_file;
                for (file, number) in transformed_back(*row).into_iter().enumerate() {
                    squares[square + file] = number.add(bias);
                }
            }
        }
        for (block, squares) in squares.as_chunks::<LANES>().0.iter().enumerate() {
            let channels = V::transposed(squares);
            for (plane, channel) in planes.as_chunks_mut::<SQUARES>().0.iter_mut().zip(&channels) {
                store(*channel, plane, block * LANES);
            }
        }
    }
}

/// The first rank and file of a tile.
fn corner(tile: usize) -> (usize, usize) {
    (tile / 2 * TILE, tile % 2 * TILE)
}

/// One dimension of the transform of a tile's inputs.
#[inline(always)]
fn transformed<V: Vector>(d: [V; AROUND]) -> [V; AROUND] {
    let (even, odd) = (d[2].plus(-4.0, d[4]), d[1].plus(-4.0, d[3]));
    let (two, one) = (d[4].subtract(d[2]), d[3].subtract(d[1]));
    [
        d[0].plus(4.0, d[2].plus(-5.0, d[4])),
        even.add(odd),
        even.subtract(odd),
        one.plus(2.0, two),
        one.plus(-2.0, two),
        d[1].plus(4.0, d[3].plus(-5.0, d[5])),
    ]
}

/// One dimension of the transform back.
#[inline(always)]
fn transformed_back<V: Vector>(m: [V; AROUND]) -> [V; TILE] {
    let (ones, one) = (m[1].add(m[2]), m[1].subtract(m[2]));
    let (twos, two) = (m[3].add(m[4]), m[3].subtract(m[4]));
    [m[0].add(ones.add(twos)), two.plus(2.0, one), twos.plus(4.0, ones), m[5].add(two.plus(8.0, one))]
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};

    use super::*;
    use crate::network::vectors::Array;

    /// The sum itself.
    fn plain(kernel: &[f32], biases: &[f32], inputs: usize, board: &[f32]) -> Vec<f32> {
        let mut convolved = Vec::new();
        for (output, bias) in biases.iter().enumerate() {
            for square in 0..SQUARES {
                let mut sum = f64::from(*bias);
                for input in 0..inputs {
                    for (place, weight) in kernel[(output * inputs + input) * 9..][..9].iter().enumerate() {
                        let rank = (square / BOARD + place / 3).checked_sub(1).filter(|rank| *rank < BOARD);
                        let file = (square % BOARD + place % 3).checked_sub(1).filter(|file| *file < BOARD);
                        if let (Some(rank), Some(file)) = (rank, file) {
                            let number = board[input * SQUARES + rank * BOARD + file];
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
    fn a_convolution_is_the_plain_sum_in_all_its_forms() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut numbers =
            |count: usize| -> Vec<f32> { (0..count).map(|_| rng.random::<f32>() - 0.5).collect() };
        let mut scratch = Scratch::default();
        // Channels that fill the vectors, and some that do not; a wide one leaves more behind than a narrow one takes.
        for (inputs, outputs) in [(64, 64), (51, 64), (1, 1), (17, 35), (32, 80)] {
            let (kernel, biases) = (numbers(outputs * inputs * 9), numbers(outputs));
            let board = numbers(inputs * SQUARES);
            let expected = plain(&kernel, &biases, inputs, &board);
            let winograd = Winograd::new(&kernel, &biases, inputs);
            let (mut usual, mut portable) = (vec![f32::NAN; expected.len()], vec![f32::NAN; expected.len()]);
            winograd.convolve(&board, &mut scratch, &mut usual);
            let mut narrow = vec![f32::NAN; expected.len()];
            let (winograd, board) = (&winograd, board.as_slice());
            Convolving { winograd, boards: board, scratch: &mut scratch, convolved: &mut portable }
                .work::<Array<false>, 1>();
            Convolving { winograd, boards: board, scratch: &mut scratch, convolved: &mut narrow }
                .work::<Array<true>, 1>();
            // In company it is the same to the last digit.
            let others = numbers(inputs * SQUARES * TOGETHER);
            let mut among = vec![f32::NAN; expected.len() * (TOGETHER + 1)];
            winograd.convolve(&[&others, board].concat(), &mut scratch, &mut among);
            assert_eq!(among[expected.len() * TOGETHER..], usual);
            winograd.convolve(&[board, &others].concat(), &mut scratch, &mut among);
            assert_eq!(among[..expected.len()], usual);
            for found in [&usual, &portable, &narrow] {
                for (expected, found) in expected.iter().zip(found) {
                    assert!((expected - found).abs() < 1e-4, "{inputs} to {outputs}: {expected} and {found}");
                }
            }
        }
    }
}
