//! Networks made for tests, so that no test depends on how a network was trained.

use std::ops::Range;

use entente_network::{
    Layer, SKILL_KEY, Skill, SkillEffort,
    encoding::{skill::FEATURES, transformer::vocabulary},
    inputs::{INPUT_KEY, TRANSFORMER},
    onnx::{
        AttributeProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto, StringStringEntryProto,
        TensorProto, TensorShapeProto, TypeProto, ValueInfoProto, attribute_proto::AttributeType,
        tensor_proto::DataType, tensor_shape_proto, type_proto,
    },
};
use entente_search::scorer::EvaluationNetwork;
use prost::Message;

/// An ONNX model whose output is 0.5 for every position without a white king on `rows`, counted from 0. It fails for
/// other positions, because it uses the number of such kings as an index into a table of one entry.
pub(crate) fn fragile_network(rows: Range<i64>) -> Vec<u8> {
    const WHITE_KING: i64 = 5;
    let graph = GraphProto {
        name: "fragile".to_owned(),
        input: vec![value("planes", &[1, 17, 8, 8])],
        output: vec![value("satisfaction", &[1, 1])],
        initializer: vec![
            integers("from", &[WHITE_KING, rows.start]),
            integers("to", &[WHITE_KING + 1, rows.end]),
            integers("axes", &[1, 2]),
            TensorProto {
                name: "table".to_owned(),
                dims: vec![1, 1],
                data_type: DataType::Float as i32,
                float_data: vec![0.5],
                ..Default::default()
            },
        ],
        node: vec![
            node("Slice", &["planes", "from", "to", "axes"], "rows", vec![]),
            node("ReduceMax", &["rows"], "kings", vec![list("axes", &[1, 2, 3]), integer("keepdims", 0)]),
            node("Cast", &["kings"], "index", vec![integer("to", DataType::Int64 as i64)]),
            node("Gather", &["table", "index"], "satisfaction", vec![integer("axis", 0)]),
        ],
        ..Default::default()
    };
    let model = ModelProto {
        ir_version: 8,
        opset_import: vec![OperatorSetIdProto { domain: String::new(), version: 17 }],
        graph: Some(graph),
        ..Default::default()
    };
    model.encode_to_vec()
}

/// An ONNX model of a policy that reads the input of transformers and prefers moves in every position alike: these
/// moves have these logits, and all other moves have logit 0. Its metadata has this skill, if there is one.
#[allow(dead_code, reason = "not all tests that share this file use it")]
pub(crate) fn policy_that_prefers(moves: &[(&str, f32)], skill: Option<&Skill>) -> Vec<u8> {
    let vocabulary = vocabulary();
    let logits: Vec<f32> = vocabulary
        .names()
        .map(|name| moves.iter().find(|(preferred, _)| *preferred == name).map_or(0.0, |(_, logit)| *logit))
        .collect();
    let length = logits.len() as i64;
    let floats = |name: &str, dims: &[i64], numbers: Vec<f32>| TensorProto {
        name: name.to_owned(),
        dims: dims.to_vec(),
        data_type: DataType::Float as i32,
        float_data: numbers,
        ..Default::default()
    };
    let graph = GraphProto {
        name: "preferences".to_owned(),
        input: vec![value("moves", &[1, 1]), value("squares", &[1, 64]), value("rights", &[1, 6])],
        output: vec![value("policy", &[1, length])],
        initializer: vec![
            floats("nothing", &[6, length], vec![0.0; 6 * logits.len()]),
            floats("logits", &[1, length], logits),
        ],
        node: vec![
            node("MatMul", &["rights", "nothing"], "zeros", vec![]),
            node("Add", &["zeros", "logits"], "policy", vec![]),
        ],
        ..Default::default()
    };
    let mut metadata = vec![(INPUT_KEY, TRANSFORMER.to_owned())];
    metadata.extend(skill.map(|skill| (SKILL_KEY, skill.text())));
    let metadata_props = metadata
        .into_iter()
        .map(|(key, value)| StringStringEntryProto { key: key.to_owned(), value })
        .collect();
    ModelProto {
        ir_version: 8,
        opset_import: vec![OperatorSetIdProto { domain: String::new(), version: 17 }],
        graph: Some(graph),
        metadata_props,
        ..Default::default()
    }
    .encode_to_vec()
}

/// A skill by which players of 2200 avoid what a search finds to lose much, and players of 1000 hardly do. Strong
/// players search some thousands of nodes, weak ones a few.
#[allow(dead_code, reason = "not all tests that share this file use it")]
pub(crate) fn skill_that_grows_with_the_rating() -> Skill {
    // The places of the loss at the last depth and of the rating on its scale: see `entente_network::encoding::skill`.
    const LOSS: usize = 20;
    const RATINGS: Range<usize> = 43..46;
    let mut weights = vec![0.0; FEATURES];
    weights[LOSS] = 1.0;
    weights[RATINGS].fill(1.0);
    let effort = |from, depths, nodes| SkillEffort { from, depths, nodes, slack: 200, study: None };
    Skill {
        evaluation: EvaluationNetwork::embedded().fingerprint(),
        glance: 0.001,
        look: 0.01,
        efforts: vec![effort(0, 1, 100), effort(2000, 4, 10_000)],
        cooling: Vec::new(),
        calibration: Vec::new(),
        layers: vec![
            Layer { weights: vec![weights], biases: vec![-0.5] },
            Layer { weights: vec![vec![-3.0]], biases: vec![0.0] },
        ],
    }
}

fn node(operator: &str, inputs: &[&str], output: &str, attribute: Vec<AttributeProto>) -> NodeProto {
    NodeProto {
        op_type: operator.to_owned(),
        name: output.to_owned(),
        input: inputs.iter().map(|&name| name.to_owned()).collect(),
        output: vec![output.to_owned()],
        attribute,
        ..Default::default()
    }
}

fn integer(name: &str, value: i64) -> AttributeProto {
    let kind = AttributeType::Int as i32;
    AttributeProto { name: name.to_owned(), r#type: kind, i: value, ..Default::default() }
}

fn list(name: &str, values: &[i64]) -> AttributeProto {
    let kind = AttributeType::Ints as i32;
    AttributeProto { name: name.to_owned(), r#type: kind, ints: values.to_vec(), ..Default::default() }
}

fn integers(name: &str, values: &[i64]) -> TensorProto {
    TensorProto {
        name: name.to_owned(),
        dims: vec![values.len() as i64],
        data_type: DataType::Int64 as i32,
        int64_data: values.to_vec(),
        ..Default::default()
    }
}

fn value(name: &str, shape: &[i64]) -> ValueInfoProto {
    let dimension = |&size: &i64| tensor_shape_proto::Dimension {
        value: Some(tensor_shape_proto::dimension::Value::DimValue(size)),
    };
    let shape = Some(TensorShapeProto { dim: shape.iter().map(dimension).collect() });
    let tensor = type_proto::Tensor { elem_type: DataType::Float as i32, shape };
    ValueInfoProto {
        name: name.to_owned(),
        r#type: Some(TypeProto { value: Some(type_proto::Value::TensorType(tensor)) }),
        ..Default::default()
    }
}
