//! Towers as ONNX graphs.

use anyhow::{Context, ensure};
use entente_network::{
    MOVES_KEY,
    encoding::{
        goal_policy::{FEATURES, FIRST_FEATURES},
        moves::{AlphaZero, MoveEncoding},
    },
    inputs::GOAL_POLICY,
    onnx::{GraphProto, ModelProto, StringStringEntryProto, TensorProto, tensor_proto::DataType},
};
use prost::Message;
use tch::Tensor;

use super::{
    onnx::{Metadata, integer, integers, model, value_info},
    writer::Writer,
};
use crate::network::{
    tower::{Graph, Tower},
    weights::{Init, Weights},
};

/// The network as an ONNX model: inputs `planes` [1, [`Tower::planes`], 8, 8] and `features` [1, FEATURES]; outputs,
/// all logits: `policy` and `action_value` [1, 4672], `value` [1, 1] and `result` [1, 3].
///
/// The same weights and metadata give the same bytes.
pub fn tower_bytes(name: &str, tower: &Tower, weights: &Weights, metadata: &Metadata) -> Vec<u8> {
    let graph = GraphProto { name: name.to_owned(), ..Default::default() };
    let mut writer = Writer::new(graph, weights);
    let outputs = tower.build(&mut writer, &"planes".to_owned(), &"features".to_owned());
    let moves = AlphaZero::SIZE as i64;
    let mut graph = writer.graph;
    graph.input.push(value_info("planes", &[1, tower.planes, 8, 8]));
    graph.input.push(value_info("features", &[1, FEATURES as i64]));
    let named = [
        ("policy", outputs.policy, moves),
        ("action_value", outputs.action_value, moves),
        ("value", outputs.value, 1),
        ("result", outputs.result, 3),
    ];
    for (name, flow, length) in named {
        let node = graph.node.iter_mut().find(|node| node.output[0] == flow);
        node.expect("every flow is made by a node").output[0] = name.to_owned();
        graph.output.push(value_info(name, &[1, length]));
    }
    let mut model: ModelProto = model(graph, name, GOAL_POLICY, metadata);
    if tower.lc0_moves {
        let (key, value) = (MOVES_KEY.to_owned(), tower.moves_name().to_owned());
        model.metadata_props.push(StringStringEntryProto { key, value });
    }
    model.encode_to_vec()
}

/// Reads the weights of `tower`, as a row, from a model that [`tower_bytes`] wrote.
///
/// # Errors
///
/// If `model` is not an ONNX model, or its weights do not fit `tower`; the message names the first difference.
pub fn tower_weights(model: &[u8], tower: &Tower) -> anyhow::Result<Tensor> {
    let graph = decoded(model)?.graph.unwrap_or_default();
    let found: Vec<TensorProto> =
        graph.initializer.into_iter().filter(|tensor| tensor.data_type == DataType::Float as i32).collect();
    let shapes = tower.weight_shapes();
    let mut numbers: Vec<f32> = Vec::new();
    for (tensor, shape) in found.iter().zip(&shapes) {
        let (name, sizes) = (&tensor.name, &shape.sizes);
        let read = features_read(sizes, &tensor.dims);
        ensure!(
            tensor.dims == *sizes || read.is_some(),
            "{name} has shape {:?}, expected {sizes:?}",
            tensor.dims
        );
        let bytes = tensor.dims.iter().product::<i64>() as usize * size_of::<f32>();
        let data = &tensor.raw_data;
        ensure!(data.len() == bytes, "{name} has {} bytes of raw data, expected {bytes}", data.len());
        let found = data.as_chunks().0.iter().map(|number| f32::from_le_bytes(*number));
        let Some(read) = read else {
            numbers.extend(found);
            continue;
        };
        for (index, number) in found.enumerate() {
            numbers.push(number);
            if (index + 1).is_multiple_of(read) {
                numbers.extend(std::iter::repeat_n(0.0, FEATURES - read));
            }
        }
    }
    ensure!(found.len() == shapes.len(), "{} tensors of weights, expected {}", found.len(), shapes.len());
    Ok(Tensor::from_slice(&numbers))
}

fn decoded(model: &[u8]) -> anyhow::Result<ModelProto> {
    ModelProto::decode(model).context("not an ONNX model")
}

/// The number of features that weights of shape `found` read, if they read only the first features and weights of shape
/// `expected` read all. With zeros for the remaining features, the network then computes the same as before.
fn features_read(expected: &[i64], found: &[i64]) -> Option<usize> {
    let [rows, all] = *expected else { return None };
    let [found_rows, read] = *found else { return None };
    let fewer = FIRST_FEATURES as i64..FEATURES as i64;
    (rows == found_rows && all == FEATURES as i64 && fewer.contains(&read)).then_some(read as usize)
}

/// The recipe in the metadata of a network that this program exported, as TOML.
///
/// # Errors
///
/// If `model` is not an ONNX model, or another program made it.
pub fn recipe_of(model: &[u8]) -> anyhow::Result<String> {
    let properties = decoded(model)?.metadata_props;
    let recipe = properties.into_iter().find(|property| property.key == "recipe");
    Ok(recipe.context("no recipe in the metadata: not exported by this program")?.value)
}

impl Writer {
    /// The row as [1, channels, 1, 1].
    fn channels(&mut self, row: &str) -> String {
        // 0 keeps a dimension, −1 stands for the remaining size.
        let sizes = self.integers("channels", &[0, -1, 1, 1]);
        self.node("Reshape", &[row, &sizes], vec![])
    }
}

