use std::{collections::HashMap, iter};

use shakmaty::{Chess, Move, Position};
use tch::{Device, Kind, TchError, Tensor};
use tract_onnx::{
    pb::{GraphProto, ModelProto, NodeProto, TensorProto, tensor_proto::DataType},
    prelude::Framework,
};

use super::{Evaluator, Network, NetworkError, operators};
use crate::{
    constraint::{Goal, thesis::Counts},
    encoding::thesis,
};

/// Positions that are evaluated between two looks at what could stop it; nearly all positions have fewer moves.
const LARGEST_BATCH: usize = 64;

/// A network's evaluation by libtorch, all moves of a position in one batch, on the GPU where there is one.
///
/// The ONNX graph itself is what runs, node by node, so that the same file serves both backends.
pub struct Torch {
    name: String,
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
    /// graph holds an operator, an attribute or a value of one that is not known here.
    pub fn new(network: &Network, goal: &Goal) -> Result<Torch, NetworkError> {
        let name = || network.name().to_owned();
        let counts = goal.exact_white().ok_or_else(|| NetworkError::Unreadable { name: name() })?;
        let model_error = |reason: String| NetworkError::Model { name: name(), reason };

        let proto: ModelProto = tract_onnx::onnx()
            .proto_model_for_read(&mut network.bytes())
            .map_err(|error| model_error(format!("{error:#}")))?;
        let graph = proto.graph.ok_or_else(|| model_error("it has no graph".to_owned()))?;
        graph.node.iter().try_for_each(operators::check).map_err(model_error)?;
        let (input, output) = ends(&graph).map_err(model_error)?;
        let device = Device::cuda_if_available();
        let weights = graph
            .initializer
            .iter()
            .map(|tensor| Ok((tensor.name.clone(), weight(tensor)?.f_to_device(device)?)))
            .collect::<Result<_, TchError>>()
            .map_err(|error| model_error(error.to_string()))?;
        let torch = Torch {
            name: network.name().to_owned(),
            graph: graph.node,
            weights,
            input,
            output,
            device,
            counts,
            planes: Vec::new(),
        };
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

    /// Appends the values of `positions` to `values`.
    fn evaluate_batch(
        &mut self,
        positions: impl ExactSizeIterator<Item = Chess>,
        values: &mut Vec<f32>,
    ) -> Result<(), NetworkError> {
        let count = positions.len();
        let mut planes = std::mem::take(&mut self.planes);
        planes.resize(count * thesis::LENGTH, 0.0);
        for (position, planes) in positions.zip(planes.chunks_exact_mut(thesis::LENGTH)) {
            thesis::encode(&thesis::bitmaps(position.board()), &self.counts, planes);
        }
        let outputs = self.run(&planes, count);
        self.planes = planes;
        let model_error = |reason: String| NetworkError::Model { name: self.name.clone(), reason };
        let outputs = outputs.map_err(|error| model_error(error.to_string()))?;
        // What runs for the one input tried at loading may still mix up a batch.
        if outputs.len() != count {
            return Err(model_error(format!("it gives {} outputs for {} inputs", outputs.len(), count)));
        }
        values.extend(
            outputs.into_iter().map(|value| if value.is_finite() { value.clamp(0.0, 1.0) } else { 0.0 }),
        );
        Ok(())
    }

    fn apply(&self, node: &NodeProto, values: &HashMap<&str, Tensor>) -> Result<Tensor, TchError> {
        let operand = |index: usize| -> Result<&Tensor, TchError> {
            let name = node.input.get(index).map(String::as_str).unwrap_or_default();
            values.get(name).or_else(|| self.weights.get(name)).ok_or_else(|| missing(name))
        };
        let bias = (node.input.len() > 2).then(|| operand(2)).transpose()?;
        let x = operand(0)?;
        match node.op_type.as_str() {
            "Conv" => {
                let weight = operand(1)?;
                let size = weight.size();
                let kernel = operators::pair(node, "kernel_shape", size.last_chunk().copied())
                    .map_err(TchError::Kind)?;
                if size.len() != 4 || size[2..] != kernel {
                    return Err(TchError::Kind(format!("Conv of {kernel:?} has a weight of {size:?}")));
                }
                x.f_conv2d(weight, bias, [1, 1], [0, 0], [1, 1], 1)
            }
            "Relu" => x.f_relu(),
            "Sigmoid" => x.f_sigmoid(),
            "MaxPool" => {
                let size = operators::pair(node, "kernel_shape", None).map_err(TchError::Kind)?;
                let strides = operators::pair(node, "strides", Some([1, 1])).map_err(TchError::Kind)?;
                x.f_max_pool2d(size, strides, [0, 0], [1, 1], false)
            }
            "Flatten" => x.f_flatten(1, -1),
            "Gemm" => x.f_linear(operand(1)?, bias),
            other => Err(TchError::Kind(operators::unknown(other))),
        }
    }
}

/// The names of the value that the graph reads and the one that it gives.
///
/// Older exporters list the weights among the inputs.
fn ends(graph: &GraphProto) -> Result<(String, String), String> {
    let is_weight = |name: &str| graph.initializer.iter().any(|tensor| tensor.name == name);
    let inputs: Vec<&str> =
        graph.input.iter().map(|input| input.name.as_str()).filter(|name| !is_weight(name)).collect();
    match (inputs.as_slice(), graph.output.as_slice()) {
        ([input], [output]) => Ok(((*input).to_owned(), output.name.clone())),
        (inputs, outputs) => Err(format!(
            "it must have one input that is no weight and one output, found {} and {}",
            inputs.len(),
            outputs.len()
        )),
    }
}

fn missing(name: &str) -> TchError {
    TchError::Kind(format!("the graph uses a value that nothing produces: {name:?}"))
}

/// The tensor of an initializer: 32-bit floats, as raw little-endian bytes or as numbers.
fn weight(tensor: &TensorProto) -> Result<Tensor, TchError> {
    let refusal = |reason: &str| TchError::Kind(format!("weight {:?} {reason}", tensor.name));
    if tensor.data_type != DataType::Float as i32 {
        return Err(refusal("is not of 32-bit floats"));
    }
    if !tensor.external_data.is_empty() {
        return Err(refusal("is in another file"));
    }
    let numbers = match (tensor.raw_data.as_slice(), tensor.raw_data.as_chunks()) {
        ([], _) => tensor.float_data.clone(),
        (_, (numbers, [])) => numbers.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect(),
        _ => return Err(refusal("ends within a number")),
    };
    Tensor::from_slice(&numbers).f_view(tensor.dims.as_slice())?.f_to_kind(Kind::Float)
}

impl Evaluator for Torch {
    fn evaluate_moves(
        &mut self,
        position: &Chess,
        moves: &[Move],
        stop: &dyn Fn() -> bool,
        values: &mut Vec<f32>,
    ) -> Result<(), NetworkError> {
        for batch in moves.chunks(LARGEST_BATCH) {
            if stop() {
                break;
            }
            let children = batch.iter().map(|&m| {
                let mut child = position.clone();
                child.play_unchecked(m);
                child
            });
            self.evaluate_batch(children, values)?;
        }
        Ok(())
    }

