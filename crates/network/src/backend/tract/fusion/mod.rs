//! Rewrites a tract graph: our own operators compute the layers, fused with the elementwise steps on their outputs.
//!
//! tract's operators are made for images of any size. A chess network has many small layers. If the sums and rectifiers
//! between them are separate operators, they take as long as the multiplications.

mod heads;
mod layers;

use tract_onnx::tract_core::{
    internal::*,
    ops::{
        array::{Gather, Slice},
        binary::TypedBinOp,
        element_wise::ElementWiseOp,
        math::{Add, Max, Mul},
        nn::Softmax,
    },
};

use super::{
    head::Head,
    operator::{Fused, Layer, Rows},
    steps::{Operation, Step},
};

/// Replaces every layer of `model` for which there is a faster operator, and fuses it with the steps that follow it and
/// are the only readers of its output. The model may be for one row or for any number. Returns whether only cheap
/// operators of tract are left.
///
/// # Errors
/// If tract cannot replace a node.
pub(super) fn quicken(model: &mut TypedModel) -> TractResult<bool> {
    for id in model.eval_order()? {
        if let Some((fused, input)) = layers::layer(model, model.node(id))? {
            TypedModelPatch::replace_single_op(model, model.node(id), &[input], fused)?.apply(model)?;
        }
    }
    // More steps may follow a fused one. A step that follows no layer starts a fused operator without a layer.
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
            || is_cheap(node)
            || node.inputs.is_empty()
    }))
}

/// True for operators that mostly copy numbers, and for softmax, which has few numbers here.
fn is_cheap(node: &TypedNode) -> bool {
    node.op_is::<Slice>() || node.op_is::<Gather>() || node.op_is::<Softmax>()
}

/// The shape of a value; `None` unless it has 32-bit floats and all sizes except the number of rows are fixed.
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

/// The numbers of a constant value; `None` if the value is not a constant.
fn constant(model: &TypedModel, outlet: OutletId) -> TractResult<Option<Vec<f32>>> {
    let Some(tensor) = model.outlet_fact(outlet)?.konst.clone() else { return Ok(None) };
    if !tensor.datum_type().is_number() {
        return Ok(None);
    }
    let tensor = tensor.cast_to::<f32>()?;
    let view = tensor.view();
    Ok(Some(view.as_slice::<f32>()?.to_vec()))
}

/// The operation of a binary node, if steps support it.
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

/// The step that a node applies to its input number `place`, and the operand.
fn step(model: &TypedModel, node: &TypedNode, place: usize) -> TractResult<Option<(Step, OutletId)>> {
    let (Some(operation), [_, _]) = (operation(node), &node.inputs[..]) else { return Ok(None) };
    let operand = node.inputs[1 - place];
    let shapes = (shape(model, node.inputs[place])?, shape(model, operand)?, shape(model, node.id.into())?);
    let (Some(input), Some(Rows { count, row }), Some(output)) = shapes else { return Ok(None) };
    // An operand that all rows share has a size of 1 in the dimension of rows.
    let shared = if count.is_none() && output.count.is_some() { 1 } else { 0 };
    if input != output || !row[..shared.min(row.len())].iter().all(|size| *size == 1) {
        return Ok(None);
    }
    let step = Step::new(operation, &output.row, &row[shared.min(row.len())..], count.is_some());
    Ok(step.map(|step| (step, operand)))
}

/// A patch that fuses a step with the operator before it, whose only reader it is; `None` if no such step is left.
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

/// A patch that turns a step without constant inputs into a fused operator without a layer; `None` if no such step is
/// left.
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

