//! Networks that load, but cannot evaluate every position.

use std::ops::Range;

use prost::Message;
use tract_onnx::pb::{
    AttributeProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto, TensorProto, TensorShapeProto,
    TypeProto, ValueInfoProto, attribute_proto::AttributeType, tensor_proto::DataType, tensor_shape_proto,
    type_proto,
};

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
        ..Default::default()
    };
    let shape = Some(TensorShapeProto { dim: shape.iter().map(dimension).collect() });
    let tensor = type_proto::Tensor { elem_type: DataType::Float as i32, shape };
    ValueInfoProto {
        name: name.to_owned(),
        r#type: Some(TypeProto { value: Some(type_proto::Value::TensorType(tensor)), ..Default::default() }),
        ..Default::default()
    }
}
