use prost::Message as _;

use super::*;
use crate::{
    NetworkKind, Policy, SatisfactionNetwork,
    onnx::{
        AttributeProto, GraphProto, ModelProto, NodeProto, StringStringEntryProto, TensorProto,
        ValueInfoProto, attribute_proto::AttributeType,
    },
};

fn integers(name: &str, integers: &[i64]) -> TensorProto {
    TensorProto {
        name: name.to_owned(),
        dims: vec![integers.len() as i64],
        data_type: 7,
        int64_data: integers.to_vec(),
        ..TensorProto::default()
    }
}

fn node(operator: &str, inputs: &[&str], output: &str) -> NodeProto {
    NodeProto {
        op_type: operator.to_owned(),
        name: format!("the {operator}"),
        input: inputs.iter().map(|&name| name.to_owned()).collect(),
        output: vec![output.to_owned()],
        ..NodeProto::default()
    }
}

fn with(mut node: NodeProto, name: &str, integers: &[i64]) -> NodeProto {
    node.attribute.push(AttributeProto {
        name: name.to_owned(),
        r#type: AttributeType::Ints as i32,
        ints: integers.to_vec(),
        ..AttributeProto::default()
    });
    node
}

/// A graph with the input `x` of 8×8 for each position.
fn graph(weights: Vec<TensorProto>, nodes: Vec<NodeProto>) -> GraphProto {
    let value = |name: &str| ValueInfoProto { name: name.to_owned(), ..ValueInfoProto::default() };
    GraphProto {
        initializer: weights,
        node: nodes,
        input: vec![value("x")],
        output: vec![value("y")],
        ..GraphProto::default()
    }
}

fn checked(graph: GraphProto) -> Result<(), String> {
    let bytes = ModelProto { graph: Some(graph), ..ModelProto::default() }.encode_to_vec();
    let model = Model::new("net", &bytes).map_err(|error| error.to_string())?;
    check(&model, &[vec![8, 8]], 1).map(|_| ()).map_err(|error| error.to_string())
}

/// Each of these would end the process if it were computed.
#[test]
fn operators_that_ask_for_more_than_the_limit_are_refused_with_their_name() {
    let many = 1 << 40;
    let cases = [
        ("Pad", integers("n", &[0, 0, 0, 0, 0, many]), node("Pad", &["x", "n"], "y")),
        ("Pad", integers("n", &[]), with(node("Pad", &["x"], "y"), "pads", &[0, 0, 0, 0, many, 0])),
        ("Tile", integers("n", &[1, many, 1]), node("Tile", &["x", "n"], "y")),
        ("Expand", integers("n", &[many, 1, 1]), node("Expand", &["x", "n"], "y")),
        ("ConstantOfShape", integers("n", &[many, many, many]), node("ConstantOfShape", &["n"], "y")),
        (
            "MaxPool",
            integers("n", &[]),
            with(with(node("MaxPool", &["x"], "y"), "kernel_shape", &[1]), "pads", &[many, many]),
        ),
    ];
    for (operator, weights, node) in cases {
        let error = checked(graph(vec![weights], vec![node])).unwrap_err();
        let start = format!(
            "network net: not a usable ONNX model: node 'the {operator}' ({operator}): it would take "
        );
        assert!(error.starts_with(&start), "{error}");
        assert!(error.ends_with(" of memory, at most 256 MiB are allowed"), "{error}");
    }
}

#[test]
fn a_range_and_small_steps_that_grow_one_after_the_other_are_refused() {
    let scalar = |name: &str, number| TensorProto { dims: vec![], ..integers(name, &[number]) };
    let range = node("Range", &["a", "b", "c"], "y");
    let error =
        checked(graph(vec![scalar("a", 0), scalar("b", i64::MAX), scalar("c", 1)], vec![range])).unwrap_err();
    assert!(error.contains("node 'the Range' (Range): it would take "), "{error}");
    let names: Vec<String> = (0..20).map(|step| format!("v{step}")).collect();
    let double =
        |step: usize| node("Tile", &[if step == 0 { "x" } else { &names[step - 1] }, "n"], &names[step]);
    let doubled = |steps| checked(graph(vec![integers("n", &[1, 4, 4])], (0..steps).map(double).collect()));
    assert_eq!(doubled(5), Ok(()));
    assert!(doubled(20).unwrap_err().contains("(Tile): it would take 4 GiB of memory"), "{:?}", doubled(20));
}

