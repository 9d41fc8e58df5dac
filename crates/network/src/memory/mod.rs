//! The memory that a model needs, computed from its graph before anything is allocated.
//!
//! Constant parts of a graph are computed while its file is loaded. A few bytes can ask for terabytes there, and an
//! allocation that fails ends the whole process. So every shape is computed here first. Operators whose output cannot
//! be computed in advance are refused.

mod attributes;
mod einsum;
mod integers;
mod operators;
mod selection;
mod value;
mod window;

use std::collections::HashMap;

use value::{Value, filled_up, product, tensor};

use super::{NetworkError, model::Model, shape::Shape};
use crate::onnx::{GraphProto, NodeProto, TensorProto};

/// The most bytes that the output of one operator may take, or the data that it unfolds for its work.
const MAX_VALUE: u64 = 256 << 20;
/// The most bytes of all values that exist at the same time.
const MAX_TOTAL: u64 = 1 << 30;
/// The most operators of a graph.
const MAX_NODES: usize = 100_000;
/// The most inputs of an operator, and the most outputs.
const MAX_EDGES: usize = 1000;

/// What one operator gives.
struct Given {
    /// Its outputs.
    outputs: Vec<Value>,
    /// The elements that it unfolds for its work, in addition to its outputs.
    unfolded: u64,
}

/// The sizes of all values of a graph, by their names.
pub(crate) type Sizes = HashMap<String, Vec<usize>>;

/// Checks that `model` can be loaded and run on `rows` positions within the limits, and returns the sizes of all
/// values.
/// `inputs` are the shapes of its inputs for one position.
///
/// # Errors
/// [`NetworkError::Model`] with the node and the limit, also if the size of a value cannot be computed in advance.
pub(crate) fn check(model: &Model, inputs: &[Shape], rows: usize) -> Result<Sizes, NetworkError> {
    let refused = |reason: String| NetworkError::model(model.name(), reason);
    let graph = model.graph();
    if graph.node.len() > MAX_NODES {
        return Err(refused(format!("it has {} operators, at most {MAX_NODES} are read", graph.node.len())));
    }
    if !graph.sparse_initializer.is_empty() {
        return Err(refused("it has sparse weights, which are not supported".to_owned()));
    }
    let mut values = HashMap::new();
    for weights in &graph.initializer {
        let value =
            tensor(weights).map_err(|reason| refused(format!("weights '{}': {reason}", weights.name)))?;
        values.insert(weights.name.as_str(), value);
    }
    for (input, shape) in model.inputs().zip(inputs) {
        let sizes = [rows].iter().chain(shape).map(|&size| size as u64).collect();
        values.insert(input.name.as_str(), Value::computed(sizes));
    }
    walk(graph, values).map_err(refused)
}

/// Computes the shape of every value, in the order of the nodes, and adds up the bytes of those that exist at the same
/// time. Constants exist from the beginning, because they are computed when the file is loaded.
fn walk<'a>(graph: &'a GraphProto, mut values: HashMap<&'a str, Value>) -> Result<Sizes, String> {
    let size =
        |value: &Value| value.shape.iter().map(|size| usize::try_from(*size).unwrap_or(usize::MAX)).collect();
    let mut sizes: Sizes = values.iter().map(|(name, value)| ((*name).to_owned(), size(value))).collect();
    let last_uses = last_uses(graph);
    let mut total: u64 = values.values().map(Value::bytes).fold(0, u64::saturating_add);
    for (place, node) in graph.node.iter().enumerate() {
        let place_of = |reason: String| format!("{}: {reason}", called(node));
        check_attributes(node).map_err(place_of)?;
        let edges = node.input.len().max(node.output.len());
        if edges > MAX_EDGES {
            let reason = format!("it has {edges} inputs or outputs, at most {MAX_EDGES} are read");
            return Err(place_of(reason));
        }
        let mut inputs = Vec::new();
        for name in &node.input {
            inputs.push(match name.as_str() {
                "" => None,
                name => Some(values.get(name).ok_or_else(|| {
                    place_of(format!("its input '{name}' is not given by any node before it"))
                })?),
            });
        }
        let Given { mut outputs, unfolded } = operators::given(node, &inputs).map_err(place_of)?;
        let is_constant = inputs.iter().flatten().all(|input| input.is_constant);
        outputs.iter_mut().for_each(|output| output.is_constant = is_constant);
        let width = outputs.first().map_or(8, |output| output.width);
        let largest = outputs.iter().map(Value::bytes).chain([unfolded.saturating_mul(width)]).max();
        if let Some(bytes) = largest.filter(|&bytes| bytes > MAX_VALUE) {
            return Err(place_of(over(bytes, MAX_VALUE)));
        }
        total = total.saturating_add(prepared_weights(node, &inputs));
        for (name, output) in node.output.iter().zip(outputs).filter(|(name, _)| !name.is_empty()) {
            if sizes.contains_key(name) {
                return Err(place_of(format!("it gives '{name}', which is given before")));
            }
            total = total.saturating_add(output.bytes());
            sizes.insert(name.clone(), size(&output));
            values.insert(name, output);
        }
        if total > MAX_TOTAL {
            return Err(place_of(format!(
                "with the values that it needs at the same time, {}",
                over(total, MAX_TOTAL)
            )));
        }
        for name in node.input.iter().chain(&node.output) {
            let is_over = last_uses.get(name.as_str()).is_none_or(|&last| last <= place);
            if is_over && values.get(name.as_str()).is_some_and(|value| !value.is_constant) {
                total -= values.remove(name.as_str()).map_or(0, |value| value.bytes());
            }
        }
    }
    Ok(sizes)
}

