//! Recognises the tract operators that our own layers replace.

use std::sync::Arc;

use entente_search::vectors::LANES;
use tract_onnx::tract_core::{
    internal::*,
    ops::{
        cnn::{Conv, KernelFormat, MaxPool, PaddingSpec},
        einsum::EinSum,
        nn::{DataFormat, Reduce, Reducer},
    },
};

use super::{constant, shape};
use crate::backend::tract::{
    matrix::{Layout, Matrix},
    operator::{Fused, Layer, Rows},
    winograd::{Boards, Winograd},
};

/// The operator that replaces a node, and its input; `None` if none of our layers computes the node.
pub(super) fn layer(model: &TypedModel, node: &TypedNode) -> TractResult<Option<(Fused, OutletId)>> {
    let found = match () {
        () if node.op_is::<Conv>() => convolution(model, node)?,
        () if node.op_is::<EinSum>() => matrix(model, node)?,
        () if node.op_is::<Reduce>() => neighbours(model, node)?,
        () if node.op_is::<MaxPool>() => pooling(model, node)?,
        () => None,
    };
    let Some(layer) = found else { return Ok(None) };
    Ok(shape(model, node.id.into())?.map(|shape| (Fused { layer, steps: Vec::new(), shape }, node.inputs[0])))
}

/// A 3 × 3 convolution, if the boards have one of the sizes of [`Boards`].
fn convolution(model: &TypedModel, node: &TypedNode) -> TractResult<Option<Layer>> {
    let Some(Conv { pool_spec, kernel_fmt, group: 1, q_params: None }) = node.op_as::<Conv>() else {
        return Ok(None);
    };
    let ones = |numbers: &Option<TVec<usize>>| numbers.iter().flatten().all(|number| *number == 1);
    let padding = match &pool_spec.padding {
        PaddingSpec::SameUpper | PaddingSpec::SameLower => Some(1),
        PaddingSpec::Valid => Some(0),
        PaddingSpec::Explicit(before, after) => {
            before.first().copied().filter(|one| before.iter().chain(after).all(|other| other == one))
        }
        _ => None,
    };
    let is_usual = *kernel_fmt == KernelFormat::OIHW
        && pool_spec.data_format == DataFormat::NCHW
        && *pool_spec.kernel_shape == [3, 3]
        && ones(&pool_spec.strides)
        && ones(&pool_spec.dilations)
        // Fewer channels would not fill the vectors.
        && pool_spec.output_channels >= LANES;
    let side = side(model, node.inputs[0])?;
    let boards = side.zip(padding).and_then(|(side, padding)| Boards::of(side, padding));
    let Some(boards) = boards.filter(|_| is_usual) else { return Ok(None) };
    let [_, kernel, biases] = node.inputs[..] else { return Ok(None) };
    let (Some(kernel), Some(biases)) = (constant(model, kernel)?, constant(model, biases)?) else {
        return Ok(None);
    };
    // There is one bias for all channels, or one for each.
    let biases = match biases[..] {
        [bias] => vec![bias; pool_spec.output_channels],
        _ => biases,
    };
    let winograd = Winograd::new(&kernel, &biases, pool_spec.input_channels, boards);
    Ok(Some(Layer::Convolution(Arc::new(winograd))))
}

/// The number of ranks of the boards of a value; `None` if it differs from that of files.
fn side(model: &TypedModel, outlet: OutletId) -> TractResult<Option<usize>> {
    Ok(shape(model, outlet)?.and_then(|shape| match *shape.row {
        [1, _, ranks, files] | [_, ranks, files] if ranks == files => Some(ranks),
        _ => None,
    }))
}

/// Max pooling over blocks of 2 × 2 squares.
fn pooling(model: &TypedModel, node: &TypedNode) -> TractResult<Option<Layer>> {
    let Some(MaxPool { pool_spec, with_index_outputs: None }) = node.op_as::<MaxPool>() else {
        return Ok(None);
    };
    let twos = |numbers: &Option<TVec<usize>>| numbers.as_deref() == Some(&[2, 2]);
    let is_padded = match &pool_spec.padding {
        // With an even number of ranks and files these add no padding.
        PaddingSpec::Valid | PaddingSpec::SameUpper | PaddingSpec::SameLower => false,
        PaddingSpec::Explicit(before, after) => before.iter().chain(after).any(|padding| *padding != 0),
        _ => true,
    };
    let is_usual = pool_spec.data_format == DataFormat::NCHW
        && *pool_spec.kernel_shape == [2, 2]
        && twos(&pool_spec.strides)
        && pool_spec.dilations.iter().flatten().all(|dilation| *dilation == 1)
        && !is_padded;
    let side = side(model, node.inputs[0])?.filter(|side| is_usual && side.is_multiple_of(2));
    Ok(side.map(Layer::Largest))
}