#[test]
fn many_values_of_an_allowed_size_are_refused_if_they_exist_at_the_same_time() {
    let names: Vec<String> = (0..6).map(|step| format!("v{step}")).collect();
    let mut nodes: Vec<NodeProto> = names.iter().map(|name| node("ConstantOfShape", &["n"], name)).collect();
    let error = checked(graph(vec![integers("n", &[60 << 20])], nodes.clone())).unwrap_err();
    assert!(error.contains("at the same time, it would take 1 GiB"), "{error}");
    nodes.truncate(4);
    assert_eq!(checked(graph(vec![integers("n", &[60 << 20])], nodes)), Ok(()));
}

#[test]
fn an_operator_with_a_hundred_thousand_inputs_or_outputs_is_refused() {
    let mut concat = with(node("Concat", &["x"; 1001], "y"), "axis", &[1]);
    let error = checked(graph(vec![], vec![concat.clone()])).unwrap_err();
    assert!(error.contains("'the Concat' (Concat): it has 1001 inputs or outputs, at most 1000"), "{error}");
    concat.input.truncate(1);
    concat.output.extend((0..100_000).map(|number| number.to_string()));
    let error = checked(graph(vec![], vec![concat])).unwrap_err();
    assert!(error.contains("it has 100001 inputs or outputs"), "{error}");
}

#[test]
fn operators_whose_memory_is_not_known_and_graphs_inside_are_refused() {
    for operator in ["Resize", "NonZero", "Loop", "ConvTranspose", "Nonsense"] {
        let error = checked(graph(vec![], vec![node(operator, &["x"], "y")])).unwrap_err();
        assert!(error.contains(&format!("({operator}): this operator is not supported")), "{error}");
    }
    let mut outer = node("Relu", &["x"], "y");
    outer.attribute.push(AttributeProto { g: Some(GraphProto::default()), ..AttributeProto::default() });
    assert!(checked(graph(vec![], vec![outer])).unwrap_err().contains("graph inside"));
    let computed = checked(graph(vec![], vec![node("Expand", &["x", "x"], "y")])).unwrap_err();
    assert!(computed.contains("depends on its input 2, expected a constant"), "{computed}");
    let unordered =
        checked(graph(vec![], vec![node("Relu", &["z"], "y"), node("Relu", &["x"], "z")])).unwrap_err();
    assert!(unordered.contains("'z' is not given by any node before it"), "{unordered}");
}

#[test]
fn weights_must_lie_in_the_file_and_have_the_size_that_they_declare() {
    let relu = || vec![node("Relu", &["x"], "y")];
    let short = TensorProto { dims: vec![1 << 40], ..integers("w", &[1]) };
    let error = checked(graph(vec![short], relu())).unwrap_err();
    assert!(
        error.contains("weights 'w': expected 1099511627776 elements according to its sizes, found 1"),
        "{error}"
    );
    let place = StringStringEntryProto { key: "location".to_owned(), value: "/dev/zero".to_owned() };
    let outside = TensorProto { data_location: Some(1), external_data: vec![place], ..integers("w", &[1]) };
    let error = checked(graph(vec![outside], relu())).unwrap_err();
    assert!(error.contains("the data lie in another file (/dev/zero)"), "{error}");
}

/// The shape arithmetic that exporters write: Shape, Gather, Concat, Reshape, Equal, Where, Expand.
#[test]
fn shapes_that_a_model_computes_are_known() {
    let zero = || integers("zero", &[0]);
    let nodes = vec![
        node("Shape", &["x"], "shape"),
        node("Gather", &["shape", "zero"], "rows"),
        with(node("Concat", &["rows", "rest"], "flat"), "unused", &[]),
        node("Reshape", &["x", "flat"], "r"),
        node("Expand", &["r", "wide"], "y"),
    ];
    let run = |wide: i64| {
        checked(graph(
            vec![zero(), integers("rest", &[1, 64]), integers("wide", &[1, wide, 64])],
            nodes.clone(),
        ))
    };
    assert_eq!(run(100), Ok(()));
    assert!(run(100 << 20).unwrap_err().contains("node 'the Expand' (Expand): it would take 50 GiB"));
}

#[test]
fn the_shipped_networks_are_within_the_limits() {
    for (name, bytes) in Policy::EMBEDDED.iter().chain(SatisfactionNetwork::EMBEDDED) {
        let model = Model::new(name, bytes).unwrap();
        let inputs: Vec<Shape> = model.input_rows().into_iter().map(Option::unwrap).collect();
        for rows in [1, 16] {
            check(&model, &inputs, rows).unwrap();
        }
    }
}
