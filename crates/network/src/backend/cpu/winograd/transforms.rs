//! Winograd's transforms of inputs, kernels and outputs. The interpolation points are those of the paper: 0, ±1, ±2 and
//! infinity.

use std::array;

use entente_search::vectors::{LANES, Vector, load, load_some, store, store_some};

/// The number of ranks and of files of a tile's outputs.
const TILE: usize = 4;
/// The number of ranks and of files of a tile's inputs.
pub(super) const AROUND: usize = TILE + 2;
/// The number of squares of the largest board.
const MAX_SQUARES: usize = 64;

/// The number of ranks of an output board.
pub(super) const fn left(side: usize, padding: usize) -> usize {
    side + 2 * padding - 2
}

/// The number of tiles in each dimension.
const fn across(side: usize, padding: usize) -> usize {
    left(side, padding).div_ceil(TILE)
}

/// The number of tiles of a board.
pub(super) const fn tiles_of_board(side: usize, padding: usize) -> usize {
    across(side, padding).pow(2)
}

/// The place of a board's numbers in a buffer of all boards.
#[derive(Clone, Copy)]
pub(super) struct BoardLayout {
    /// The distance between the numbers of two products.
    pub product: usize,
    /// The distance from the start of a product's numbers to the board's.
    pub first: usize,
}

/// The transformed kernel of an output and an input channel.
pub(super) fn transformed_kernel(kernel: &[f32]) -> [[f32; AROUND]; AROUND] {
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

/// Transforms the inputs of each tile. Channels beyond the last are 0.
#[inline(always)]
pub(super) fn transform_board<V: Vector, const SIDE: usize, const PADDING: usize>(
    board: &[f32],
    own: BoardLayout,
    deep: usize,
    tiles: &mut [f32],
) {
    let mut squares = [V::zeros(); MAX_SQUARES];
    for (group, planes) in board.chunks(LANES * SIDE * SIDE).enumerate() {
        let blocks = squares.as_chunks_mut::<LANES>().0.iter_mut().take((SIDE * SIDE).div_ceil(LANES));
        for (block, squares) in blocks.enumerate() {
            let mut rows = [V::zeros(); LANES];
            for (row, plane) in rows.iter_mut().zip(planes.chunks_exact(SIDE * SIDE)) {
                *row = load_some(plane, block * LANES);
            }
            *squares = V::transposed(&rows);
        }
        for tile in 0..const { tiles_of_board(SIDE, PADDING) } {
            let (first_rank, first_file) = corner(tile, const { across(SIDE, PADDING) });
            let mut rows = [[V::zeros(); AROUND]; AROUND];
            for (rank, row) in rows.iter_mut().enumerate() {
                // Squares off the board stay 0.
                let Some(rank) = (first_rank + rank).checked_sub(PADDING).filter(|rank| *rank < SIDE) else {
                    continue;
                };
                let mut numbers = [V::zeros(); AROUND];
                for (file, number) in numbers.iter_mut().enumerate() {
                    if let Some(file) = (first_file + file).checked_sub(PADDING).filter(|file| *file < SIDE) {
                        *number = squares[rank * SIDE + file];
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

/// Transforms the products back, adds the biases, and writes the squares of each channel contiguously.
#[inline(always)]
pub(super) fn transform_back<V: Vector, const SIDE: usize, const PADDING: usize>(
    sums: &[f32],
    own: BoardLayout,
    biases: &[f32],
    convolved: &mut [f32],
) {
    let left = const { left(SIDE, PADDING) };
    let wide = biases.len();
    let mut squares = [V::zeros(); MAX_SQUARES];
    for (group, planes) in convolved.chunks_mut(LANES * left * left).enumerate() {
        let channel = group * LANES;
        let bias: V = load(biases, channel);
        for tile in 0..const { tiles_of_board(SIDE, PADDING) } {
            let (first_rank, first_file) = corner(tile, const { across(SIDE, PADDING) });
            let mut rows = [[V::zeros(); AROUND]; TILE];
            for file in 0..AROUND {
                let column = array::from_fn(|rank| {
                    load(sums, (rank * AROUND + file) * own.product + own.first + tile * wide + channel)
                });
                for (row, number) in rows.iter_mut().zip(transformed_back(column)) {
                    row[file] = number;
                }
            }
            // A tile may reach beyond the output board.
            for (rank, row) in rows.iter().enumerate().take(left - first_rank) {
                let square = (first_rank + rank) * left + first_file;
                for (file, number) in transformed_back(*row).into_iter().enumerate().take(left - first_file) {
                    squares[square + file] = number.add(bias);
                }
            }
        }
        let blocks = squares.as_chunks::<LANES>().0.iter().take((left * left).div_ceil(LANES));
        for (block, squares) in blocks.enumerate() {
            let channels = V::transposed(squares);
            for (plane, channel) in planes.chunks_exact_mut(left * left).zip(&channels) {
                store_some(*channel, &mut plane[block * LANES..]);
            }
        }
    }
}

/// The first rank and file of a tile, with `across` tiles in each dimension.
fn corner(tile: usize, across: usize) -> (usize, usize) {
    (tile / across * TILE, tile % across * TILE)
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

/// One dimension of the transform of a tile's outputs.
#[inline(always)]
fn transformed_back<V: Vector>(m: [V; AROUND]) -> [V; TILE] {
    let (ones, one) = (m[1].add(m[2]), m[1].subtract(m[2]));
    let (twos, two) = (m[3].add(m[4]), m[3].subtract(m[4]));
    [m[0].add(ones.add(twos)), two.plus(2.0, one), twos.plus(4.0, ones), m[5].add(two.plus(8.0, one))]
}
