//! Rewrites a graph: our own layers replace operators, fused with the elementwise steps on their outputs.
//!
//! A chess network has many small layers. If the sums and rectifiers between them were operators of their own, they
//! would take as long as the multiplications.

mod heads;
mod layers;

use super::{
    graph::{Graph, Node, ValueId, Work},
    layer::{Fused, Layer, Rows},
    operators::padded,
    steps::{Operation, Step},
};

/// Replaces each operator for which there is a faster one, and fuses it with the steps that follow it and are the only
/// readers of its output.
pub(super) fn fuse(graph: &mut Graph<'_>) {
    for place in 0..graph.nodes.len() {
        let Some(node) = graph.nodes[place].take() else { continue };
        graph.nodes[place] = Some(replaced(graph, node));
    }
    heads::make_heads(graph);
}

/// The operator that replaces a node, or the node itself. It may take over the node before it.
fn replaced<'a>(graph: &mut Graph<'a>, node: Node<'a>) -> Node<'a> {
    let ([output], true) = (&node.outputs[..], node.inputs.first().is_some_and(Option::is_some)) else {
        return node;
    };
    let output = *output;
    if is_view(graph, &node) {
        node.inputs.iter().skip(1).flatten().for_each(|input| graph.values[*input].uses -= 1);
        return Node { work: Work::View, inputs: node.inputs[..1].to_vec(), ..node };
    }
    if !graph.values[output].is_float {
        return node;
    }
    if let Some((fused, inputs)) = layers::layer(graph, &node) {
        return with_work(graph, node, fused, inputs);
    }
    match joined(graph, &node).or_else(|| heads::turned(graph, &node)).or_else(|| begun(graph, &node)) {
        Some((fused, inputs)) => with_work(graph, node, fused, inputs),
        None => node,
    }
}

/// The node with fused work and the inputs that it reads.
fn with_work<'a>(graph: &mut Graph<'a>, node: Node<'a>, fused: Fused, inputs: Vec<ValueId>) -> Node<'a> {
    node.inputs.iter().flatten().for_each(|input| graph.values[*input].uses -= 1);
    inputs.iter().for_each(|input| graph.values[*input].uses += 1);
    Node { work: Work::Fused(fused), inputs: inputs.into_iter().map(Some).collect(), ..node }
}

/// True for a node that only changes the shape of its input.
fn is_view(graph: &Graph<'_>, node: &Node<'_>) -> bool {
    let is_changed = |input: &ValueId| graph.values[*input].constant.is_none();
    matches!(
        node.proto.op_type.as_str(),
        "Dropout" | "Flatten" | "Identity" | "Reshape" | "Squeeze" | "Unsqueeze"
    ) && !node.inputs.iter().skip(1).flatten().any(is_changed)
}

/// The operation of a node with two inputs, if steps support it, and whether the inputs may be exchanged.
fn operation(node: &Node<'_>) -> Option<(Operation, bool)> {
    Some(match node.proto.op_type.as_str() {
        "Add" => (Operation::Add, true),
        "Sub" => (Operation::Sub, false),
        "Mul" => (Operation::Mul, true),
        "Div" => (Operation::Div, false),
        "Max" => (Operation::Max, true),
        _ => return None,
    })
}

/// The step that a node applies to its input number `place`, and the operand.
fn step(graph: &mut Graph<'_>, node: &Node<'_>, place: usize) -> Option<(Step, ValueId)> {
    let output = graph.values[node.outputs[0]].shape.clone();
    let input = node.inputs[place]?;
    if graph.values[input].shape != output {
        return None;
    }
    if node.proto.op_type == "Relu" {
        let step = Step::new(Operation::Max, &output.row, &vec![1; output.row.len()], false)?;
        return Some((step, graph.add_constant(vec![1], vec![0.0])));
    }
    let (operation, is_symmetric) = operation(node)?;
    let [Some(_), Some(_)] = node.inputs[..] else { return None };
    if place == 1 && !is_symmetric {
        return None;
    }
    let operand = node.inputs[1 - place]?;
    let Rows { are_own, row } = &graph.values[operand].shape;
    let is_fit =
        graph.values[operand].is_float && (!are_own || output.are_own && row.len() == output.row.len());
    let row = padded(row, output.row.len());
    let step = Step::new(operation, &output.row, &row, *are_own).filter(|_| is_fit)?;
    Some((step, operand))
}

/// The operator before a step with the step added, if the step is its only reader.
fn joined(graph: &mut Graph<'_>, node: &Node<'_>) -> Option<(Fused, Vec<ValueId>)> {
    for place in 0..node.inputs.len().min(2) {
        let input = node.inputs[place]?;
        let Some(before) = graph.giver(input).filter(|_| graph.values[input].uses == 1) else { continue };
        let is_fused = matches!(&graph.nodes[before], Some(Node { work: Work::Fused(_), .. }));
        if is_fused && let Some((step, operand)) = step(graph, node, place) {
            let (mut fused, mut inputs) = taken_over(graph, before)?;
            fused.steps.push(step);
            fused.shape = graph.values[node.outputs[0]].shape.clone();
            inputs.push(operand);
            return Some((fused, inputs));
        }
    }
    None
}

/// The work and the inputs of a fused node, which is removed.
fn taken_over(graph: &mut Graph<'_>, place: usize) -> Option<(Fused, Vec<ValueId>)> {
    let node = graph.nodes[place].take()?;
    node.inputs.iter().flatten().for_each(|input| graph.values[*input].uses -= 1);
    match node.work {
        Work::Fused(fused) => Some((fused, node.inputs.into_iter().flatten().collect())),
        _ => None,
    }
}

/// A step that follows no layer.
fn begun(graph: &mut Graph<'_>, node: &Node<'_>) -> Option<(Fused, Vec<ValueId>)> {
    let shape = graph.values[node.outputs[0]].shape.clone();
    (0..node.inputs.len().min(2)).find_map(|place| {
        let input = node.inputs[place]?;
        let (step, operand) = step(graph, node, place)?;
        Some((Fused { layer: Layer::None, steps: vec![step], shape: shape.clone() }, vec![input, operand]))
    })
}

#[cfg(test)]
mod tests;