/// A patch that replaces `node` by `fused`, with the shape of the node.
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

    /// The graph of a network, for one row or for many, with inputs of these shapes, before any operator is replaced.
    fn network(mut file: &[u8], inputs: &[&[usize]], for_many: bool) -> TypedModel {
        let mut graph = tract_onnx::onnx().model_for_read(&mut file).unwrap();
        let rows = if for_many { graph.symbols.sym("rows").to_dim() } else { 1.to_dim() };
        for (index, row) in inputs.iter().enumerate() {
            let sizes: TVec<TDim> =
                [rows.clone()].into_iter().chain(row.iter().map(|size: &usize| size.to_dim())).collect();
            graph.set_input_fact(index, f32::fact(sizes).into()).unwrap();
        }
        for output in 0..graph.outputs.len() {
            graph.set_output_fact(output, Default::default()).unwrap();
        }
        graph.into_typed().unwrap().into_decluttered().unwrap()
    }

    /// The shapes of a policy's inputs.
    const OF_POLICY: [&[usize]; 2] = [&[51, 8, 8], &[110]];
    /// The shape of the input of the thesis's networks.
    const OF_THESIS: [&[usize]; 1] = [&[17, 8, 8]];

    fn policy(for_many: bool) -> TypedModel {
        network(include_bytes!("../../../../models/goal-policy.onnx"), &OF_POLICY, for_many)
    }

    /// The two networks of the thesis.
    fn of_thesis(for_many: bool) -> [TypedModel; 2] {
        let files: [&[u8]; 2] = [
            include_bytes!("../../../../models/thesis-1.onnx"),
            include_bytes!("../../../../models/thesis-2.onnx"),
        ];
        files.map(|file| network(file, &OF_THESIS, for_many))
    }

    /// The number of layers of each kind (none, convolutions, products, sums, max pooling), and the names of the
    /// operators of tract that are left.
    fn layers(model: &TypedModel) -> ([usize; 5], Vec<String>) {
        let mut left: Vec<String> = Vec::new();
        let mut layers = [0; 5];
        for id in model.eval_order().unwrap() {
            let node = model.node(id);
            match node.op_as::<Fused>().map(|fused| &fused.layer) {
                Some(Layer::None) => layers[0] += 1,
                Some(Layer::Convolution(_)) => layers[1] += 1,
                Some(Layer::Matrix(_)) => layers[2] += 1,
                Some(Layer::Sums(_)) => layers[3] += 1,
                Some(Layer::Largest(_)) => layers[4] += 1,
                None => left.push(node.op().name().into_owned()),
            }
        }
        left.retain(|name| !["Const", "Source"].contains(&name.as_str()));
        left.sort();
        (layers, left)
    }

    #[test]
    fn every_layer_of_the_policy_is_replaced_and_fused() {
        for for_many in [false, true] {
            let mut model = policy(for_many);
            assert!(quicken(&mut model).unwrap());
            let (layers, left) = layers(&model);
            // The end of each of three blocks; seven 3 × 3 convolutions; one 1 × 1 convolution and 21 fully connected
            // layers; three sums.
            assert_eq!(layers, [3, 7, 22, 3, 0]);
            assert_eq!(left, ["Head", "Head", "Reshape", "Reshape", "Sigmoid", "Sigmoid", "Sigmoid"]);
        }
    }

    #[test]
    fn every_layer_of_the_thesis_networks_is_replaced() {
        for for_many in [false, true] {
            for (mut model, expected) in
                of_thesis(for_many).into_iter().zip([[0, 2, 2, 0, 1], [0, 3, 2, 0, 0]])
            {
                assert!(quicken(&mut model).unwrap());
                let (layers, mut left) = layers(&model);
                left.retain(|name| name != "Reshape");
                assert_eq!((layers, left), (expected, vec!["Sigmoid".to_owned()]));
            }
        }
    }

    #[test]
    fn outputs_with_other_readers_are_computed_for_all_squares() {
        let mut model = policy(true);
        let mut outputs = model.output_outlets().unwrap().to_vec();
        outputs.extend(model.wire_node("reader", sigmoid(), &outputs[..1]).unwrap());
        model.outputs = outputs;
        quicken(&mut model).unwrap();
        let order = model.eval_order().unwrap();
        let heads = order.iter().filter(|id| model.node(**id).op_is::<Head>()).count();
        assert_eq!(heads, 1, "the one of the action values");
    }

    #[test]
    fn replaced_layers_compute_the_same() {
        const ROWS: usize = 9;
        // Some rows want some squares, others none or all.
        let wanted = |row: usize| [0x8001_0203_0000_ff00, 0, u64::MAX][row % 3];
        // Planes are mostly 0, and 1 where a man stands.
        let numbers = |count: usize| (0..count).map(|index| f32::from(index * 37 % 101 < 20));
        let input = |rows: usize, row: &[usize]| -> TValue {
            let shape: Vec<usize> = [rows].iter().chain(row).copied().collect();
            let numbers: Vec<f32> = numbers(shape.iter().product()).collect();
            Tensor::from_shape(&shape, &numbers).unwrap().into()
        };
        let run = |model: TypedModel, shapes: &[&[usize]], rows: usize| {
            let has_heads = model.inputs.len() > shapes.len();
            let plan = model.into_optimized().unwrap().into_runnable().unwrap();
            let mut inputs: TVec<TValue> = shapes.iter().map(|shape| input(rows, shape)).collect();
            if has_heads {
                let wanted: Vec<u64> = (0..rows).map(wanted).collect();
                inputs.push(Tensor::from_shape(&[rows], &wanted).unwrap().into());
            }
            plan.run(inputs).unwrap()
        };
        for (for_many, rows) in [(false, 1), (true, 1), (true, ROWS)] {
            let all = |for_many| [policy(for_many)].into_iter().chain(of_thesis(for_many));
            let shapes: [&[&[usize]]; 3] = [&OF_POLICY, &OF_THESIS, &OF_THESIS];
            for ((plain, mut quick), shapes) in all(for_many).zip(all(for_many)).zip(shapes) {
                quicken(&mut quick).unwrap();
                for (plain, quick) in run(plain, shapes, rows).into_iter().zip(run(quick, shapes, rows)) {
                    let mut plain = plain.into_tensor();
                    // The order of summation differs. The tolerance is relative to the largest number.
                    let numbers = plain.to_plain_array_view::<f32>().unwrap();
                    let largest = numbers.iter().fold(0.0_f32, |m, x| m.max(x.abs()));
                    if plain.shape()[1] == 64 * 73 {
                        let mut view = plain.view_mut();
                        for (index, number) in view.as_slice_mut::<f32>().unwrap().iter_mut().enumerate() {
                            let (row, square) = (index / (64 * 73), index / 73 % 64);
                            // Unwanted squares are not computed.
                            *number = if wanted(row) >> square & 1 == 1 { *number } else { 0.0 };
                        }
                    }
                    plain.close_enough(&quick, Approximation::Custom(5e-5 * largest, 0.0, 0.0)).unwrap();
                }
            }
        }
    }
}
