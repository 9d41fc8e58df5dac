use std::slice::from_ref;

use entente_network::{
    NetworkKind as _, Policy, Query,
    encoding::{
        goal_policy::{Aim, Context, last_moves},
        softmax,
    },
    onnx::{AttributeProto, ModelProto, NodeProto, OperatorSetIdProto, attribute_proto::AttributeType},
};
use entente_search::position_from_fen;
use prost::Message as _;
use rand::{RngExt as _, SeedableRng, rngs::StdRng};
use shakmaty::{Move, Position as _, uci::UciMove};

use super::*;
use crate::{
    export::{Metadata, onnx::value_info, tower_bytes},
    samples::goal::{ReplayedGame, Sample, tests::archive},
};

const TOWER: Tower = Tower { channels: 16, blocks: 2, squeeze: 8, planes: 110, head: 3, ..Tower::TINY };
/// The same with lc0's moves.
const WITH_LC0_MOVES: Tower = Tower { lc0_moves: true, ..TOWER };
/// Number of units of the squeeze-and-excitation, and of planes of moves.
const UNITS: i64 = 4;
const MOVES: i64 = 80;

/// Writes a network in the format that lc0 exports.
struct Model {
    graph: GraphProto,
    rng: StdRng,
}

impl Model {
    fn node(&mut self, operator: &str, inputs: &[&str], attribute: Vec<AttributeProto>) -> String {
        let name = format!("t{}", self.graph.node.len());
        self.graph.node.push(NodeProto {
            input: inputs.iter().map(|name| (*name).to_owned()).collect(),
            output: vec![name.clone()],
            op_type: operator.to_owned(),
            attribute,
            ..Default::default()
        });
        name
    }

    fn constant(&mut self, dims: &[i64], data_type: DataType, raw_data: Vec<u8>) -> String {
        let name = format!("c{}", self.graph.initializer.len());
        let tensor = TensorProto {
            dims: dims.to_vec(),
            data_type: data_type as i32,
            name: name.clone(),
            raw_data,
            ..Default::default()
        };
        self.graph.initializer.push(tensor);
        name
    }

    fn random(&mut self, dims: &[i64]) -> String {
        let fan_in = dims[1..].iter().product::<i64>().max(1) as f32;
        let count = dims.iter().product::<i64>();
        let numbers = (0..count).flat_map(|_| {
            let number: f32 = self.rng.random_range(-1.0..1.0) * (6.0 / fan_in).sqrt();
            number.to_le_bytes()
        });
        let bytes = numbers.collect();
        self.constant(dims, DataType::Float, bytes)
    }

    fn conv(&mut self, flow: &str, input: i64, output: i64) -> String {
        let (weights, biases) = (self.random(&[output, input, 3, 3]), self.random(&[output]));
        let attributes = vec![integers("kernel_shape", &[3, 3]), integers("pads", &[1, 1, 1, 1])];
        self.node("Conv", &[flow, &weights, &biases], attributes)
    }

    fn linear(&mut self, flow: &str, input: i64, output: i64) -> String {
        let (weights, biases) = (self.random(&[output, input]), self.random(&[output]));
        self.node("Gemm", &[flow, &weights, &biases], vec![integer("transB", 1)])
    }

    fn sizes(&mut self, sizes: &[i64]) -> String {
        let bytes = sizes.iter().flat_map(|size| size.to_le_bytes()).collect();
        self.constant(&[sizes.len() as i64], DataType::Int64, bytes)
    }
}

