use entente_network::{
    INPUT_KEY, READS_GOALS_KEY, inputs,
    onnx::{
        AttributeProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto, StringStringEntryProto,
        TensorProto, TensorShapeProto, TypeProto, ValueInfoProto, attribute_proto::AttributeType,
        tensor_proto::DataType, tensor_shape_proto, type_proto,
    },
};
use prost::Message;
use tch::{Device, Kind, Tensor};

use crate::network::{Architecture, Layer, Parameters, Shape};

const IR_VERSION: i64 = 8;
const OPSET: i64 = 17;
const INPUT: &str = "planes";
const OUTPUT: &str = "satisfaction";

/// The metadata of an ONNX file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Metadata {
    /// The recipe with which the network was trained, as TOML.
    pub recipe: String,
    /// The date on which the network was trained or exported.
    pub date: String,
    /// Whether a policy has learned about goals; `None` for other networks.
    pub reads_goals: Option<bool>,
}

/// The network as an ONNX model: input `planes` [1, 17, 8, 8], output `satisfaction` [1, 1], a probability.
///
/// The same network and metadata give the same bytes.
pub fn onnx_bytes(architecture: &Architecture, parameters: &Parameters, metadata: &Metadata) -> Vec<u8> {
    let mut graph = GraphProto { name: architecture.name().to_owned(), ..Default::default() };
    let mut trained = 0;
    let mut flow = INPUT.to_owned();
    let mut shape = architecture.input();
    graph.input.push(value_info(INPUT, &sizes(shape)));
    for (index, layer) in architecture.layers().iter().enumerate() {
        let (operator, attributes) = operator(*layer);
        let name = format!("{}_{index}", operator.to_lowercase());
        let mut input = vec![flow];
        if layer.parameters().is_some() {
            let tensors =
                [("weight", parameters.published_weight(trained)), ("bias", parameters.bias(trained))];
            for (part, tensor) in tensors {
                let name = format!("{name}.{part}");
                graph.initializer.push(initializer(&name, &tensor));
                input.push(name);
            }
            trained += 1;
        }
        graph.node.push(NodeProto {
            input,
            output: vec![name.clone()],
            name: name.clone(),
            op_type: operator.to_owned(),
            attribute: attributes,
            ..Default::default()
        });
        shape = layer.output_shape(shape).expect("checked when the architecture was made");
        flow = name;
    }
    graph.node.push(NodeProto {
        input: vec![flow],
        output: vec![OUTPUT.to_owned()],
        name: format!("sigmoid_{}", architecture.layers().len()),
        op_type: "Sigmoid".to_owned(),
        ..Default::default()
    });
    graph.output.push(value_info(OUTPUT, &sizes(shape)));
    model(graph, architecture.name(), inputs::THESIS, metadata).encode_to_vec()
}

/// A complete model with this graph. `input` names the input that the engine must encode.
pub(crate) fn model(graph: GraphProto, name: &str, input: &str, metadata: &Metadata) -> ModelProto {
    let entry =
        |key: &str, value: &str| StringStringEntryProto { key: key.to_owned(), value: value.to_owned() };
    ModelProto {
        ir_version: IR_VERSION,
        opset_import: vec![OperatorSetIdProto { domain: String::new(), version: OPSET }],
        producer_name: env!("CARGO_PKG_NAME").to_owned(),
        producer_version: env!("CARGO_PKG_VERSION").to_owned(),
        graph: Some(graph),
        metadata_props: [
            Some(entry("name", name)),
            Some(entry(INPUT_KEY, input)),
            Some(entry("recipe", &metadata.recipe)),
            Some(entry("date", &metadata.date)),
            metadata.reads_goals.map(|reads| entry(READS_GOALS_KEY, &reads.to_string())),
        ]
        .into_iter()
        .flatten()
        .collect(),
        ..Default::default()
    }
}

