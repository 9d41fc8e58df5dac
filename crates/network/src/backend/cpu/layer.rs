//! A layer and the steps on its outputs, as one operator.

use std::sync::Arc;

use super::{
    matrix::Matrix,
    neighbours::{largest, sums},
    steps::{Step, take},
    winograd::{Scratch, Winograd},
};

/// A layer and the steps on its outputs. The first input is the layer's, and the others are the operands of the steps.
#[derive(Clone, Debug)]
pub(super) struct Fused {
    pub layer: Layer,
    pub steps: Vec<Step>,
    /// The shape of the output.
    pub shape: Rows,
}

/// The shape of a value, of which each row of a batch may have its own part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Rows {
    /// Whether each row has its own part. Then the first size counts once for each row.
    pub are_own: bool,
    /// The sizes for one row.
    pub row: Vec<usize>,
}

impl Rows {
    /// The sizes for a number of rows.
    pub(super) fn sizes(&self, rows: usize) -> Vec<usize> {
        let mut sizes = self.row.clone();
        if let Some(first) = sizes.first_mut().filter(|_| self.are_own) {
            *first *= rows;
        }
        sizes
    }

    /// The number of elements of one row.
    pub(super) fn length(&self) -> usize {
        self.row.iter().product()
    }
}

/// The layer of a fused operator.
#[derive(Clone, Debug)]
pub(super) enum Layer {
    /// No layer: only steps.
    None,
    /// A 3 × 3 convolution on boards.
    Convolution(Arc<Winograd>),
    /// A fully connected layer, or a 1 × 1 convolution.
    Matrix(Arc<Matrix>),
    /// The sums of this many consecutive numbers.
    Sums(usize),
    /// The largest of each block of 2 × 2 squares. The boards have this many ranks and files.
    Largest(usize),
}

impl Layer {
    /// Computes the outputs for all rows.
    fn compute(&self, input: &[f32], scratch: &mut Scratch, output: &mut [f32]) {
        match self {
            Layer::None => output.copy_from_slice(input),
            Layer::Convolution(winograd) => winograd.convolve(input, scratch, output),
            Layer::Matrix(matrix) => matrix.multiply_all(input, output),
            Layer::Sums(each) => sums(input, *each, output),
            Layer::Largest(side) => largest(input, *side, output),
        }
    }
}

impl Fused {
    /// Computes the outputs for `rows` rows. `operands` are those of the steps.
    pub(super) fn compute(
        &self,
        input: &[f32],
        operands: &[&[f32]],
        rows: usize,
        scratch: &mut Scratch,
        output: &mut [f32],
    ) {
        self.layer.compute(input, scratch, output);
        self.take_steps(operands, rows, output);
    }

    /// Applies the steps to the outputs of the layer.
    pub(super) fn take_steps(&self, operands: &[&[f32]], rows: usize, output: &mut [f32]) {
        if !self.steps.is_empty() {
            take(&self.steps, operands, if self.shape.are_own { rows } else { 1 }, output);
        }
    }
}
