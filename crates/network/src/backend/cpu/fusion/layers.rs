//! Recognises the ONNX operators that our own layers compute.

use std::sync::Arc;

use entente_search::vectors::LANES;

use crate::backend::cpu::{
    graph::{Graph, Node, ValueId},
    layer::{Fused, Layer},
    matrix::{Layout, Matrix},
    steps::{Operation, Step},
    winograd::{Boards, Winograd},
};

/// A layer with steps, and what it reads: its input, and the operands of the steps.
type Found = (Fused, Vec<ValueId>);

/// The operator that replaces a node; `None` if none of our layers computes it.
pub(super) fn layer(graph: &mut Graph<'_>, node: &Node<'_>) -> Option<Found> {
    match node.proto.op_type.as_str() {
        "Conv" => convolution(graph, node),
        "Gemm" => fully_connected(graph, node),
        "MatMul" => product(graph, node),
        "GlobalAveragePool" => {
            let squares = graph.values[node.inputs[0]?].shape.row.get(2..)?.iter().product();
            reduction(graph, node, squares, true)
        }
        "ReduceMean" | "ReduceSum" => {
            let each = reduced(graph, node)?;
            reduction(graph, node, each, node.proto.op_type == "ReduceMean")
        }
        "MaxPool" => pooling(graph, node),
        _ => None,
    }
}

/// A layer without steps.
fn plain(graph: &Graph<'_>, node: &Node<'_>, layer: Layer) -> Option<Found> {
    let shape = graph.values[node.outputs[0]].shape.clone();
    Some((Fused { layer, steps: Vec::new(), shape }, vec![node.inputs[0]?]))
}

/// A layer and the sum of its outputs and constant biases, if there are any.
fn with_biases(
    graph: &mut Graph<'_>,
    node: &Node<'_>,
    layer: Layer,
    (biases, each): (Option<Vec<f32>>, usize),
) -> Option<Found> {
    let (mut fused, mut inputs) = plain(graph, node, layer)?;
    if let Some(biases) = biases {
        fused.steps.push(Step { operation: Operation::Add, each, has_rows: false });
        inputs.push(graph.add_constant(vec![biases.len()], biases));
    }
    Some((fused, inputs))
}

/// True unless an attribute has other integers than this one.
fn are_all(node: &Node<'_>, name: &str, only: i64) -> bool {
    node.proto.integers(name).unwrap_or_default().iter().all(|number| *number == only)
}

/// The number of squares with which a window is padded on each side; `None` if the sides differ.
fn padding(node: &Node<'_>, window: usize) -> Option<usize> {
    match node.proto.word("auto_pad").as_str() {
        "VALID" => Some(0),
        "SAME_UPPER" | "SAME_LOWER" => Some(window / 2).filter(|_| window % 2 == 1),
        _ => {
            let pads = node.proto.integers("pads").unwrap_or_default();
            let first = pads.first().copied().unwrap_or(0);
            usize::try_from(first).ok().filter(|_| pads.iter().all(|pad| *pad == first))
        }
    }
}

/// A 3 × 3 convolution on boards of one of the sizes of [`Boards`], or a 1 × 1 convolution.
fn convolution(graph: &mut Graph<'_>, node: &Node<'_>) -> Option<Found> {
    let weights = node.inputs.get(1).copied().flatten()?;
    let [outputs, inputs, ranks, files] = graph.values[weights].shape.row[..] else { return None };
    let is_usual =
        node.proto.integer("group", 1) == 1 && are_all(node, "strides", 1) && are_all(node, "dilations", 1);
    let [_, channels, board @ ..] = &graph.values[node.inputs[0]?].shape.row[..] else { return None };
    let [side, files_of_board] = *board else { return None };
    if !is_usual || inputs != *channels || ranks != files {
        return None;
    }
    let (padding, kernel) = (padding(node, ranks)?, graph.constant(weights)?.to_vec());
    let biases = match node.inputs.get(2).copied().flatten() {
        Some(biases) => Some(graph.constant(biases).filter(|biases| biases.len() == outputs)?.to_vec()),
        None => None,
    };
    match ranks {
        // Fewer channels would not fill the vectors.
        3 if outputs >= LANES && side == files_of_board => {
            let biases = biases.unwrap_or_else(|| vec![0.0; outputs]);
            let winograd = Winograd::new(&kernel, &biases, inputs, Boards::of(side, padding)?);
            plain(graph, node, Layer::Convolution(Arc::new(winograd)))
        }
        1 if padding == 0 => {
            let squares = side * files_of_board;
            // Vectors of squares must be full.
            let fits = squares == 1 || squares.is_multiple_of(LANES);
            let matrix = fits.then(|| Matrix::new(&kernel, inputs, outputs, squares, Layout::Channels))?;
            with_biases(graph, node, Layer::Matrix(Arc::new(matrix)), (biases, squares))
        }
        _ => None,
    }
}