fn operator(layer: Layer) -> (&'static str, Vec<AttributeProto>) {
    match layer {
        Layer::Conv2d { .. } => {
            let attributes = vec![
                integers("dilations", &[1, 1]),
                integers("kernel_shape", &[3, 3]),
                integers("pads", &[0; 4]),
                integers("strides", &[1, 1]),
            ];
            ("Conv", attributes)
        }
        Layer::Relu => ("Relu", vec![]),
        Layer::MaxPool => ("MaxPool", vec![integers("kernel_shape", &[2, 2]), integers("strides", &[2, 2])]),
        Layer::Flatten => ("Flatten", vec![integer("axis", 1)]),
        Layer::Linear { .. } => ("Gemm", vec![integer("transB", 1)]),
    }
}

pub(crate) fn integer(name: &str, value: i64) -> AttributeProto {
    AttributeProto {
        name: name.to_owned(),
        r#type: AttributeType::Int as i32,
        i: value,
        ..Default::default()
    }
}

pub(crate) fn integers(name: &str, values: &[i64]) -> AttributeProto {
    AttributeProto {
        name: name.to_owned(),
        r#type: AttributeType::Ints as i32,
        ints: values.to_vec(),
        ..Default::default()
    }
}

pub(crate) fn initializer(name: &str, tensor: &Tensor) -> TensorProto {
    let flat = tensor.to_device(Device::Cpu).to_kind(Kind::Float).contiguous().view(-1);
    let numbers = Vec::<f32>::try_from(flat).expect("a row of floats on the CPU");
    TensorProto {
        dims: tensor.size(),
        data_type: DataType::Float as i32,
        name: name.to_owned(),
        raw_data: numbers.iter().flat_map(|number| number.to_le_bytes()).collect(),
        ..Default::default()
    }
}

/// The dimensions of a batch with one sample.
fn sizes(shape: Shape) -> Vec<i64> {
    match shape {
        Shape::Planes { channels, side } => vec![1, channels, side, side],
        Shape::Row(length) => vec![1, length],
    }
}

pub(crate) fn value_info(name: &str, sizes: &[i64]) -> ValueInfoProto {
    let dim = sizes
        .iter()
        .map(|&size| tensor_shape_proto::Dimension {
            value: Some(tensor_shape_proto::dimension::Value::DimValue(size)),
        })
        .collect();
    let tensor =
        type_proto::Tensor { elem_type: DataType::Float as i32, shape: Some(TensorShapeProto { dim }) };
    ValueInfoProto {
        name: name.to_owned(),
        r#type: Some(TypeProto { value: Some(type_proto::Value::TensorType(tensor)) }),
        ..Default::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_network_gives_the_same_bytes_with_static_shapes_and_metadata() {
        let network = Architecture::thesis_1();
        let parameters = Parameters::random(&network, Device::Cpu, 1);
        let metadata =
            Metadata { recipe: "seed = 1".to_owned(), date: "2026-01-31".to_owned(), reads_goals: None };
        let bytes = onnx_bytes(&network, &parameters, &metadata);
        assert_eq!(bytes, onnx_bytes(&network, &parameters, &metadata));
        let model = ModelProto::decode(&bytes[..]).unwrap();
        assert_eq!(model.opset_import[0].version, 17);
        assert_eq!(model.metadata_props.len(), 4);
        let graph = model.graph.unwrap();
        let operators: Vec<&str> = graph.node.iter().map(|node| node.op_type.as_str()).collect();
        let expected = "Conv Relu Conv Relu MaxPool Flatten Gemm Relu Gemm Sigmoid";
        assert_eq!(operators.join(" "), expected);
        assert_eq!((graph.input[0].name.as_str(), graph.output[0].name.as_str()), (INPUT, OUTPUT));
        assert_eq!(graph.input[0], value_info(INPUT, &[1, 17, 8, 8]));
        assert_eq!(graph.output[0], value_info(OUTPUT, &[1, 1]));
    }
}