/// A product of a value and a constant matrix.
fn matrix(model: &TypedModel, node: &TypedNode) -> TractResult<Option<Layer>> {
    let Some(EinSum { axes, q_params: None, .. }) = node.op_as::<EinSum>() else { return Ok(None) };
    let [input, weights] = node.inputs[..] else { return Ok(None) };
    let shapes = (shape(model, input)?, shape(model, weights)?, shape(model, node.id.into())?);
    let (Some(input_shape), Some(weights_shape), Some(output_shape)) = shapes else { return Ok(None) };
    let Some(weights) = constant(model, weights)? else { return Ok(None) };
    // The axes of a row, without those of size 1.
    let names = |place: InOut, shape: &Rows| -> Vec<char> {
        let before = usize::from(shape.count.is_some());
        let mut names = vec![' '; before + shape.row.len()];
        for axis in axes.iter_all_axes() {
            axis.interface(place).iter().for_each(|position| names[*position] = axis.repr);
        }
        let of_row = names.into_iter().skip(before).zip(&shape.row);
        of_row.filter(|(_, size)| **size != 1).map(|(name, _)| name).collect()
    };
    let of_input = names(InOut::In(0), &input_shape);
    let of_weights = names(InOut::In(1), &weights_shape);
    let of_output = names(InOut::Out(0), &output_shape);
    // The axes of the weights are that of the outputs and then the summed ones. The input starts with the summed ones.
    let summed = of_weights.iter().filter(|name| !of_output.contains(name)).count();
    let (outer, inner) = of_weights.split_at(of_weights.len() - summed);
    let squares = &of_input[inner.len().min(of_input.len())..];
    let layout = match () {
        () if of_output == [outer, squares].concat() => Layout::Channels,
        () if of_output == [squares, outer].concat() => Layout::Squares,
        () => return Ok(None),
    };
    let have_rows = [&input_shape, &output_shape].map(|shape| shape.count.is_some());
    if outer.len() > 1 || !of_input.starts_with(inner) || have_rows[0] != have_rows[1] {
        return Ok(None);
    }
    let [read, written] = [&input_shape, &output_shape].map(|shape| shape.row.iter().product::<usize>());
    // The number of weights is read/squares · written/squares: inputs times outputs of each square.
    let squares = (1..=written).find(|squares| squares * squares * weights.len() == read * written);
    let Some(squares) = squares.filter(|squares| written % squares == 0) else { return Ok(None) };
    let outputs = written / squares;
    let fits = squares == 1 || layout == Layout::Squares || squares.is_multiple_of(LANES);
    if !fits {
        return Ok(None);
    }
    Ok(Some(Layer::Matrix(Arc::new(Matrix::new(&weights, read / squares, outputs, squares, layout)))))
}

/// A sum over the last axes.
fn neighbours(model: &TypedModel, node: &TypedNode) -> TractResult<Option<Layer>> {
    let Some(Reduce { axes, reducer: Reducer::Sum }) = node.op_as::<Reduce>() else { return Ok(None) };
    let Some(shape) = shape(model, node.inputs[0])? else { return Ok(None) };
    let before = usize::from(shape.count.is_some());
    let Some(first) = shape.row.len().checked_sub(axes.len()) else { return Ok(None) };
    let are_last = axes.iter().copied().eq(before + first..before + shape.row.len());
    Ok(are_last.then(|| Layer::Sums(shape.row[first..].iter().product())))
}

#[cfg(test)]
mod tests {
    use tract_onnx::tract_core::ops::cnn::PoolSpec;

    use super::*;
    use crate::backend::tract::fusion::quicken;

    /// The number of channels of the input.
    const CHANNELS: usize = 2;

    /// Windows of `side` × `side`. Those of 2 × 2 are for max pooling, which keeps the number of channels.
    fn windows(side: usize, padding: PaddingSpec) -> PoolSpec {
        PoolSpec {
            data_format: DataFormat::NCHW,
            kernel_shape: tvec!(side, side),
            padding,
            dilations: Some(tvec!(1, 1)),
            strides: Some(tvec!(1, 1)),
            input_channels: CHANNELS,
            output_channels: if side == 2 { CHANNELS } else { LANES },
        }
    }

    fn around(before: [usize; 2], after: [usize; 2]) -> PaddingSpec {
        PaddingSpec::Explicit(before.as_slice().into(), after.as_slice().into())
    }

