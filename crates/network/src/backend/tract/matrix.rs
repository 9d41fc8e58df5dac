//! Fully connected layers, of a whole input or of each square of a board: convolutions of 1 × 1.

use entente_search::vectors::{LANES, Vector, Work, for_vectors, store, store_some};

use crate::product::{Strided, product, right_side};

/// A matrix that multiplies the channels of one square, or of many.
#[derive(Debug)]
pub(super) struct Matrix {
    inputs: usize,
    outputs: usize,
    squares: usize,
    layout: Layout,
    /// `[outputs, inputs]` where the squares of a channel lie side by side; else `[inputs, outputs]`, the outputs filled up
    /// to whole [`LANES`].
    weights: Vec<f32>,
}

/// How the outputs lie; the inputs are always `[inputs, squares]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// `[outputs, squares]`
    Channels,
    /// `[squares, outputs]`
    Squares,
}

impl Matrix {
    /// The matrix of these weights, `[outputs, inputs]`.
    ///
    /// # Panics
    /// If there are not as many.
    pub(super) fn new(
        weights: &[f32],
        inputs: usize,
        outputs: usize,
        squares: usize,
        layout: Layout,
    ) -> Matrix {
        assert_eq!(weights.len(), inputs * outputs, "a matrix of {outputs} × {inputs}");
        // One square's outputs lie side by side in any case.
        let by_squares = layout == Layout::Squares || squares == 1;
        // What does not fill vectors of squares is computed in vectors of outputs alone.
        debug_assert!(by_squares || squares.is_multiple_of(LANES));
        let layout = if by_squares { Layout::Squares } else { Layout::Channels };
        let weights = if by_squares { right_side(weights, inputs, outputs) } else { weights.to_vec() };
        Matrix { inputs, outputs, squares, layout, weights }
    }

    /// The same for one square alone.
    pub(super) fn of_one_square(&self) -> Matrix {
        let weights = match self.layout {
            Layout::Channels => right_side(&self.weights, self.inputs, self.outputs),
            Layout::Squares => self.weights.clone(),
        };
        Matrix { squares: 1, layout: Layout::Squares, weights, ..*self }
    }

    /// Numbers that it reads of a square.
    pub(super) fn inputs(&self) -> usize {
        self.inputs
    }

    /// Numbers that it writes of a square.
    pub(super) fn outputs(&self) -> usize {
        self.outputs
    }

    /// How many squares it is for.
    pub(super) fn squares(&self) -> usize {
        self.squares
    }

    /// How the outputs lie.
    pub(super) fn layout(&self) -> Layout {
        self.layout
    }

    /// Of each input the weights of all outputs, filled up to whole [`LANES`].
    ///
    /// # Panics
    /// If the outputs of a square do not lie side by side.
    pub(super) fn by_squares(&self) -> &[f32] {
        assert_eq!(self.layout, Layout::Squares);
        &self.weights
    }

    /// How many numbers it reads.
    pub(super) fn input_length(&self) -> usize {
        self.inputs * self.squares
    }

    /// Multiplies `numbers` into `multiplied`.
    pub(super) fn multiply(&self, numbers: &[f32], multiplied: &mut [f32]) {
        debug_assert_eq!(
            (numbers.len(), multiplied.len()),
            (self.input_length(), self.outputs * self.squares)
        );
        for_vectors(Multiplying { matrix: self, numbers, multiplied });
    }
}

/// A product under way.
struct Multiplying<'a> {
    matrix: &'a Matrix,
    numbers: &'a [f32],
    multiplied: &'a mut [f32],
}

impl Work for Multiplying<'_> {
    #[inline(always)]
    fn work<V: Vector, const GROUPS: usize>(self) {
        let Multiplying { matrix: Matrix { inputs, outputs, squares, layout, weights }, numbers, multiplied } =
            self;
        let (inputs, outputs, squares) = (*inputs, *outputs, *squares);
        match layout {
            Layout::Channels => {
                let weights = Strided { numbers: weights, rows: inputs, columns: 1 };
                product::<V, GROUPS>(weights, outputs, numbers, squares, |output, first, sum| {
                    store(sum, multiplied, output * squares + first);
                });
            }
            Layout::Squares => {
                let numbers = Strided { numbers, rows: 1, columns: squares };
                let wide = outputs.next_multiple_of(LANES);
                product::<V, GROUPS>(numbers, squares, weights, wide, |square, first, sum| {
                    store_some(sum, &mut multiplied[square * outputs..][first..outputs]);
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use entente_search::vectors::Array;
    use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};

    use super::*;

    #[test]
    fn a_product_is_the_plain_sum_in_all_its_forms() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut numbers =
            |count: usize| -> Vec<f32> { (0..count).map(|_| rng.random::<f32>() - 0.5).collect() };
        // Rows and columns that fill the vectors, and some that do not.
        for (inputs, outputs, squares) in
            [(64, 64, 64), (64, 8, 64), (5, 73, 64), (17, 3, 16), (512, 64, 1), (3, 1, 1)]
        {
            for layout in [Layout::Channels, Layout::Squares] {
                let (weights, input) = (numbers(inputs * outputs), numbers(inputs * squares));
                let plain = |output: usize, square: usize| -> f32 {
                    (0..inputs).map(|k| weights[output * inputs + k] * input[k * squares + square]).sum()
                };
                let expected: Vec<f32> = (0..outputs * squares)
                    .map(|index| match layout {
                        Layout::Channels => plain(index / squares, index % squares),
                        Layout::Squares => plain(index % outputs, index / outputs),
                    })
                    .collect();
                let matrix = Matrix::new(&weights, inputs, outputs, squares, layout);
                let mut found = [(); 3].map(|()| vec![f32::NAN; expected.len()]);
                let [usual, portable, narrow] = &mut found;
                matrix.multiply(&input, usual);
                let multiplying = |multiplied| Multiplying { matrix: &matrix, numbers: &input, multiplied };
                multiplying(portable).work::<Array<false>, 1>();
                multiplying(narrow).work::<Array<true>, 1>();
                for found in &found {
                    for (expected, found) in expected.iter().zip(found) {
                        assert!(
                            (expected - found).abs() < 1e-4,
                            "{inputs} to {outputs} of {squares}, {layout:?}: {expected} and {found}"
                        );
                    }
                }
            }
        }
    }
}
