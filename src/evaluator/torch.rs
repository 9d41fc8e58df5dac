use std::collections::HashMap;

use shakmaty::{Chess, Move, Position};
use tch::{Device, Kind, TchError, Tensor};
use tract_onnx::{
    pb::{AttributeProto, ModelProto, NodeProto, TensorProto},
    prelude::Framework,
};

use super::{Evaluator, Network, NetworkError};
use crate::{
    constraint::{Goal, thesis::Counts},
    encoding::thesis,
};

/// A network's evaluation by libtorch, all moves of a position in one batch, on the GPU where there is one.
///
/// The ONNX graph itself is what runs, node by node, so that the same file serves both backends.
pub struct Torch {
    graph: Vec<NodeProto>,
    /// Weights by the name of the graph's value.
    weights: HashMap<String, Tensor>,
    input: String,
    output: String,
    device: Device,
    counts: Counts,
    planes: Vec<f32>,
}

impl Torch {
    /// The evaluator for `goal`.
    ///
    /// # Errors
    /// [`NetworkError::Unreadable`] if the goal is not exact counts of White, [`NetworkError::Model`] if the
    /// graph holds an operator that is not known here.
    pub fn new(network: &Network, goal: &Goal) -> Result<Torch, NetworkError> {
        let name = || network.name().to_owned();
        let counts = goal.exact_white().ok_or_else(|| NetworkError::Unreadable { name: name() })?;
        let model_error = |reason: String| NetworkError::Model { name: name(), reason };

        let proto: ModelProto = tract_onnx::onnx()
            .proto_model_for_read(&mut network.bytes())
            .map_err(|error| model_error(format!("{error:#}")))?;
        let graph = proto.graph.ok_or_else(|| model_error("it has no graph".to_owned()))?;
        let device = Device::cuda_if_available();
        let weights = graph
            .initializer
            .iter()
            .map(|tensor| Ok((tensor.name.clone(), weight(tensor)?.f_to_device(device)?)))
            .collect::<Result<_, TchError>>()
            .map_err(|error| model_error(error.to_string()))?;
        let (input, output) = (graph.input[0].name.clone(), graph.output[0].name.clone());
        let torch = Torch { graph: graph.node, weights, input, output, device, counts, planes: Vec::new() };
        // As with tract: what loads also runs.
        torch.run(&[0.0; thesis::LENGTH], 1).map_err(|error| model_error(error.to_string()))?;
        Ok(torch)
    }

    /// The outputs for `count` inputs that stand one after another in `planes`.
    fn run(&self, planes: &[f32], count: usize) -> Result<Vec<f32>, TchError> {
        let [channels, rows, columns] = thesis::SHAPE.map(|length| length as i64);
        let batch = Tensor::from_slice(planes)
            .f_view([count as i64, channels, rows, columns])?
            .f_to_device(self.device)?;
        tch::no_grad(|| {
            let mut values = HashMap::from([(self.input.as_str(), batch)]);
            for node in &self.graph {
                let result = self.apply(node, &values)?;
                values.insert(&node.output[0], result);
            }
            let output = values.remove(self.output.as_str()).ok_or_else(|| missing(&self.output))?;
            output.f_flatten(0, -1)?.f_to_device(Device::Cpu)?.try_into()
        })
    }

    fn apply(&self, node: &NodeProto, values: &HashMap<&str, Tensor>) -> Result<Tensor, TchError> {
        let operand = |index: usize| -> Result<&Tensor, TchError> {
            let name = node.input.get(index).map(String::as_str).unwrap_or_default();
            values.get(name).or_else(|| self.weights.get(name)).ok_or_else(|| missing(name))
        };
        let bias = (node.input.len() > 2).then(|| operand(2)).transpose()?;
        let x = operand(0)?;
        match node.op_type.as_str() {
            "Conv" => x.f_conv2d(operand(1)?, bias, [1, 1], [0, 0], [1, 1], 1),
            "Relu" => x.f_relu(),
            "Sigmoid" => x.f_sigmoid(),
            "MaxPool" => {
                let size = integers(node, "kernel_shape");
                x.f_max_pool2d(size, integers(node, "strides"), [0, 0], [1, 1], false)
            }
            "Flatten" => x.f_flatten(1, -1),
            "Gemm" if attribute(node, "transB").is_some_and(|attribute| attribute.i == 1) => {
                x.f_linear(operand(1)?, bias)
            }
            other => Err(TchError::Kind(format!("the torch backend does not know the operator {other}"))),
        }
    }
}

fn missing(name: &str) -> TchError {
    TchError::Kind(format!("the graph uses a value that nothing produces: {name:?}"))
}

fn attribute<'a>(node: &'a NodeProto, name: &str) -> Option<&'a AttributeProto> {
    node.attribute.iter().find(|attribute| attribute.name == name)
}

fn integers<'a>(node: &'a NodeProto, name: &str) -> &'a [i64] {
    attribute(node, name).map_or(&[], |attribute| &attribute.ints)
}

/// The tensor of an initializer: 32-bit floats, as raw little-endian bytes or as numbers.
fn weight(tensor: &TensorProto) -> Result<Tensor, TchError> {
    let numbers: Vec<f32> = if tensor.raw_data.is_empty() {
        tensor.float_data.clone()
    } else {
        tensor.raw_data.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
    };
    Tensor::from_slice(&numbers).f_view(tensor.dims.as_slice())?.f_to_kind(Kind::Float)
}

impl Evaluator for Torch {
    fn evaluate_moves(&mut self, position: &Chess, moves: &[Move], values: &mut Vec<f32>) {
        if moves.is_empty() {
            return;
        }
        let mut planes = std::mem::take(&mut self.planes);
        planes.resize(moves.len() * thesis::LENGTH, 0.0);
        for (&m, planes) in moves.iter().zip(planes.chunks_exact_mut(thesis::LENGTH)) {
            let mut child = position.clone();
            child.play_unchecked(m);
            thesis::encode(&thesis::bitmaps(child.board()), &self.counts, planes);
        }
        let outputs = self.run(&planes, moves.len()).expect("the graph ran when it was loaded");
        values.extend(
            outputs.into_iter().map(|value| if value.is_finite() { value.clamp(0.0, 1.0) } else { 0.0 }),
        );
        self.planes = planes;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        constraint::thesis::constraint,
        evaluator::{EMBEDDED, Tract},
    };

    #[test]
    fn torch_and_tract_agree_on_the_embedded_networks() {
        for (name, _) in EMBEDDED {
            let network = Network::open(name).unwrap();
            let goal = Goal::new(&constraint([1, 2, 1, 1, 7])).unwrap();
            let mut torch = Torch::new(&network, &goal).unwrap();
            let mut tract = Tract::new(&network, &goal).unwrap();
            let mut position = Chess::default();
            for ply in 0..20 {
                let moves = position.legal_moves();
                let (mut left, mut right) = (Vec::new(), Vec::new());
                torch.evaluate_moves(&position, &moves, &mut left);
                tract.evaluate_moves(&position, &moves, &mut right);
                assert_eq!(left.len(), moves.len());
                for (left, right) in left.iter().zip(&right) {
                    assert!((left - right).abs() < 1e-4, "{name}, ply {ply}: {left} and {right}");
                }
                position.play_unchecked(moves[ply * 7 % moves.len()]);
            }
        }
    }
}
