//! A tract operator that fuses several: a layer and the steps on its outputs.

use std::{cell::RefCell, sync::Arc};

use tract_onnx::tract_core::internal::*;

use super::{
    matrix::Matrix,
    neighbours::{largest, sums},
    steps::{Step, take},
    winograd::{Scratch, Winograd},
};

/// A layer and the steps on its outputs. The first input is the layer's, and the others are the operands of the steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fused {
    pub layer: Layer,
    pub steps: Vec<Step>,
    /// The shape of the output.
    pub shape: Rows,
}

/// The shape of a value, with or without a dimension of rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Rows {
    /// The number of rows, which is known at run time; `None` for one row and no dimension of rows.
    pub count: Option<TDim>,
    /// The shape of a row.
    pub row: TVec<usize>,
}

impl Rows {
    /// What tract needs to know about such a value.
    pub(super) fn fact(&self) -> TypedFact {
        let Rows { count, row } = self;
        let sizes: TVec<TDim> = count.iter().cloned().chain(row.iter().map(ToDim::to_dim)).collect();
        f32::fact(sizes)
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

impl PartialEq for Layer {
    fn eq(&self, other: &Layer) -> bool {
        match (self, other) {
            (Layer::None, Layer::None) => true,
            (Layer::Convolution(one), Layer::Convolution(other)) => Arc::ptr_eq(one, other),
            (Layer::Matrix(one), Layer::Matrix(other)) => Arc::ptr_eq(one, other),
            (Layer::Sums(one), Layer::Sums(other)) | (Layer::Largest(one), Layer::Largest(other)) => {
                one == other
            }
            _ => false,
        }
    }
}

impl Eq for Layer {}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

impl Layer {
    /// Computes `rows` rows.
    fn compute(&self, input: &[f32], rows: usize, output: &mut [f32]) {
        match self {
            Layer::None => output.copy_from_slice(input),
            Layer::Convolution(winograd) => {
                SCRATCH.with_borrow_mut(|scratch| winograd.convolve(input, scratch, output));
            }
            Layer::Matrix(matrix) => {
                let (read, written) = (input.len() / rows, output.len() / rows);
                for (input, output) in input.chunks_exact(read).zip(output.chunks_exact_mut(written)) {
                    matrix.multiply(input, output);
                }
            }
            Layer::Sums(each) => sums(input, *each, output),
            Layer::Largest(side) => largest(input, *side, output),
        }
    }
}

impl Op for Fused {
    fn name(&self) -> StaticName {
        "Fused".into()
    }

    op_as_typed_op!();
}

impl EvalOp for Fused {
    fn eval(&self, _: &EvalContext, mut inputs: TVec<TValue>) -> TractResult<TVec<TValue>> {
        let input = inputs.remove(0);
        let rows = if self.shape.count.is_some() { input.shape()[0] } else { 1 };
        let shape: TVec<usize> =
            self.shape.count.iter().map(|_| rows).chain(self.shape.row.iter().copied()).collect();
        let mut output = if self.layer == Layer::None {
            // The tensor is copied only if another operator needs it, too.
            let mut output = input.into_tensor();
            output.set_shape(&shape)?;
            output
        } else {
            let mut output = Tensor::zero::<f32>(&shape)?;
            self.layer.compute(
                input.view().as_slice::<f32>()?,
                rows,
                output.view_mut().as_slice_mut::<f32>()?,
            );
            output
        };
        if !self.steps.is_empty() {
            let views: TVec<TensorView<'_>> = inputs.iter().map(|operand| operand.view()).collect();
            let operands = views.iter().map(|view| view.as_slice::<f32>());
            let operands = operands.collect::<TractResult<TVec<&[f32]>>>()?;
            take(&self.steps, &operands, rows, output.view_mut().as_slice_mut::<f32>()?);
        }
        Ok(tvec!(output.into_tvalue()))
    }

    op_out_of_plan!();
}

impl TypedOp for Fused {
    fn output_facts(&self, _: &[&TypedFact]) -> TractResult<TVec<TypedFact>> {
        Ok(tvec!(self.shape.fact()))
    }

    as_op!();
}