    fn evaluate(&mut self, position: &Chess) -> Result<f32, NetworkError> {
        let mut values = Vec::with_capacity(1);
        self.evaluate_batch(iter::once(position.clone()), &mut values)?;
        Ok(values[0])
    }
}

#[cfg(test)]
mod tests {
    use tract_onnx::pb::{AttributeProto, ValueInfoProto};

    use super::*;
    use crate::{
        constraint::thesis::constraint,
        evaluator::{NetworkKind as _, Tract},
    };

    fn node(operator: &str, inputs: &[&str], attributes: &[(&str, &[i64])]) -> NodeProto {
        let attributes = attributes.iter().map(|(name, integers)| AttributeProto {
            name: (*name).to_owned(),
            ints: integers.to_vec(),
            ..Default::default()
        });
        NodeProto {
            op_type: operator.to_owned(),
            input: inputs.iter().map(|&name| name.to_owned()).collect(),
            output: vec!["y".to_owned()],
            attribute: attributes.collect(),
            ..Default::default()
        }
    }

    fn torch(node: NodeProto, weights: HashMap<String, Tensor>) -> Torch {
        Torch {
            name: "one node".to_owned(),
            graph: vec![node],
            weights,
            input: "x".to_owned(),
            output: "y".to_owned(),
            device: Device::Cpu,
            counts: [0; 5],
            planes: Vec::new(),
        }
    }