impl Graph for Writer {
    type Flow = String;

    fn conv(&mut self, planes: &String, _: i64, _: i64, kernel: i64, _: Init) -> String {
        let (weight, bias) = (self.weight(), self.weight());
        let attributes = vec![
            integers("dilations", &[1, 1]),
            integers("kernel_shape", &[kernel; 2]),
            integers("pads", &[kernel / 2; 4]),
            integers("strides", &[1, 1]),
        ];
        self.node("Conv", &[planes, &weight, &bias], attributes)
    }

    fn linear(&mut self, row: &String, _: i64, _: i64, _: Init) -> String {
        let (weight, bias) = (self.weight(), self.weight());
        self.node("Gemm", &[row, &weight, &bias], vec![integer("transB", 1)])
    }

    fn square_bias(&mut self, planes: &String, _: i64) -> String {
        let bias = self.weight();
        self.node("Add", &[planes, &bias], vec![])
    }

    fn relu(&mut self, flow: &String) -> String {
        self.node("Relu", &[flow], vec![])
    }

    fn sigmoid(&mut self, flow: &String) -> String {
        self.node("Sigmoid", &[flow], vec![])
    }

    fn add(&mut self, left: &String, right: &String) -> String {
        self.node("Add", &[left, right], vec![])
    }

    fn add_channels(&mut self, planes: &String, row: &String) -> String {
        let row = self.channels(row);
        self.node("Add", &[planes, &row], vec![])
    }

    fn multiply_channels(&mut self, planes: &String, row: &String) -> String {
        let row = self.channels(row);
        self.node("Mul", &[planes, &row], vec![])
    }

    fn mean(&mut self, planes: &String) -> String {
        let mean = self.node("GlobalAveragePool", &[planes], vec![]);
        self.node("Flatten", &[&mean], vec![integer("axis", 1)])
    }

    fn of_interest(&mut self, planes: &String) -> String {
        planes.clone()
    }

    fn flatten(&mut self, planes: &String) -> String {
        self.node("Flatten", &[planes], vec![integer("axis", 1)])
    }

    fn moves(&mut self, planes: &String) -> String {
        let last = self.node("Transpose", &[planes], vec![integers("perm", &[0, 2, 3, 1])]);
        self.node("Flatten", &[&last], vec![integer("axis", 1)])
    }
}

#[cfg(test)]
mod tests {
    use entente_network::{
        NetworkKind as _, Policy, Query,
        encoding::goal_policy::{Aim, Context, RatingScale},
    };
    use shakmaty::{Chess, Position as _};
    use tch::Device;

    use super::*;
    use crate::samples::tests::random_game;

    const TOWER: Tower = Tower { channels: 4, ..Tower::TINY };

    fn bytes() -> (Weights, Vec<u8>) {
        let weights = TOWER.random(Device::Cpu, 3);
        let metadata = Metadata { recipe: String::new(), date: "2026-01-31".to_owned(), reads_goals: None };
        let bytes = tower_bytes("goal-policy", &TOWER, &weights, &metadata);
        (weights, bytes)
    }

    #[test]
    fn reading_restores_the_weights() {
        let (weights, bytes) = bytes();
        assert_eq!(tower_weights(&bytes, &TOWER).unwrap(), *weights.flat());
    }

    #[test]
    fn a_network_with_fewer_features_computes_the_same_when_extended() {
        let policy = Policy::open("goal-policy").unwrap();
        let bytes = Policy::embedded("goal-policy").unwrap();
        let tower = Tower { channels: 64, blocks: 3, condition: 64, squeeze: 32, ..Tower::TINY };
        let weights = tower.weights(tower_weights(bytes, &tower).unwrap());
        let metadata = Metadata { recipe: String::new(), date: "2026-01-31".to_owned(), reads_goals: None };
        let wider = tower_bytes("goal-policy", &tower, &weights, &metadata);
        let wider = Policy::from_bytes("wider", &wider).unwrap();

        let mut position = Chess::default();
        let context = Context {
            ratings: [Some(1500), Some(1700)],
            scale: Some(RatingScale::ChessCom),
            seconds_left: Some(20),
            time_control: Some([180, 2]),
            ..Context::default()
        };
        for m in random_game(1, 30) {
            let legal = position.legal_moves();
            let query = Query { position: &position, moves: &legal, played: &[], context, aim: &Aim::NONE };
            let predictions = [&policy, &wider].map(|policy| policy.session().ask_one(&query).unwrap());
            let [old, new] = predictions.each_ref().map(|prediction| &prediction.logits);
            let difference = old.iter().zip(new).map(|(old, new)| (old - new).abs()).fold(0.0, f32::max);
            assert!(difference < 1e-4, "{difference}");
            position.play_unchecked(m);
        }
    }

    #[test]
    fn weights_of_another_network_are_refused() {
        let (_, bytes) = bytes();
        let message = |tower: Tower| tower_weights(&bytes, &tower).unwrap_err().to_string();
        let wider = message(Tower { condition: 9, ..TOWER });
        assert!(wider.starts_with("weight_0 has shape [8, ") && wider.contains("expected [9, "), "{wider}");
        let deeper = message(Tower { blocks: 2, ..TOWER });
        assert!(deeper.contains("expected"), "{deeper}");
        let error = tower_weights(b"no model", &TOWER).unwrap_err().to_string();
        assert_eq!(error, "not an ONNX model");
    }
}