/// The bytes of a layer's own copy of its constant weights, filled up to whole vectors. A 3 × 3 convolution has 36
/// numbers for each 9.
fn prepared_weights(node: &NodeProto, inputs: &[Option<&Value>]) -> u64 {
    let is_layer = matches!(node.op_type.as_str(), "Conv" | "Gemm" | "MatMul");
    let Some(weights) = inputs.get(1).copied().flatten().filter(|weights| is_layer && weights.is_constant)
    else {
        return 0;
    };
    let elements = match weights.shape.as_slice() {
        [outputs, inputs, window @ ..] if !window.is_empty() => {
            [filled_up(*outputs), *inputs, product(window).max(36)].into_iter().fold(1, u64::saturating_mul)
        }
        shape => shape.iter().map(|size| filled_up(*size)).fold(1, u64::saturating_mul),
    };
    elements.saturating_mul(4)
}

/// The place of the last node that uses each value. An output of the graph is used to the end.
fn last_uses(graph: &GraphProto) -> HashMap<&str, usize> {
    let nodes = graph.node.iter().enumerate();
    let mut last: HashMap<&str, usize> =
        nodes.flat_map(|(place, node)| node.input.iter().map(move |name| (name.as_str(), place))).collect();
    last.extend(graph.output.iter().map(|output| (output.name.as_str(), usize::MAX)));
    last
}

/// Refuses graphs inside a node, and tensors in its attributes that are not what they say.
fn check_attributes(node: &NodeProto) -> Result<(), String> {
    for attribute in &node.attribute {
        if attribute.g.is_some() {
            return Err(format!("it has a graph inside ('{}'), which is not supported", attribute.name));
        }
        if attribute.sparse_tensor.is_some() {
            return Err(format!("its attribute '{}' is sparse, which is not supported", attribute.name));
        }
        let tensors: Vec<&TensorProto> = attribute.t.iter().chain(&attribute.tensors).collect();
        for inside in tensors {
            tensor(inside).map_err(|reason| format!("attribute '{}': {reason}", attribute.name))?;
        }
    }
    Ok(())
}

/// A node's name and operator, for messages.
pub(crate) fn called(node: &NodeProto) -> String {
    let output = || node.output.first().map_or("without a name", String::as_str);
    let name = if node.name.is_empty() { output() } else { &node.name };
    let short: String = name.chars().filter(|c| !c.is_control()).take(80).collect();
    format!("node '{short}' ({})", node.op_type.chars().take(40).collect::<String>())
}

fn over(bytes: u64, limit: u64) -> String {
    format!("it would take {} of memory, at most {} are allowed", readable(bytes), readable(limit))
}

/// Bytes in binary units: `256 MiB`.
fn readable(bytes: u64) -> String {
    let unit = ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let step = (0..unit.len() - 1).take_while(|step| bytes >> (10 * (step + 1)) > 0).count();
    format!("{} {}", bytes >> (10 * step), unit[step])
}

#[cfg(test)]
mod tests;
