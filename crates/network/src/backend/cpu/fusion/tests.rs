//! Fused graphs beside the plain operators one after another.

use std::collections::HashMap;

use prost::Message as _;
use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};

use crate::{
    backend::cpu::{
        graph::{Graph, Work},
        layer::Layer,
        operators::{Inputs, operator},
        program::{Memory, Program},
        tensor::Tensor,
    },
    memory,
    model::Model,
    onnx::{
        AttributeProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto, TensorProto, ValueInfoProto,
        attribute_proto::AttributeType, tensor_proto::DataType,
    },
};

const OPERATOR_SET: i64 = 17;

/// A graph under test. The inputs are `x` and, with as many rows, `z`; the output is `y`.
struct Case {
    nodes: Vec<NodeProto>,
    weights: Vec<(&'static str, Vec<usize>)>,
    x: Vec<usize>,
    z: Vec<usize>,
}

fn node(op_type: &str, inputs: &[&str], output: &str, attribute: Vec<AttributeProto>) -> NodeProto {
    NodeProto {
        op_type: op_type.to_owned(),
        input: inputs.iter().map(|name| (*name).to_owned()).collect(),
        output: vec![output.to_owned()],
        attribute,
        ..Default::default()
    }
}

fn list(name: &str, ints: &[i64]) -> AttributeProto {
    let r#type = AttributeType::Ints as i32;
    AttributeProto { name: name.to_owned(), ints: ints.to_vec(), r#type, ..Default::default() }
}

fn integer(name: &str, i: i64) -> AttributeProto {
    AttributeProto { name: name.to_owned(), i, r#type: AttributeType::Int as i32, ..Default::default() }
}

fn numbers(shape: &[usize], seed: u64) -> Vec<f32> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    (0..shape.iter().product()).map(|_| rng.random_range(0.5..2.0)).collect()
}

impl Case {
    fn new(x: &[usize], weights: &[(&'static str, &[usize])], nodes: Vec<NodeProto>) -> Case {
        let weights = weights.iter().map(|(name, shape)| (*name, shape.to_vec())).collect();
        Case { nodes, weights, x: x.to_vec(), z: vec![1] }
    }

    fn model(&self) -> Model {
        let named = |name: &str| ValueInfoProto { name: name.to_owned(), ..Default::default() };
        let weights = self.weights.iter().zip(1..).map(|((name, shape), seed)| TensorProto {
            name: (*name).to_owned(),
            dims: shape.iter().map(|size| *size as i64).collect(),
            data_type: DataType::Float as i32,
            float_data: numbers(shape, seed),
            ..Default::default()
        });
        let shape = TensorProto {
            name: "flat".to_owned(),
            dims: vec![2],
            data_type: DataType::Int64 as i32,
            int64_data: vec![0, -1],
            ..Default::default()
        };
        let graph = GraphProto {
            node: self.nodes.clone(),
            initializer: weights.chain([shape]).collect(),
            input: vec![named("x"), named("z")],
            output: vec![named("y")],
            ..Default::default()
        };
        let opset_import = vec![OperatorSetIdProto { version: OPERATOR_SET, ..Default::default() }];
        let proto = ModelProto { graph: Some(graph), opset_import, ..Default::default() };
        Model::new("case", &proto.encode_to_vec()).unwrap()
    }

    /// The names of what the graph consists of after fusion. Checks that it computes the same as the operators.
    fn parts(&self) -> Vec<String> {
        let (model, shapes) = (self.model(), [self.x.clone(), self.z.clone()]);
        let sizes = [1, 2].map(|rows| memory::check(&model, &shapes, rows).unwrap());
        let mut graph = Graph::new(&model, &sizes[0], Some(&sizes[1])).unwrap();
        super::fuse(&mut graph);
        let mut parts: Vec<String> = graph
            .nodes
            .iter()
            .flatten()
            .map(|node| match &node.work {
                Work::Plain(_) => node.proto.op_type.clone(),
                Work::View => "view".to_owned(),
                Work::Head(_) => "head".to_owned(),
                Work::Fused(fused) => {
                    let layer = match &fused.layer {
                        Layer::None => "none",
                        Layer::Convolution(_) => "convolution",
                        Layer::Matrix(_) => "matrix",
                        Layer::Sums(_) => "sums",
                        Layer::Largest(_) => "largest",
                    };
                    format!("{layer}+{}", fused.steps.len())
                }
            })
            .collect();
        parts.sort();
        let program = Program::new(graph);
        let mut memory = Memory::default();
        for rows in [1, 3, 1] {
            let inputs = shapes.iter().zip(10..).map(|(shape, seed)| {
                let sizes: Vec<usize> = [rows].iter().chain(shape).copied().collect();
                let numbers = numbers(&sizes, seed);
                (sizes, numbers)
            });
            let inputs: Vec<(Vec<usize>, Vec<f32>)> = inputs.collect();
            let given: Vec<(Vec<usize>, &[f32])> =
                inputs.iter().map(|(sizes, numbers)| (sizes.clone(), numbers.as_slice())).collect();
            let mut found = None;
            let mut read = |_: usize, tensor: &Tensor| {
                found = Some(tensor.clone());
                Ok(())
            };
            program.run(&mut memory, &given, &vec![u64::MAX; rows], &mut read).unwrap();
            let (found, expected) = (found.unwrap(), plain(&model, &inputs));
            assert_eq!(found.shape, expected.shape, "{parts:?}");
            for (found, expected) in found.as_floats().unwrap().iter().zip(expected.as_floats().unwrap()) {
                assert!(
                    (found - expected).abs() <= 1e-4 * (1.0 + expected.abs()),
                    "{parts:?}: {found}, {expected}"
                );
            }
        }
        parts
    }
}

/// What the operators compute, one after another.
fn plain(model: &Model, inputs: &[(Vec<usize>, Vec<f32>)]) -> Tensor {
    let mut values: HashMap<String, Tensor> = HashMap::new();
    for (name, (shape, numbers)) in ["x", "z"].into_iter().zip(inputs) {
        values.insert(name.to_owned(), Tensor::floats(shape.clone(), numbers.clone()));
    }
    for weights in &model.graph().initializer {
        values.insert(weights.name.clone(), Tensor::read(weights).unwrap());
    }
    for node in &model.graph().node {
        let given: Vec<Option<&Tensor>> = node.input.iter().map(|name| values.get(name)).collect();
        let outputs = operator(node, OPERATOR_SET).unwrap()(Inputs(&given)).unwrap();
        values.extend(node.output.iter().cloned().zip(outputs));
    }
    values.remove("y").unwrap()
}

#[test]
fn convolutions_are_replaced_where_a_layer_computes_them() {
    let parts = |side: usize, window: usize, outputs: usize, attributes: &[AttributeProto]| {
        let weights: [(&str, &[usize]); 2] = [("w", &[outputs, 2, window, window]), ("b", &[outputs])];
        let conv = node("Conv", &["x", "w", "b"], "y", attributes.to_vec());
        Case::new(&[2, side, side], &weights, vec![conv]).parts()
    };
    let pads = |pads: [i64; 4]| list("pads", &pads);
    for (side, attributes) in [(8, vec![]), (6, vec![]), (4, vec![pads([0; 4])]), (8, vec![pads([1; 4])])] {
        assert_eq!(parts(side, 3, 16, &attributes), ["convolution+0"], "{side}");
    }
    for (side, window, outputs, attributes) in [
        (7, 3, 16, vec![]),
        (6, 3, 16, vec![pads([1; 4])]),
        (8, 3, 16, vec![pads([0, 1, 1, 0])]),
        (8, 3, 16, vec![pads([2; 4])]),
        (8, 5, 16, vec![]),
        (8, 3, 16, vec![list("strides", &[2, 2])]),
        (8, 3, 16, vec![list("dilations", &[2, 2])]),
        (8, 3, 15, vec![]),
        (8, 1, 4, vec![pads([1; 4])]),
        (5, 1, 4, vec![]),
    ] {
        assert_eq!(parts(side, window, outputs, &attributes), ["Conv"], "{side}, {window}, {outputs}");
    }
    assert_eq!(parts(8, 1, 5, &[]), ["matrix+1"]);
    assert_eq!(parts(1, 1, 5, &[]), ["matrix+1"]);
    let grouped = node("Conv", &["x", "w"], "y", vec![integer("group", 2)]);
    assert_eq!(Case::new(&[2, 8, 8], &[("w", &[16, 1, 3, 3])], vec![grouped]).parts(), ["Conv"]);
}

#[test]
fn fully_connected_layers_means_and_pooling_are_replaced() {
    let gemm = |attributes: &[AttributeProto]| node("Gemm", &["x", "w", "b"], "y", attributes.to_vec());
    let weights = |shape: &'static [usize]| [("w", shape), ("b", &[3][..])];
    assert_eq!(Case::new(&[5], &weights(&[3, 5]), vec![gemm(&[integer("transB", 1)])]).parts(), ["matrix+1"]);
    assert_eq!(Case::new(&[5], &weights(&[5, 3]), vec![gemm(&[])]).parts(), ["matrix+1"]);
    let product = node("MatMul", &["x", "w"], "y", vec![]);
    assert_eq!(Case::new(&[4, 5], &[("w", &[5, 3])], vec![product]).parts(), ["matrix+0"]);
    let of_values = node("MatMul", &["w", "x"], "y", vec![]);
    assert_eq!(Case::new(&[4, 5], &[("w", &[3, 4])], vec![of_values]).parts(), ["MatMul"]);
    let mean = |axes: &[i64]| node("ReduceMean", &["x"], "y", vec![list("axes", axes)]);
    assert_eq!(Case::new(&[4, 5], &[], vec![mean(&[-1])]).parts(), ["sums+1"]);
    assert_eq!(Case::new(&[4, 5], &[], vec![mean(&[2, 1])]).parts(), ["sums+1"]);
    assert_eq!(Case::new(&[4, 5], &[], vec![mean(&[1])]).parts(), ["ReduceMean"]);
    let pool = |stride: i64| {
        let twos = |name: &str, number: i64| list(name, &[number, number]);
        node("MaxPool", &["x"], "y", vec![twos("kernel_shape", 2), twos("strides", stride)])
    };
    assert_eq!(Case::new(&[3, 4, 4], &[], vec![pool(2)]).parts(), ["largest+0"]);
    assert_eq!(Case::new(&[3, 4, 4], &[], vec![pool(1)]).parts(), ["MaxPool"]);
    assert_eq!(Case::new(&[3, 5, 5], &[], vec![pool(2)]).parts(), ["MaxPool"]);
}

#[test]
fn steps_follow_their_layers_and_each_other() {
    let weights: [(&str, &[usize]); 4] =
        [("w", &[16, 2, 3, 3]), ("c", &[16, 1, 1]), ("one", &[1]), ("wide", &[9])];
    let conv = || node("Conv", &["x", "w"], "a", vec![]);
    let boards = |nodes: Vec<NodeProto>| Case::new(&[2, 8, 8], &weights, nodes).parts();
    for op in ["Add", "Sub", "Mul", "Div", "Max"] {
        assert_eq!(boards(vec![conv(), node(op, &["a", "c"], "y", vec![])]), ["convolution+1"], "{op}");
        // The difference and the quotient of a constant and a value are no steps.
        let turned = boards(vec![conv(), node(op, &["one", "a"], "y", vec![])]);
        if ["Sub", "Div"].contains(&op) {
            assert_eq!(turned, [op, "convolution+0"], "{op}");
        } else {
            assert_eq!(turned, ["convolution+1"], "{op}");
        }
    }
    let chain = vec![
        conv(),
        node("Add", &["a", "c"], "b", vec![]),
        node("Relu", &["b"], "d", vec![]),
        node("Mul", &["d", "one"], "y", vec![]),
    ];
    assert_eq!(boards(chain), ["convolution+3"]);
    // A value that is read twice ends a chain, also if both reads are by one node.
    let square = vec![conv(), node("Mul", &["a", "a"], "b", vec![]), node("Relu", &["b"], "y", vec![])];
    assert_eq!(boards(square), ["convolution+0", "none+2"]);
    let twice = vec![conv(), node("Relu", &["a"], "b", vec![]), node("Add", &["a", "b"], "y", vec![])];
    assert_eq!(boards(twice), ["convolution+0", "none+2"]);
    // Steps without a layer, with operands of each row.
    let rows = Case { z: vec![4, 5], ..Case::new(&[4, 5], &[], vec![node("Add", &["x", "z"], "y", vec![])]) };
    assert_eq!(rows.parts(), ["none+1"]);
    // The operand is larger than the value.
    let larger =
        Case { z: vec![4, 5], ..Case::new(&[4, 1], &[], vec![node("Add", &["x", "z"], "y", vec![])]) };
    assert_eq!(larger.parts(), ["none+1"], "the larger one is changed");
    let both = Case { z: vec![1, 5], ..Case::new(&[4, 1], &[], vec![node("Add", &["x", "z"], "y", vec![])]) };
    assert_eq!(both.parts(), ["Add"]);
    let flattened = vec![
        node("Relu", &["x"], "a", vec![]),
        node("Reshape", &["a", "flat"], "b", vec![]),
        node("Identity", &["b"], "y", vec![]),
    ];
    assert_eq!(Case::new(&[3, 3], &[], flattened).parts(), ["none+1", "view", "view"]);
}

#[test]
fn channels_may_come_together_after_a_layer() {
    let weights: [(&str, &[usize]); 3] = [("w", &[5, 2, 1, 1]), ("b", &[5]), ("c", &[5, 1, 1])];
    let nodes = |perm: &[i64]| {
        vec![
            node("Conv", &["x", "w", "b"], "a", vec![]),
            node("Add", &["a", "c"], "d", vec![]),
            node("Relu", &["d"], "e", vec![]),
            node("Transpose", &["e"], "y", vec![list("perm", perm)]),
        ]
    };
    assert_eq!(Case::new(&[2, 8, 8], &weights, nodes(&[0, 2, 3, 1])).parts(), ["matrix+3"]);
    assert_eq!(Case::new(&[2, 8, 8], &weights, nodes(&[0, 3, 2, 1])).parts(), ["Transpose", "matrix+3"]);
}
