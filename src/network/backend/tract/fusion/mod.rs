//! Rewrites a graph of tract's: layers are computed by our own kernels, together with what is done to their outputs.
//!
//! tract's operators are for pictures of any size. A network for chess is made of many small layers, and what lies between
//! them (a sum here, a rectifier there) takes as long as their multiplications if each is an operator of its own.

mod heads;

use std::sync::Arc;

use tract_onnx::tract_core::{
    internal::*,
    ops::{
        binary::TypedBinOp,
        cnn::{Conv, KernelFormat, PaddingSpec},
        einsum::EinSum,
        element_wise::ElementWiseOp,
        math::{Add, Max, Mul},
        nn::{DataFormat, Reduce, Reducer},
    },
};

use super::{
    head::Head,
    matrix::{Layout, Matrix},
    operator::{Fused, Layer, Rows},
    steps::{Operation, Step},
    winograd::Winograd,
};
use crate::network::vectors::LANES;

/// Replaces every layer of `model`, for one row or for any number of them, that there is a quicker one for, and joins to it
/// what follows it alone.
/// Returns whether nothing else is left that takes time.
///
/// # Errors
/// If tract cannot replace a node.
pub fn quicken(model: &mut TypedModel) -> TractResult<bool> {
    for id in model.eval_order()? {
        if let Some((fused, input)) = layer(model, model.node(id))? {
            TypedModelPatch::replace_single_op(model, model.node(id), &[input], fused)?.apply(model)?;
        }
    }
    // What is joined may be followed by more; what follows no layer begins a row of steps by itself.
    while let Some(patch) = joined(model)?.map_or_else(|| begun(model), |patch| Ok(Some(patch)))? {
        patch.apply(model)?;
    }
    heads::make_heads(model)?;
    let order = model.eval_order()?;
    Ok(order.into_iter().all(|id| {
        let node = model.node(id);
        node.op_is::<Fused>()
            || node.op_is::<Head>()
            || node.op_is::<ElementWiseOp>()
            || node.op_is::<AxisOp>()
            || node.inputs.is_empty()
    }))
}

/// What replaces a node that is a layer, and the input of that.
fn layer(model: &TypedModel, node: &TypedNode) -> TractResult<Option<(Fused, OutletId)>> {
    let found = match () {
        () if node.op_is::<Conv>() => convolution(model, node)?,
        () if node.op_is::<EinSum>() => matrix(model, node)?,
        () if node.op_is::<Reduce>() => neighbours(model, node)?,
        () => None,
    };
    let Some(layer) = found else { return Ok(None) };
    Ok(shape(model, node.id.into())?.map(|shape| (Fused { layer, steps: Vec::new(), shape }, node.inputs[0])))
}

/// The shape of a value, if it is one of 32-bit floats and all sizes but that of rows are fixed.
fn shape(model: &TypedModel, outlet: OutletId) -> TractResult<Option<Rows>> {
    let fact = model.outlet_fact(outlet)?;
    let sizes = fact.shape.to_tvec();
    let (count, row) = match sizes.split_first() {
        Some((count, row)) if count.as_i64().is_none() => (Some(count.clone()), row),
        _ => (None, &*sizes),
    };
    let row: Option<TVec<usize>> = row.iter().map(|size| size.to_usize().ok()).collect();
    let is_float = fact.datum_type == f32::datum_type();
    Ok(row.filter(|_| is_float).map(|row| Rows { count, row }))
}

/// The numbers of a value that is always the same.
fn constant(model: &TypedModel, outlet: OutletId) -> TractResult<Option<Vec<f32>>> {
    let Some(tensor) = model.outlet_fact(outlet)?.konst.clone() else { return Ok(None) };
    if !tensor.datum_type().is_number() {
        return Ok(None);
    }
    let tensor = tensor.cast_to::<f32>()?;
    let view = tensor.view();
    Ok(Some(view.as_slice::<f32>()?.to_vec()))
}