fn attribute(name: &str, r#type: AttributeType) -> AttributeProto {
    AttributeProto { name: name.to_owned(), r#type: r#type.into(), ..Default::default() }
}

fn integers(name: &str, ints: &[i64]) -> AttributeProto {
    AttributeProto { ints: ints.to_vec(), ..attribute(name, AttributeType::Ints) }
}

fn integer(name: &str, i: i64) -> AttributeProto {
    AttributeProto { i, ..attribute(name, AttributeType::Int) }
}

/// A network in lc0's format. Its numbering of move planes is arbitrary; a plane must only be a direction and a
/// distance.
fn model() -> Vec<u8> {
    model_with(3)
}

/// The same with weights that depend on `seed`.
fn model_with(seed: u64) -> Vec<u8> {
    let mut model = Model { graph: GraphProto::default(), rng: StdRng::seed_from_u64(seed) };
    let channels = TOWER.channels;
    let stem = model.conv("/input/planes", lc0::PLANES as i64, channels);
    let mut flow = model.node("Relu", &[&stem], vec![]);
    for _ in 0..TOWER.blocks {
        let inner = model.conv(&flow, channels, channels);
        let inner = model.node("Relu", &[&inner], vec![]);
        let inner = model.conv(&inner, channels, channels);
        let means = model.node("GlobalAveragePool", &[&inner], vec![]);
        let means = model.node("Flatten", &[&means], vec![]);
        let squeezed = model.linear(&means, channels, UNITS);
        let squeezed = model.node("Relu", &[&squeezed], vec![]);
        let excited = model.linear(&squeezed, UNITS, 2 * channels);
        let (sizes, halves) = (model.sizes(&[-1, 2 * channels, 1, 1]), model.sizes(&[channels, channels]));
        let excited = model.node("Reshape", &[&excited, &sizes], vec![]);
        let gate = model.node("Split", &[&excited, &halves], vec![integer("axis", 1)]);
        let shift = format!("{gate}b");
        model.graph.node.last_mut().unwrap().output.push(shift.clone());
        let gate = model.node("Sigmoid", &[&gate], vec![]);
        let gated = model.node("Mul", &[&gate, &inner], vec![]);
        let shifted = model.node("Add", &[&gated, &shift], vec![]);
        let sum = model.node("Add", &[&flow, &shifted], vec![]);
        flow = model.node("Relu", &[&sum], vec![]);
    }
    let head = model.conv(&flow, channels, channels);
    let head = model.node("Relu", &[&head], vec![]);
    let head = model.conv(&head, channels, MOVES);
    let head = model.node("Flatten", &[&head], vec![]);
    let mut places = vec![0; Lc0::SIZE];
    for (from, to, promotion) in every_move() {
        let m = Move::Normal { role: Role::Queen, from, capture: None, to, promotion };
        let ours = WITH_LC0_MOVES.move_index(m, Color::White) as i64;
        let plane = (ours % MOVE_PLANES + 5) % MOVES;
        places[usize::from(Lc0::encode(m, Color::White).0)] = plane * 64 + ours / MOVE_PLANES;
    }
    let places = model.sizes(&places);
    model.node("Gather", &[&head, &places], vec![integer("axis", 1)]);
    model.graph.node.last_mut().unwrap().output[0] = "/output/policy".to_owned();
    // lc0 also exports layers that we do not read.
    let means = model.node("GlobalAveragePool", &[&flow], vec![]);
    let means = model.node("Flatten", &[&means], vec![]);
    let result = model.linear(&means, channels, 3);
    model.node("Softmax", &[&result], vec![integer("axis", 1)]);
    model.graph.node.last_mut().unwrap().output[0] = "/output/wdl".to_owned();
    let mut graph = model.graph;
    graph.input.push(value_info("/input/planes", &[1, lc0::PLANES as i64, 8, 8]));
    graph.output.push(value_info("/output/wdl", &[1, 3]));
    graph.output.push(value_info("/output/policy", &[1, Lc0::SIZE as i64]));
    let model = ModelProto {
        ir_version: 8,
        opset_import: vec![OperatorSetIdProto { domain: String::new(), version: 17 }],
        graph: Some(graph),
        ..Default::default()
    };
    model.encode_to_vec()
}

fn every_move() -> impl Iterator<Item = (Square, Square, Option<Role>)> {
    let promotions = (0..8u32).flat_map(|file| {
        let to = (file.saturating_sub(1)..=(file + 1).min(7)).map(|to| Square::new(56 + to));
        to.flat_map(move |to| {
            [Role::Queen, Role::Rook, Role::Bishop].map(|role| (Square::new(48 + file), to, Some(role)))
        })
    });
    plain_moves(true).chain(promotions)
}

/// Positions of random games, so early that lc0's eight positions show no more of the past than ours.
fn samples() -> Vec<Sample> {
    let games = archive(12);
    let replayed = |game: usize| (ReplayedGame::new(&games, game), games.info(game));
    let plies = (0..12).map(|game| (replayed(game), 1 + game % 3));
    plies
        .map(|((replayed, info), ply)| Sample::plain(info, &replayed, ply).with_moves(&replayed, ply))
        .collect()
}

fn probabilities(policy: &Policy, sample: &Sample) -> Vec<f32> {
    let moves = sample.position.legal_moves();
    softmax(&policy.session().ask_one(&sample.query(&moves)).unwrap().logits)
}

#[test]
fn a_tower_with_weights_of_lc0_computes_the_same_policy() {
    let bytes = model();
    assert!(is_lc0(&bytes));
    let weights = TOWER.weights(lc0_weights(from_ref(&bytes), &TOWER, 1).unwrap().weights);
    let metadata = Metadata { recipe: String::new(), date: String::new(), reads_goals: None };
    let tower = tower_bytes("tower", &TOWER, &weights, &metadata);
    let [network, tower] = [&bytes, &tower].map(|bytes| Policy::from_bytes("network", bytes).unwrap());
    assert!(!network.reads_goals() && tower.reads_goals());
    for sample in samples() {
        let [expected, found] = [&network, &tower].map(|policy| probabilities(policy, &sample));
        for (expected, found) in expected.iter().zip(&found) {
            assert!((expected - found).abs() < 1e-4, "{expected} {found} {:?}", sample.before);
        }
        let moves = sample.position.legal_moves();
        let prediction = network.session().ask_one(&sample.query(&moves)).unwrap();
        assert!((prediction.result.iter().sum::<f32>() - 1.0).abs() < 1e-4, "{:?}", prediction.result);
    }
}

/// Four moves after a position from which lc0 knows no more of the past than the tower, so that it repeats that
/// position.
#[test]
fn with_lc0_moves_castling_and_promotions_are_the_same_too() {
    let bytes = model();
    let weights = WITH_LC0_MOVES.weights(lc0_weights(from_ref(&bytes), &WITH_LC0_MOVES, 1).unwrap().weights);
    let metadata = Metadata { recipe: String::new(), date: String::new(), reads_goals: Some(false) };
    let tower = tower_bytes("tower", &WITH_LC0_MOVES, &weights, &metadata);
    let [network, tower] = [&bytes, &tower].map(|bytes| Policy::from_bytes("network", bytes).unwrap());
    assert!(!tower.reads_goals());
    for (fen, line) in [
        ("r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1", "a2a3 a7a6 b2b3 b7b6"),
        ("r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R b KQkq - 0 1", "a7a6 a2a3 b7b6 b2b3"),
        ("1n1nk3/2P5/8/8/8/8/2p5/1N1NK3 w - - 0 1", "e1e2 e8e7 e2e3 e7e6"),
    ] {
        let mut position = position_from_fen(fen).unwrap();
        let mut played = Vec::new();
        for word in line.split(' ') {
            let m = word.parse::<UciMove>().unwrap().to_move(&position).unwrap();
            played.push(m);
            position.play_unchecked(m);
        }
        let moves = position.legal_moves();
        assert!(moves.iter().any(|m| m.is_castle() || m.is_promotion()), "{position:?}");
        let context = Context { last_moves: last_moves(&played), ..Context::default() };
        let query = Query { position: &position, moves: &moves, played: &played, context, aim: &Aim::NONE };
        let [expected, found] =
            [&network, &tower].map(|policy| softmax(&policy.session().ask_one(&query).unwrap().logits));
        for ((expected, found), m) in expected.iter().zip(&found).zip(&moves) {
            assert!((expected - found).abs() < 1e-4, "{m}: {expected} {found}");
        }
    }
}

#[test]
fn two_trunks_compute_the_geometric_mean_of_two_networks() {
    const TWO: Tower = Tower { trunks: 2, ..WITH_LC0_MOVES };
    let models = [model(), model_with(4)];
    let Grafted { weights, copied } = lc0_weights(&models, &TWO, 1).unwrap();
    let metadata = Metadata { recipe: String::new(), date: String::new(), reads_goals: Some(false) };
    let tower = tower_bytes("tower", &TWO, &TWO.weights(weights.shallow_clone()), &metadata);
    let policy = |bytes: &Vec<u8>| Policy::from_bytes("network", bytes).unwrap();
    let ([first, second], tower) = (models.each_ref().map(policy), policy(&tower));
    for sample in samples() {
        let [first, second, found] = [&first, &second, &tower].map(|policy| probabilities(policy, &sample));
        let means: Vec<f32> = first.iter().zip(&second).map(|(a, b)| (a * b).sqrt()).collect();
        let sum: f32 = means.iter().sum();
        for (mean, found) in means.iter().zip(&found) {
            assert!((mean / sum - found).abs() < 1e-4, "{} {found}", mean / sum);
        }
    }
    // With other random weights, the copied ones are the same, and the others are not all zero.
    let other = lc0_weights(&models, &TWO, 2).unwrap().weights;
    let differs = (&weights - &other).abs().gt(0.0).to_kind(tch::Kind::Float);
    assert_eq!((&differs * &copied).sum(tch::Kind::Float).double_value(&[]), 0.0);
    assert!(differs.sum(tch::Kind::Float).double_value(&[]) > 1000.0);
    let error = lc0_weights(&models[..1], &TWO, 1).unwrap_err().to_string();
    assert_eq!(error, "expected 2 networks of Leela Chess Zero");
}

#[test]
fn a_network_of_another_size_or_kind_is_refused() {
    let refusal =
        |bytes: &[u8], tower: Tower| format!("{:#}", lc0_weights(&[bytes.to_vec()], &tower, 1).unwrap_err());
    assert!(refusal(&model(), Tower { channels: 32, ..TOWER }).contains("2 blocks of 32 channels"));
    assert!(refusal(&model(), Tower { squeeze: 2, ..TOWER }).contains("at most 2 units"));
    assert!(refusal(b"text", TOWER).contains("not an ONNX model"));
    let ours = Policy::embedded("goal-policy").unwrap();
    assert!(!is_lc0(ours));
}
