//! The move head of a policy: two layers that act on each square separately and give the numbers of the moves from this
//! square. Only squares from which the query has moves are computed. That skips three quarters of a board.

use std::sync::Arc;

use entente_search::vectors::{LANES, Vector, Work, for_vectors, store_some};

use super::{
    matrix::Matrix,
    steps::{Step, take_with_row},
};
use crate::product::{Strided, product};

/// The number of squares of a board.
pub(super) const SQUARES: usize = 64;

/// Both layers as one operator. Its inputs are the board, the operands of all steps, and, for each row, a bitboard of
/// the wanted squares.
#[derive(Clone, Debug)]
pub(super) struct Head {
    pub layers: [HeadLayer; 2],
}

/// A layer and the steps on its outputs.
#[derive(Clone, Debug)]
pub(super) struct HeadLayer {
    /// The matrix for one square.
    pub matrix: Arc<Matrix>,
    /// The steps on the outputs of one square.
    pub steps: Vec<Step>,
}

/// A square of a row.
#[derive(Clone, Copy)]
struct RowSquare {
    row: usize,
    square: usize,
}

impl Head {
    /// Computes the outputs of the wanted squares of all rows. The other outputs are left unchanged.
    pub(super) fn compute(&self, boards: &[f32], operands: &[&[f32]], wanted: &[u64], output: &mut [f32]) {
        let places: Vec<RowSquare> = wanted
            .iter()
            .enumerate()
            .flat_map(|(row, squares)| {
                (0..SQUARES)
                    .filter(move |square| squares >> square & 1 == 1)
                    .map(move |square| RowSquare { row, square })
            })
            .collect();
        let [first, second] = &self.layers;
        let channels = first.matrix.inputs();
        let mut numbers = Vec::with_capacity(places.len() * channels);
        for RowSquare { row, square } in &places {
            let board = &boards[row * channels * SQUARES..];
            numbers.extend((0..channels).map(|channel| board[channel * SQUARES + square]));
        }
        let (of_first, of_second) = operands.split_at(first.steps.len());
        let rows = wanted.len();
        let mut hidden = vec![0.0; places.len() * first.matrix.outputs()];
        for_vectors(Computing {
            layer: first,
            numbers: &numbers,
            places: &places,
            operands: of_first,
            rows,
            output: &mut hidden,
        });
        let outputs = second.matrix.outputs();
        let mut moves = vec![0.0; places.len() * outputs];
        for_vectors(Computing {
            layer: second,
            numbers: &hidden,
            places: &places,
            operands: of_second,
            rows,
            output: &mut moves,
        });
        for (RowSquare { row, square }, moves) in places.iter().zip(moves.chunks_exact(outputs)) {
            output[(row * SQUARES + square) * outputs..][..outputs].copy_from_slice(moves);
        }
    }
}

/// The arguments of the vectorised computation of a layer, for the squares at `places`. The inputs of each square are
/// contiguous, and so are its outputs.
struct Computing<'a> {
    layer: &'a HeadLayer,
    numbers: &'a [f32],
    places: &'a [RowSquare],
    operands: &'a [&'a [f32]],
    rows: usize,
    output: &'a mut [f32],
}

impl Work for Computing<'_> {
    #[inline(always)]
    fn work<V: Vector, const GROUPS: usize>(self) {
        let Computing { layer: HeadLayer { matrix, steps }, numbers, places, operands, rows, output } = self;
        let (inputs, outputs) = (matrix.inputs(), matrix.outputs());
        let wide = outputs.next_multiple_of(LANES);
        let left = Strided { numbers, rows: inputs, columns: 1 };
        product::<V, GROUPS>(left, places.len(), matrix.by_squares(), wide, |place, first, sum| {
            store_some(sum, &mut output[place * outputs..][first..outputs]);
        });
        for (RowSquare { row, .. }, numbers) in places.iter().zip(output.chunks_exact_mut(outputs)) {
            take_with_row(steps, operands, *row, rows, numbers);
        }
    }
}
