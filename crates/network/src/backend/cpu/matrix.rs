//! Fully connected layers, on a whole input or on each square of a board (1 × 1 convolutions).

use entente_search::vectors::{LANES, Vector, Work, for_vectors, store, store_some};

use crate::product::{Strided, product, right_side};

/// A matrix that multiplies the channels of each square, with one square or many.
#[derive(Debug)]
pub(super) struct Matrix {
    inputs: usize,
    outputs: usize,
    squares: usize,
    layout: Layout,
    /// `[outputs, inputs]` for [`Layout::Channels`]; `[inputs, outputs]`, with the outputs padded to a multiple of
    /// [`LANES`], for [`Layout::Squares`].
    weights: Vec<f32>,
}

/// The layout of the outputs. That of the inputs is always `[inputs, squares]`.
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
    /// If there are not `outputs × inputs` weights.
    pub(super) fn new(
        weights: &[f32],
        inputs: usize,
        outputs: usize,
        squares: usize,
        layout: Layout,
    ) -> Matrix {
        assert_eq!(weights.len(), inputs * outputs, "a matrix of {outputs} × {inputs}");
        // With one square both layouts are the same.
        let by_squares = layout == Layout::Squares || squares == 1;
        // Vectors of squares must be full. Otherwise only vectors of outputs work.
        debug_assert!(by_squares || squares.is_multiple_of(LANES));
        let layout = if by_squares { Layout::Squares } else { Layout::Channels };
        let weights = if by_squares { right_side(weights, inputs, outputs) } else { weights.to_vec() };
        Matrix { inputs, outputs, squares, layout, weights }
    }

    /// The same matrix with the outputs of each square together.
    pub(super) fn by_square(&self) -> Matrix {
        Matrix { squares: self.squares, ..self.of_one_square() }
    }

    /// The same matrix for a single square.
    pub(super) fn of_one_square(&self) -> Matrix {
        let weights = match self.layout {
            Layout::Channels => right_side(&self.weights, self.inputs, self.outputs),
            Layout::Squares => self.weights.clone(),
        };
        Matrix { squares: 1, layout: Layout::Squares, weights, ..*self }
    }

    /// The number of inputs per square.
    pub(super) fn inputs(&self) -> usize {
        self.inputs
    }

    /// The number of outputs per square.
    pub(super) fn outputs(&self) -> usize {
        self.outputs
    }

    /// The number of squares.
    pub(super) fn squares(&self) -> usize {
        self.squares
    }

    /// The layout of the outputs.
    pub(super) fn layout(&self) -> Layout {
        self.layout
    }

    /// The weights `[inputs, outputs]`, with the outputs padded to a multiple of [`LANES`].
    ///
    /// # Panics
    /// If the layout is not [`Layout::Squares`].
    pub(super) fn by_squares(&self) -> &[f32] {
        assert_eq!(self.layout, Layout::Squares);
        &self.weights
    }

    /// The length of the input.
    pub(super) fn input_length(&self) -> usize {
        self.inputs * self.squares
    }

    /// Multiplies each of several inputs by the matrix. The product of one does not depend on the others.
    pub(super) fn multiply_all(&self, numbers: &[f32], multiplied: &mut [f32]) {
        if self.squares == 1 {
            // They share each read of the weights.
            for_vectors(Multiplying { matrix: self, numbers, multiplied });
            return;
        }
        let inputs = numbers.chunks_exact(self.input_length());
        for (numbers, multiplied) in inputs.zip(multiplied.chunks_exact_mut(self.outputs * self.squares)) {
            self.multiply(numbers, multiplied);
        }
    }

    /// Multiplies `numbers` by the matrix and writes the product to `multiplied`.
    fn multiply(&self, numbers: &[f32], multiplied: &mut [f32]) {
        debug_assert_eq!(
            (numbers.len(), multiplied.len()),
            (self.input_length(), self.outputs * self.squares)
        );
        for_vectors(Multiplying { matrix: self, numbers, multiplied });
    }
}

/// The arguments of the vectorised product.
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
                // With one square there may be several inputs, one after another.
                let (rows, left) = match squares {
                    1 => (numbers.len() / inputs, Strided { numbers, rows: inputs, columns: 1 }),
                    _ => (squares, Strided { numbers, rows: 1, columns: squares }),
                };
                let wide = outputs.next_multiple_of(LANES);
                product::<V, GROUPS>(left, rows, weights, wide, |square, first, sum| {
                    store_some(sum, &mut multiplied[square * outputs..][first..outputs]);
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use entente_search::vectors::Portable;
    use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};

    use super::*;

    #[test]
    fn products_equal_the_plain_sum_in_every_variant() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut numbers =
            |count: usize| -> Vec<f32> { (0..count).map(|_| rng.random::<f32>() - 0.5).collect() };
        // Some of the sizes are multiples of the vector length, and some are not.
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
                let mut usual = vec![f32::NAN; expected.len()];
                matrix.multiply_all(&input, &mut usual);
                let mut portable = vec![f32::NAN; expected.len()];
                Multiplying { matrix: &matrix, numbers: &input, multiplied: &mut portable }
                    .work::<Portable, 1>();
                assert_eq!(usual, portable, "to the last bit");
                for (expected, found) in expected.iter().zip(&usual) {
                    assert!(
                        (expected - found).abs() < 1e-4,
                        "{inputs} to {outputs} of {squares}, {layout:?}: {expected} and {found}"
                    );
                }
            }
        }
    }
}