/// The weights `[outputs, inputs]` of a matrix `[inputs, outputs]`.
fn turned(weights: &[f32], inputs: usize, outputs: usize) -> Vec<f32> {
    (0..outputs).flat_map(|output| (0..inputs).map(move |input| weights[input * outputs + output])).collect()
}

/// A fully connected layer with constant weights.
fn fully_connected(graph: &mut Graph<'_>, node: &Node<'_>) -> Option<Found> {
    let proto = node.proto;
    let weights = node.inputs.get(1).copied().flatten()?;
    let [rows, columns] = graph.values[weights].shape.row[..] else { return None };
    let is_turned = proto.integer("transB", 0) != 0;
    let (outputs, inputs) = if is_turned { (rows, columns) } else { (columns, rows) };
    let shape = &graph.values[node.inputs[0]?].shape.row;
    let is_usual = proto.integer("transA", 0) == 0 && proto.float("alpha", 1.0) == 1.0;
    if !is_usual || shape.len() != 2 || shape[1] != inputs {
        return None;
    }
    let weights = graph.constant(weights)?;
    let weights = if is_turned { weights.to_vec() } else { turned(weights, inputs, outputs) };
    let biases = match node.inputs.get(2).copied().flatten() {
        Some(biases) => {
            let is_row = graph.values[biases].shape.row.last() == Some(&outputs);
            let biases = graph.constant(biases).filter(|biases| is_row && biases.len() == outputs)?;
            let beta = proto.float("beta", 1.0);
            Some(biases.iter().map(|bias| beta * bias).collect())
        }
        None => None,
    };
    let matrix = Matrix::new(&weights, inputs, outputs, 1, Layout::Squares);
    with_biases(graph, node, Layer::Matrix(Arc::new(matrix)), (biases, 1))
}

/// A product of a value and a constant matrix.
fn product(graph: &mut Graph<'_>, node: &Node<'_>) -> Option<Found> {
    let weights = node.inputs.get(1).copied().flatten()?;
    let [inputs, outputs] = graph.values[weights].shape.row[..] else { return None };
    let shape = &graph.values[node.inputs[0]?].shape.row;
    if shape.len() < 2 || shape.last() != Some(&inputs) {
        return None;
    }
    let weights = turned(graph.constant(weights)?, inputs, outputs);
    let matrix = Matrix::new(&weights, inputs, outputs, 1, Layout::Squares);
    plain(graph, node, Layer::Matrix(Arc::new(matrix)))
}

/// How many consecutive elements a reduction makes one of; `None` unless its axes are the last ones.
fn reduced(graph: &Graph<'_>, node: &Node<'_>) -> Option<usize> {
    let rank = graph.values[node.inputs[0]?].shape.row.len();
    let axes: Vec<i64> = match node.inputs.get(1).copied().flatten() {
        Some(axes) => graph.values[axes].constant.as_ref()?.as_integers().ok()?.to_vec(),
        None => node.proto.integers("axes")?.to_vec(),
    };
    let place = |axis: &i64| usize::try_from(if *axis < 0 { axis + rank as i64 } else { *axis }).ok();
    let mut axes: Vec<usize> = axes.iter().map(place).collect::<Option<_>>()?;
    axes.sort_unstable();
    // The first axis may be that of the rows.
    let first = *axes.first().filter(|first| **first > 0)?;
    let row = &graph.values[node.inputs[0]?].shape.row;
    axes.into_iter().eq(first..rank).then(|| row[first..].iter().product())
}

/// The sums, or the means, of this many consecutive numbers.
fn reduction(graph: &mut Graph<'_>, node: &Node<'_>, each: usize, is_mean: bool) -> Option<Found> {
    let (mut fused, mut inputs) = plain(graph, node, Layer::Sums(each))?;
    if is_mean {
        let step = Step { operation: Operation::Mul, each: fused.shape.length(), has_rows: false };
        fused.steps.push(step);
        inputs.push(graph.add_constant(vec![1], vec![1.0 / each as f32]));
    }
    (each > 0).then_some((fused, inputs))
}

/// Max pooling over blocks of 2 × 2 squares.
fn pooling(graph: &mut Graph<'_>, node: &Node<'_>) -> Option<Found> {
    let [_, _, ranks, files] = graph.values[node.inputs[0]?].shape.row[..] else { return None };
    let proto = node.proto;
    let twos = |name: &str| proto.integers(name) == Some(&[2, 2]);
    let is_usual = twos("kernel_shape")
        && twos("strides")
        && are_all(node, "dilations", 1)
        && are_all(node, "pads", 0)
        && ranks == files
        // With an even number of ranks and files, nothing is padded or left over.
        && ranks.is_multiple_of(2);
    is_usual.then(|| plain(graph, node, Layer::Largest(ranks)))?
}
