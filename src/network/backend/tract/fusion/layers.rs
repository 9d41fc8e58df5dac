//! Which of tract's operators are layers that we compute ourselves.

use std::sync::Arc;

use tract_onnx::tract_core::{
    internal::*,
    ops::{
        cnn::{Conv, KernelFormat, MaxPool, PaddingSpec},
        einsum::EinSum,
        nn::{DataFormat, Reduce, Reducer},
    },
};

use super::{constant, shape};
use crate::network::{
    backend::tract::{
        matrix::{Layout, Matrix},
        operator::{Fused, Layer, Rows},
        winograd::{Boards, Winograd},
    },
    vectors::LANES,
};

/// What replaces a node that is a layer, and the input of that.
pub fn layer(model: &TypedModel, node: &TypedNode) -> TractResult<Option<(Fused, OutletId)>> {
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

/// A convolution of 3 × 3 on boards of a size for which there is one.
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
    let [_, kernel, biases] = node.inputs[..] else { return Ok(None) };
    let (Some(kernel), Some(biases)) = (constant(model, kernel)?, constant(model, biases)?) else {
        return Ok(None);
    };
    let Some(boards) = boards.filter(|_| is_usual) else { return Ok(None) };
    // One for all channels, or each its own.
    let biases = match biases[..] {
        [bias] => vec![bias; pool_spec.output_channels],
        _ => biases,
    };
    let winograd = Winograd::new(&kernel, &biases, pool_spec.input_channels, boards);
    Ok(Some(Layer::Convolution(Arc::new(winograd))))
}

/// The ranks, as many as files, of the boards of a value.
fn side(model: &TypedModel, outlet: OutletId) -> TractResult<Option<usize>> {
    Ok(shape(model, outlet)?.and_then(|shape| match *shape.row {
        [1, _, ranks, files] | [_, ranks, files] if ranks == files => Some(ranks),
        _ => None,
    }))
}

/// The largest of each 2 × 2 squares.
fn pooling(model: &TypedModel, node: &TypedNode) -> TractResult<Option<Layer>> {
    let Some(MaxPool { pool_spec, with_index_outputs: None }) = node.op_as::<MaxPool>() else {
        return Ok(None);
    };
    let twos = |numbers: &Option<TVec<usize>>| numbers.as_deref() == Some(&[2, 2]);
    let is_padded = match &pool_spec.padding {
        PaddingSpec::Valid => false,
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

/// A product of a value and a matrix that is always the same.
fn matrix(model: &TypedModel, node: &TypedNode) -> TractResult<Option<Layer>> {
    let Some(EinSum { axes, q_params: None, .. }) = node.op_as::<EinSum>() else { return Ok(None) };
    let [input, weights] = node.inputs[..] else { return Ok(None) };
    let shapes = (shape(model, input)?, shape(model, weights)?, shape(model, node.id.into())?);
    let (Some(input_shape), Some(weights_shape), Some(output_shape)) = shapes else { return Ok(None) };
    let Some(weights) = constant(model, weights)? else { return Ok(None) };
    // The axes of each row, but for those that are 1.
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
    // The weights have the axis of the outputs, and those that are summed over, with which the input begins.
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
    // What is read and written of each square: read/squares · written/squares is the number of weights.
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