/// A convolution of 3 × 3 on a board of 8 × 8.
fn convolution(model: &TypedModel, node: &TypedNode) -> TractResult<Option<Layer>> {
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
    let is_board =
        shape(model, node.inputs[0])?.is_some_and(|shape| matches!(*shape.row, [1, _, 8, 8] | [_, 8, 8]));
    let [_, kernel, biases] = node.inputs[..] else { return Ok(None) };
    let (Some(kernel), Some(biases)) = (constant(model, kernel)?, constant(model, biases)?) else {
        return Ok(None);
    };
    if !is_usual || !is_board {
        return Ok(None);
    }
    // One for all channels, or each its own.
    let biases = match biases[..] {
        [bias] => vec![bias; pool_spec.output_channels],
        _ => biases,
    };
    Ok(Some(Layer::Convolution(Arc::new(Winograd::new(&kernel, &biases, pool_spec.input_channels)))))
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

/// The operation of a node with two inputs, if it is one of ours.
fn operation(node: &TypedNode) -> Option<Operation> {
    let TypedBinOp(operation, None) = node.op_as::<TypedBinOp>()? else { return None };
    if operation.is::<Add>() {
        Some(Operation::Add)
    } else if operation.is::<Mul>() {
        Some(Operation::Mul)
    } else if operation.is::<Max>() {
        Some(Operation::Max)
    } else {
        None
    }
}

/// The step that a node takes with its input number `place`, and the operand.
fn step(model: &TypedModel, node: &TypedNode, place: usize) -> TractResult<Option<(Step, OutletId)>> {
    let (Some(operation), [_, _]) = (operation(node), &node.inputs[..]) else { return Ok(None) };
    let operand = node.inputs[1 - place];
    let shapes = (shape(model, node.inputs[place])?, shape(model, operand)?, shape(model, node.id.into())?);
    let (Some(input), Some(Rows { count, row }), Some(output)) = shapes else { return Ok(None) };
    // What all rows share has a size of 1 where others have their rows.
    let shared = if count.is_none() && output.count.is_some() { 1 } else { 0 };
    if input != output || !row[..shared.min(row.len())].iter().all(|size| *size == 1) {
        return Ok(None);
    }
    let step = Step::new(operation, &output.row, &row[shared.min(row.len())..], count.is_some());
    Ok(step.map(|step| (step, operand)))
}

/// A patch that joins a step to what it follows alone; `None` if there is none left.
fn joined(model: &TypedModel) -> TractResult<Option<TypedModelPatch>> {
    let order = model.eval_order()?;
    let inputs = order.iter().flat_map(|id| &model.node(*id).inputs);
    let used: Vec<OutletId> = inputs.chain(model.output_outlets()?).copied().collect();
    for id in order {
        let node = model.node(id);
        for place in 0..node.inputs.len().min(2) {
            let before = model.node(node.inputs[place].node);
            let uses = used.iter().filter(|outlet| outlet.node == before.id).count();
            if let Some(fused) = before.op_as::<Fused>().filter(|_| uses == 1)
                && let Some((step, operand)) = step(model, node, place)?
            {
                let steps = fused.steps.iter().cloned().chain([step]).collect();
                let inputs: TVec<OutletId> = before.inputs.iter().copied().chain([operand]).collect();
                return replaced(model, node, Fused { steps, ..fused.clone() }, &inputs).map(Some);
            }
        }
    }
    Ok(None)
}

/// A patch for the first step with a value that is not always the same; `None` if there is none left.
fn begun(model: &TypedModel) -> TractResult<Option<TypedModelPatch>> {
    for id in model.eval_order()? {
        let node = model.node(id);
        let are_constant: Vec<bool> = node
            .inputs
            .iter()
            .map(|input| Ok(model.outlet_fact(*input)?.konst.is_some()))
            .collect::<TractResult<_>>()?;
        if are_constant.contains(&true) {
            continue;
        }
        for place in 0..node.inputs.len().min(2) {
            if let Some((step, operand)) = step(model, node, place)? {
                let fused = Fused { layer: Layer::None, steps: vec![step], shape: Rows::default() };
                return replaced(model, node, fused, &[node.inputs[place], operand]).map(Some);
            }
        }
    }
    Ok(None)
}

/// A patch that puts `fused`, of that node's shape, in its place.
fn replaced(
    model: &TypedModel,
    node: &TypedNode,
    fused: Fused,
    inputs: &[OutletId],
) -> TractResult<TypedModelPatch> {
    let shape = shape(model, node.id.into())?.context("a step has a fixed shape")?;
    TypedModelPatch::replace_single_op(model, node, inputs, Fused { shape, ..fused })
}

#[cfg(test)]
mod tests {
    use tract_onnx::{
        prelude::{Framework as _, InferenceModelExt as _},
        tract_core::ops::nn::sigmoid,
    };

    use super::*;

    /// The embedded policy for one row or for many, as far as it is read before anything is replaced.
    fn policy(for_many: bool) -> TypedModel {
        let mut bytes: &[u8] = include_bytes!("../../../../../models/goal-policy.onnx");
        let mut graph = tract_onnx::onnx().model_for_read(&mut bytes).unwrap();
        let rows = if for_many { graph.symbols.sym("rows").to_dim() } else { 1.to_dim() };
        for (index, row) in [vec![51, 8, 8], vec![110]].into_iter().enumerate() {
            let sizes: TVec<TDim> =
                [rows.clone()].into_iter().chain(row.iter().map(|size: &usize| size.to_dim())).collect();
            graph.set_input_fact(index, f32::fact(sizes).into()).unwrap();
        }
        for output in 0..graph.outputs.len() {
            graph.set_output_fact(output, Default::default()).unwrap();
        }
        graph.into_typed().unwrap().into_decluttered().unwrap()
    }

    #[test]
    fn every_layer_of_the_policy_is_replaced_and_what_follows_is_joined_to_it() {
        for for_many in [false, true] {
            let mut model = policy(for_many);
            assert!(quicken(&mut model).unwrap());
            let mut left: Vec<String> = Vec::new();
            let mut layers = [0; 4];
            for id in model.eval_order().unwrap() {
                let node = model.node(id);
                match node.op_as::<Fused>().map(|fused| &fused.layer) {
                    Some(Layer::None) => layers[0] += 1,
                    Some(Layer::Convolution(_)) => layers[1] += 1,
                    Some(Layer::Matrix(_)) => layers[2] += 1,
                    Some(Layer::Sums(_)) => layers[3] += 1,
                    None => left.push(node.op().name().into_owned()),
                }
            }
            left.retain(|name| !["Const", "Source"].contains(&name.as_str()));
            left.sort();
            // The end of each of three blocks; seven convolutions of 3 × 3; of 1 × 1 one, and 21 of whole inputs.
            assert_eq!(layers, [3, 7, 22, 3]);
            assert_eq!(left, ["Head", "Head", "Reshape", "Reshape", "Sigmoid", "Sigmoid", "Sigmoid"]);
        }
    }

    #[test]
    fn what_something_else_reads_is_computed_for_all_squares() {
        let mut model = policy(true);
        let mut outputs = model.output_outlets().unwrap().to_vec();
        outputs.extend(model.wire_node("reader", sigmoid(), &outputs[..1]).unwrap());
        model.outputs = outputs;
        quicken(&mut model).unwrap();
        let order = model.eval_order().unwrap();
        let heads = order.iter().filter(|id| model.node(**id).op_is::<Head>()).count();
        assert_eq!(heads, 1, "that of the action values");
    }

    #[test]
    fn what_is_replaced_computes_the_same() {
        const ROWS: usize = 9;
        // Of some rows some squares, of others none or all.
        let wanted = |row: usize| [0x8001_0203_0000_ff00, 0, u64::MAX][row % 3];
        // Planes are mostly empty, and full where something stands.
        let numbers = |count: usize| (0..count).map(|index| f32::from(index * 37 % 101 < 20));
        let input = |rows: usize, row: &[usize]| -> TValue {
            let shape: Vec<usize> = [rows].iter().chain(row).copied().collect();
            let numbers: Vec<f32> = numbers(shape.iter().product()).collect();
            Tensor::from_shape(&shape, &numbers).unwrap().into()
        };
        let run = |model: TypedModel, rows: usize| {
            let has_heads = model.inputs.len() > 2;
            let plan = model.into_optimized().unwrap().into_runnable().unwrap();
            let mut inputs = tvec!(input(rows, &[51, 8, 8]), input(rows, &[110]));
            if has_heads {
                let wanted: Vec<u64> = (0..rows).map(wanted).collect();
                inputs.push(Tensor::from_shape(&[rows], &wanted).unwrap().into());
            }
            plan.run(inputs).unwrap()
        };
        for (for_many, rows) in [(false, 1), (true, 1), (true, ROWS)] {
            let (plain, mut quick) = (policy(for_many), policy(for_many));
            quicken(&mut quick).unwrap();
            for (plain, quick) in run(plain, rows).into_iter().zip(run(quick, rows)) {
                let mut plain = plain.into_tensor();
                // Sums in another order: they are as exact as the largest of the numbers.
                let largest =
                    plain.to_plain_array_view::<f32>().unwrap().iter().fold(0.0_f32, |m, x| m.max(x.abs()));
                if plain.shape()[1] == 64 * 73 {
                    let mut view = plain.view_mut();
                    for (index, number) in view.as_slice_mut::<f32>().unwrap().iter_mut().enumerate() {
                        let (row, square) = (index / (64 * 73), index / 73 % 64);
                        // Of what is not wanted nothing is computed.
                        *number = if wanted(row) >> square & 1 == 1 { *number } else { 0.0 };
                    }
                }
                plain.close_enough(&quick, Approximation::Custom(5e-5 * largest, 0.0, 0.0)).unwrap();
            }
        }
    }
}
