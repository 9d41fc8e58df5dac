use std::sync::Arc;

use tract_onnx::tract_core::internal::*;

use super::shape;
use crate::{
    backend::tract::{
        head::{Head, HeadLayer, SQUARES},
        matrix::Layout,
        operator::{Fused, Layer},
        steps::Step,
    },
    encoding::moves::{AlphaZero, MoveEncoding as _},
};

/// Replaces the last two layers before each output for moves by a [`Head`], if these layers act on each square
/// separately. If there is such a head, the model gets one more input: a bitboard of the wanted squares for each row.
pub(super) fn make_heads(model: &mut TypedModel) -> TractResult<()> {
    let rows = model.input_fact(0)?.shape.to_tvec()[0].clone();
    let mut wanted = None;
    for output in model.output_outlets()?.to_vec() {
        let Some((last, head)) = head(model, output)? else { continue };
        let wanted = match wanted {
            Some(wanted) => wanted,
            None => *wanted.insert(model.add_source(model.unique_name("wanted"), u64::fact([rows.clone()]))?),
        };
        let (second, first) = (model.node(last), model.node(model.node(last).inputs[0].node));
        let operands = first.inputs.iter().chain(&second.inputs[1..]);
        let inputs: TVec<OutletId> = operands.copied().chain([wanted]).collect();
        TypedModelPatch::replace_single_op(model, second, &inputs, head)?.apply(model)?;
    }
    Ok(())
}

/// The head before an output of the model, and its last node. `None` if the two layers before the output do not form a
/// head, or if anything else reads their outputs: it would read zeros for squares that are not wanted.
fn head(model: &TypedModel, output: OutletId) -> TractResult<Option<(usize, Head)>> {
    let mut last = output.node;
    while let Some(AxisOp::Add(_) | AxisOp::Rm(_) | AxisOp::Reshape(..)) = model.node(last).op_as() {
        // These operators keep the order of the numbers.
        if !is_read_once(model, last.into())? {
            return Ok(None);
        }
        last = model.node(last).inputs[0].node;
    }
    let Some(second) = model.node(last).op_as::<Fused>() else { return Ok(None) };
    let before = model.node(last).inputs[0];
    let Some(first) = model.node(before.node).op_as::<Fused>() else { return Ok(None) };
    let Some(board) = shape(model, model.node(before.node).inputs[0])? else { return Ok(None) };
    let rows = model.input_fact(0)?.shape.to_tvec()[0].clone();
    let rows = rows.as_i64().is_none().then_some(rows);
    let have_its_rows = [&board, &first.shape, &second.shape].iter().all(|shape| shape.count == rows);
    if !have_its_rows || !is_read_once(model, last.into())? || !is_read_once(model, before)? {
        return Ok(None);
    }
    let mut found = Vec::new();
    for (fused, node, layout) in [(first, before.node, Layout::Channels), (second, last, Layout::Squares)] {
        let Layer::Matrix(matrix) = &fused.layer else { return Ok(None) };
        if matrix.squares() != SQUARES || matrix.layout() != layout {
            return Ok(None);
        }
        let each = if layout == Layout::Channels { SQUARES } else { 1 };
        let mut steps = Vec::new();
        for (step, operand) in fused.steps.iter().zip(&model.node(node).inputs[1..]) {
            let Some(shape) = shape(model, *operand)? else { return Ok(None) };
            let length: usize = shape.row.iter().product();
            // The operand must have one number for all outputs of a square, or one for each.
            if length != 1 && (length != matrix.outputs() || step.each != each) {
                return Ok(None);
            }
            steps.push(Step { each: if length == 1 { matrix.outputs() } else { 1 }, ..step.clone() });
        }
        found.push(HeadLayer { matrix: Arc::new(matrix.of_one_square()), steps });
    }
    let Ok(layers) = found.try_into() else { return Ok(None) };
    let head = Head { layers, shape: second.shape.clone() };
    let [_, HeadLayer { matrix, .. }] = &head.layers;
    Ok((SQUARES * matrix.outputs() == AlphaZero::SIZE).then_some((last, head)))
}

/// True if the value is read by exactly one operator, or by none and is an output of the model.
fn is_read_once(model: &TypedModel, outlet: OutletId) -> TractResult<bool> {
    let outputs = model.output_outlets()?.iter().filter(|output| **output == outlet).count();
    Ok(model.outlet_successors(outlet).len() + outputs == 1)
}
