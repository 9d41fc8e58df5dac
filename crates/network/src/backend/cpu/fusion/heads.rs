//! Layers on single squares, and the heads that two of them make.

use std::sync::Arc;

use crate::{
    backend::cpu::{
        graph::{Graph, Node, ValueId, Work},
        head::{Head, HeadLayer, SQUARES},
        layer::{Fused, Layer},
        matrix::{Layout, Matrix},
        steps::Step,
    },
    encoding::moves::{AlphaZero, MoveEncoding as _},
};

/// The 1 × 1 convolution before a node that puts the channels of each square together, with its outputs in that order.
pub(super) fn turned(graph: &mut Graph<'_>, node: &Node<'_>) -> Option<(Fused, Vec<ValueId>)> {
    if node.proto.op_type != "Transpose" || node.proto.integers("perm") != Some(&[0, 2, 3, 1]) {
        return None;
    }
    let input = node.inputs[0].filter(|input| graph.values[*input].uses == 1)?;
    let before = graph.giver(input)?;
    let Some(Node { work: Work::Fused(Fused { layer: Layer::Matrix(matrix), steps, .. }), inputs, .. }) =
        &graph.nodes[before]
    else {
        return None;
    };
    if matrix.layout() != Layout::Channels {
        return None;
    }
    let matrix = Arc::new(matrix.by_square());
    let steps = steps_of_squares(graph, steps, &inputs[1..], &matrix, Layout::Channels, matrix.squares())?;
    let (_, inputs) = super::taken_over(graph, before)?;
    let shape = graph.values[node.outputs[0]].shape.clone();
    Some((Fused { layer: Layer::Matrix(matrix), steps, shape }, inputs))
}

/// Steps on the outputs of a layer as steps on those of `squares` squares, one after another; `None` unless each
/// operand has one number for everything, or one for each output.
fn steps_of_squares(
    graph: &Graph<'_>,
    steps: &[Step],
    operands: &[Option<ValueId>],
    matrix: &Matrix,
    layout: Layout,
    squares: usize,
) -> Option<Vec<Step>> {
    let each = if layout == Layout::Channels { matrix.squares() } else { 1 };
    let converted = steps.iter().zip(operands).map(|(step, operand)| {
        let length = graph.values[(*operand)?].shape.length();
        let is_fit = length == 1 || length == matrix.outputs() && step.each == each;
        let each = if length == 1 { matrix.outputs() * squares } else { 1 };
        is_fit.then(|| Step { each, ..step.clone() })
    });
    converted.collect()
}

/// Replaces the last two layers before each output for moves by a [`Head`], if these layers act on each square
/// separately.
pub(super) fn make_heads(graph: &mut Graph<'_>) {
    for output in graph.outputs.clone() {
        let Some((place, head)) = head(graph, output) else { continue };
        let second = graph.nodes[place].take().expect("it was found");
        let board = second.inputs[0].and_then(|input| graph.giver(input)).expect("it was found");
        let first = graph.nodes[board].take().expect("it was found");
        let inputs = first.inputs.iter().chain(&second.inputs[1..]).copied().collect();
        graph.nodes[place] = Some(Node { work: Work::Head(head), inputs, ..second });
    }
}

/// The head before an output of the model, and the place of its last node. `None` if the two layers before the output
/// do not form a head, or if anything else reads their outputs: it would read zeros for squares that are not wanted.
fn head(graph: &Graph<'_>, output: ValueId) -> Option<(usize, Head)> {
    let mut last = output;
    let mut place = graph.giver(last)?;
    while let Some(Node { work: Work::View, inputs, .. }) = &graph.nodes[place] {
        if graph.values[last].uses != 1 {
            return None;
        }
        last = inputs[0]?;
        place = graph.giver(last)?;
    }
    let fused = |place: usize| match &graph.nodes[place] {
        Some(Node { work: Work::Fused(fused), inputs, .. }) => Some((fused, inputs)),
        _ => None,
    };
    let (second, second_inputs) = fused(place)?;
    let between = second_inputs[0]?;
    let (first, first_inputs) = fused(graph.giver(between)?)?;
    let board = &graph.values[first_inputs[0]?].shape;
    let have_own_rows =
        [board, &first.shape, &second.shape].iter().all(|shape| shape.are_own == board.are_own);
    if !have_own_rows || graph.values[last].uses != 1 || graph.values[between].uses != 1 {
        return None;
    }
    let mut layers = Vec::new();
    for (fused, inputs, layout) in
        [(first, first_inputs, Layout::Channels), (second, second_inputs, Layout::Squares)]
    {
        let Layer::Matrix(matrix) = &fused.layer else { return None };
        if matrix.squares() != SQUARES || matrix.layout() != layout {
            return None;
        }
        let steps = steps_of_squares(graph, &fused.steps, &inputs[1..], matrix, layout, 1)?;
        layers.push(HeadLayer { matrix: Arc::new(matrix.of_one_square()), steps });
    }
    let layers: [HeadLayer; 2] = layers.try_into().ok()?;
    let is_for_moves = SQUARES * layers[1].matrix.outputs() == AlphaZero::SIZE;
    is_for_moves.then_some((place, Head { layers }))
}