    /// What a graph of one node makes of two empty positions.
    fn run(node: NodeProto, weights: HashMap<String, Tensor>) -> Result<Vec<f32>, TchError> {
        torch(node, weights).run(&[0.0; 2 * thesis::LENGTH], 2)
    }

    #[test]
    fn a_graph_that_fails_or_has_not_one_output_for_each_position_is_an_error() {
        let position = Chess::default();
        for node in [node("Relu", &["nothing"], &[]), node("Flatten", &["x"], &[])] {
            let mut torch = torch(node, HashMap::new());
            let error = torch
                .evaluate_moves(&position, &position.legal_moves(), &|| false, &mut Vec::new())
                .unwrap_err();
            assert!(error.to_string().starts_with("network one node: "), "{error}");
        }
    }

    #[test]
    fn pooling_moves_by_one_square_unless_told_otherwise() {
        let outputs = |attributes: &[(&str, &[i64])]| {
            run(node("MaxPool", &["x"], attributes), HashMap::new()).unwrap().len()
        };
        let channels = 2 * thesis::SHAPE[0];
        assert_eq!(outputs(&[("kernel_shape", &[2, 2])]), channels * 7 * 7);
        assert_eq!(outputs(&[("kernel_shape", &[2, 2]), ("strides", &[2, 2])]), channels * 4 * 4);
        assert!(run(node("MaxPool", &["x"], &[]), HashMap::new()).is_err());
    }

    #[test]
    fn a_convolution_whose_weight_has_another_size_is_refused() {
        let result = |size: i64| {
            let weight = Tensor::zeros([1, 17, 3, 3], (Kind::Float, Device::Cpu));
            let node = node("Conv", &["x", "w"], &[("kernel_shape", &[size, size])]);
            run(node, HashMap::from([("w".to_owned(), weight)]))
        };
        assert_eq!(result(3).unwrap().len(), 2 * 6 * 6);
        assert!(result(5).is_err());
    }

    #[test]
    fn the_input_is_the_one_that_is_no_weight() {
        let value = |name: &str| ValueInfoProto { name: name.to_owned(), ..Default::default() };
        let mut graph = GraphProto {
            input: vec![value("weight"), value("board")],
            output: vec![value("chance")],
            initializer: vec![TensorProto { name: "weight".to_owned(), ..Default::default() }],
            ..Default::default()
        };
        assert_eq!(ends(&graph), Ok(("board".to_owned(), "chance".to_owned())));
        graph.input.push(value("clock"));
        assert!(ends(&graph).unwrap_err().contains("found 2 and 1"));
        graph.input.clear();
        assert!(ends(&graph).is_err());
    }

    #[test]
    fn weights_that_are_no_whole_floats_are_refused() {
        let tensor = |data_type: DataType, bytes: usize| TensorProto {
            dims: vec![2],
            data_type: data_type as i32,
            raw_data: vec![0; bytes],
            ..Default::default()
        };
        assert!(weight(&tensor(DataType::Float, 8)).is_ok());
        for (data_type, bytes) in [(DataType::Float, 9), (DataType::Float, 12), (DataType::Double, 16)] {
            assert!(weight(&tensor(data_type, bytes)).is_err(), "{data_type:?} {bytes}");
        }
    }

    #[test]
    fn torch_and_tract_agree_on_the_embedded_networks() {
        for (name, _) in Network::EMBEDDED {
            let network = Network::open(name).unwrap();
            let goal = Goal::new(&constraint([1, 2, 1, 1, 7])).unwrap();
            let mut torch = Torch::new(&network, &goal).unwrap();
            let mut tract = Tract::new(&network, &goal).unwrap();
            let mut position = Chess::default();
            for ply in 0..20 {
                let moves = position.legal_moves();
                let (mut left, mut right) = (Vec::new(), Vec::new());
                torch.evaluate_moves(&position, &moves, &|| false, &mut left).unwrap();
                tract.evaluate_moves(&position, &moves, &|| false, &mut right).unwrap();
                assert_eq!(left.len(), moves.len());
                for (left, right) in left.iter().zip(&right) {
                    assert!((left - right).abs() < 1e-4, "{name}, ply {ply}: {left} and {right}");
                }
                position.play_unchecked(moves[ply * 7 % moves.len()]);
            }
        }
    }
}