    /// Positive and negative numbers.
    fn numbers(shape: &[usize]) -> Tensor {
        let numbers = (0..shape.iter().product()).map(|index: usize| (index * 37 % 101) as f32 - 50.0);
        Tensor::from_shape(shape, &numbers.collect::<Vec<f32>>()).unwrap()
    }

    /// A model with boards of this side and one layer, which `wire` adds.
    fn model(
        side: usize,
        wire: impl FnOnce(&mut TypedModel, OutletId) -> TractResult<TVec<OutletId>>,
    ) -> TypedModel {
        let mut model = TypedModel::default();
        let input = model.add_source("input", f32::fact([1, CHANNELS, side, side])).unwrap();
        let outputs = wire(&mut model, input).unwrap();
        model.select_output_outlets(&outputs).unwrap();
        model
    }

    fn convolved(side: usize, pool_spec: PoolSpec, group: usize) -> TypedModel {
        model(side, |model, input| {
            let shape = [
                pool_spec.output_channels,
                CHANNELS / group,
                pool_spec.kernel_shape[0],
                pool_spec.kernel_shape[1],
            ];
            let kernel = model.add_const("kernel", numbers(&shape))?;
            let biases = model.add_const("biases", numbers(&[pool_spec.output_channels]))?;
            let convolution = Conv { pool_spec, kernel_fmt: KernelFormat::OIHW, group, q_params: None };
            model.wire_node("convolution", convolution, &[input, kernel, biases])
        })
    }

    fn pooled(side: usize, pool_spec: PoolSpec) -> TypedModel {
        model(side, |model, input| {
            model.wire_node("largest", MaxPool { pool_spec, with_index_outputs: None }, &[input])
        })
    }

    /// True if the layer is replaced. Checks that the model then computes the same as with tract alone.
    fn is_ours(model: &TypedModel, side: usize) -> bool {
        let mut quick = model.clone();
        quicken(&mut quick).unwrap();
        let is_ours = quick.eval_order().unwrap().iter().any(|id| quick.node(*id).op_is::<Fused>());
        let run = |model: TypedModel| {
            let plan = model.into_optimized().unwrap().into_runnable().unwrap();
            plan.run(tvec!(numbers(&[1, CHANNELS, side, side]).into())).unwrap().remove(0)
        };
        // The order of summation differs, and the sums reach a hundred thousand.
        let close = Approximation::Custom(0.1, 0.0, 0.0);
        run(model.clone()).close_enough(&run(quick), close).unwrap();
        is_ours
    }

    #[test]
    fn only_supported_convolutions_are_replaced() {
        let plain = || windows(3, PaddingSpec::Valid);
        for (side, padding) in [
            (8, PaddingSpec::Valid),
            (6, PaddingSpec::Valid),
            (4, around([0, 0], [0, 0])),
            (8, around([1, 1], [1, 1])),
            (8, PaddingSpec::SameUpper),
            (8, PaddingSpec::SameLower),
        ] {
            assert!(is_ours(&convolved(side, windows(3, padding.clone()), 1), side), "{side}, {padding:?}");
        }
        for (side, pool_spec, group) in [
            (7, plain(), 1),
            (6, windows(3, PaddingSpec::SameUpper), 1),
            (8, windows(3, around([0, 1], [1, 0])), 1),
            (8, windows(3, around([0, 0], [1, 1])), 1),
            (8, windows(3, around([2, 2], [2, 2])), 1),
            (8, windows(5, PaddingSpec::Valid), 1),
            (8, PoolSpec { strides: Some(tvec!(2, 2)), ..plain() }, 1),
            (8, PoolSpec { dilations: Some(tvec!(2, 2)), ..plain() }, 1),
            (8, PoolSpec { output_channels: LANES - 1, ..plain() }, 1),
            (8, plain(), 2),
        ] {
            assert!(!is_ours(&convolved(side, pool_spec.clone(), group), side), "{side}, {pool_spec:?}");
        }
    }

    #[test]
    fn only_supported_max_poolings_are_replaced() {
        let plain = |padding| PoolSpec { strides: Some(tvec!(2, 2)), ..windows(2, padding) };
        for padding in [PaddingSpec::Valid, PaddingSpec::SameUpper, around([0, 0], [0, 0])] {
            assert!(is_ours(&pooled(4, plain(padding.clone())), 4), "{padding:?}");
        }
        for (side, pool_spec) in [
            (5, plain(PaddingSpec::Valid)),
            (4, plain(around([1, 1], [1, 1]))),
            (4, windows(2, PaddingSpec::Valid)),
            (4, PoolSpec { kernel_shape: tvec!(3, 3), ..plain(PaddingSpec::Valid) }),
        ] {
            assert!(!is_ours(&pooled(side, pool_spec.clone()), side), "{side}, {pool_spec:?}");
        }
    }
}
