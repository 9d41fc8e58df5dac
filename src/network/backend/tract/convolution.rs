//! Convolutions of 3 × 3 on boards, as an operator of tract's: tract's own are for pictures of any size.

use std::{cell::RefCell, sync::Arc};

use tract_onnx::tract_core::{
    internal::*,
    ops::{
        cnn::{Conv, KernelFormat, PaddingSpec},
        nn::DataFormat,
    },
};

use super::winograd::{LANES, Scratch, Winograd};

/// Replaces every convolution of `model` that there is a quicker one for.
///
/// # Errors
/// If tract cannot replace a node.
pub fn quicken(model: &mut TypedModel) -> TractResult<()> {
    let nodes: Vec<usize> = model.nodes().iter().map(|node| node.id).collect();
    for id in nodes {
        if let Some(quicker) = quicker(model, model.node(id))? {
            let node = model.node(id);
            let patch = TypedModelPatch::replace_single_op(model, node, &node.inputs[..1], quicker)?;
            patch.apply(model)?;
        }
    }
    Ok(())
}

/// What computes the same as `node`, if it is a convolution of 3 × 3 on boards of 8 × 8.
fn quicker(model: &TypedModel, node: &TypedNode) -> TractResult<Option<BoardConvolution>> {
    let Some(Conv { pool_spec, kernel_fmt, group: 1, q_params: None }) = node.op_as::<Conv>() else {
        return Ok(None);
    };
    let ones = |numbers: &Option<TVec<usize>>| numbers.iter().flatten().all(|number| *number == 1);
    let keeps_size = match &pool_spec.padding {
        PaddingSpec::SameUpper | PaddingSpec::SameLower => true,
        PaddingSpec::Explicit(before, after) => before.iter().chain(after).all(|padding| *padding == 1),
        _ => false,
    };
    let is_usual = *kernel_fmt == KernelFormat::OIHW
        && pool_spec.data_format == DataFormat::NCHW
        && *pool_spec.kernel_shape == [3, 3]
        && ones(&pool_spec.strides)
        && ones(&pool_spec.dilations)
        && keeps_size
        // Fewer channels would not fill the vectors.
        && pool_spec.output_channels >= LANES;
    let fact = model.outlet_fact(node.inputs[0])?;
    let is_board = fact.datum_type == f32::datum_type()
        && fact.shape.as_concrete().is_some_and(|shape| matches!(shape, [_, _, 8, 8]));
    let [kernel, biases] = [1, 2].map(|place| node.inputs.get(place).copied());
    let constant = |outlet: Option<OutletId>| -> TractResult<Option<Arc<Tensor>>> {
        Ok(outlet.map(|outlet| model.outlet_fact(outlet)).transpose()?.and_then(|fact| fact.konst.clone()))
    };
    let (Some(kernel), Some(biases)) = (constant(kernel)?, constant(biases)?) else { return Ok(None) };
    if !is_usual || !is_board || kernel.datum_type() != f32::datum_type() {
        return Ok(None);
    }
    let biases = biases.cast_to::<f32>()?;
    let (kernel, biases) = (kernel.view(), biases.view());
    let (kernel, biases) = (kernel.as_slice::<f32>()?, biases.as_slice::<f32>()?);
    // One for all channels, or each its own.
    let biases = match biases {
        [bias] => vec![*bias; pool_spec.output_channels],
        biases => biases.to_vec(),
    };
    Ok(Some(BoardConvolution(Arc::new(Winograd::new(kernel, &biases, pool_spec.input_channels)))))
}

/// A convolution on boards.
#[derive(Clone, Debug)]
struct BoardConvolution(Arc<Winograd>);

impl PartialEq for BoardConvolution {
    fn eq(&self, other: &BoardConvolution) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for BoardConvolution {}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

impl Op for BoardConvolution {
    fn name(&self) -> StaticName {
        "BoardConvolution".into()
    }

    op_as_typed_op!();
}

impl EvalOp for BoardConvolution {
    fn eval(&self, _: &EvalContext, inputs: TVec<TValue>) -> TractResult<TVec<TValue>> {
        let input = args_1!(inputs);
        let (rows, squares) = (input.shape()[0], 8 * 8);
        let mut output = Tensor::zero::<f32>(&[rows, self.0.outputs(), 8, 8])?;
        let boards = input.view();
        let boards = boards.as_slice::<f32>()?.chunks_exact(self.0.inputs() * squares);
        let mut view = output.view_mut();
        let convolved = view.as_slice_mut::<f32>()?.chunks_exact_mut(self.0.outputs() * squares);
        SCRATCH.with_borrow_mut(|scratch| {
            for (board, convolved) in boards.zip(convolved) {
                self.0.convolve(board, scratch, convolved);
            }
        });
        Ok(tvec!(output.into_tvalue()))
    }

    op_out_of_plan!();
}

impl TypedOp for BoardConvolution {
    fn output_facts(&self, inputs: &[&TypedFact]) -> TractResult<TVec<TypedFact>> {
        let mut shape = inputs[0].shape.clone();
        shape.set(1, self.0.outputs().to_dim());
        Ok(tvec!(f32::fact(shape)))
    }

    as_op!();
}

#[cfg(test)]
mod tests {
    use tract_onnx::prelude::{Framework as _, InferenceModelExt as _};

    use super::*;

    /// The embedded policy, as far as it is read before anything is replaced.
    fn policy() -> TypedModel {
        let mut bytes: &[u8] = include_bytes!("../../../../models/goal-policy.onnx");
        let mut graph = tract_onnx::onnx().model_for_read(&mut bytes).unwrap();
        for (index, shape) in [vec![1, 51, 8, 8], vec![1, 110]].into_iter().enumerate() {
            graph.set_input_fact(index, f32::fact(shape).into()).unwrap();
        }
        graph.into_typed().unwrap().into_decluttered().unwrap()
    }

    #[test]
    fn every_convolution_of_the_policy_on_whole_boards_is_replaced_and_no_other() {
        let count = |model: &TypedModel, name: &str| {
            model.eval_order().unwrap().iter().filter(|id| model.node(**id).op().name() == name).count()
        };
        let mut model = policy();
        let others = count(&model, "Conv") - 7;
        assert_eq!(count(&model, "BoardConvolution"), 0);
        quicken(&mut model).unwrap();
        assert_eq!((count(&model, "BoardConvolution"), count(&model, "Conv")), (7, others));
    }

    #[test]
    fn what_is_replaced_computes_the_same() {
        let (plain, mut quick) = (policy(), policy());
        quicken(&mut quick).unwrap();
        let numbers = |count: usize| (0..count).map(|index| ((index * 37 % 101) as f32 - 50.0) / 50.0);
        let inputs = || -> TVec<TValue> {
            tvec!(
                Tensor::from_shape(&[1, 51, 8, 8], &numbers(51 * 64).collect::<Vec<f32>>()).unwrap().into(),
                Tensor::from_shape(&[1, 110], &numbers(110).collect::<Vec<f32>>()).unwrap().into(),
            )
        };
        let run = |model: TypedModel| {
            model.into_optimized().unwrap().into_runnable().unwrap().run(inputs()).unwrap()
        };
        for (plain, quick) in run(plain).iter().zip(&run(quick)) {
            plain.close_enough(quick, Approximation::Approximate).unwrap();
        }
    }
}
