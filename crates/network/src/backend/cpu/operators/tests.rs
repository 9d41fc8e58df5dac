//! Each operator beside tract's, another implementation of ONNX.

use prost::Message as _;
use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};
use tract_onnx::prelude::*;

use super::{Inputs, operator};
use crate::{
    backend::cpu::tensor::{Elements, Tensor as Ours},
    onnx::{
        AttributeProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto, TensorProto, TensorShapeProto,
        TypeProto, ValueInfoProto, attribute_proto::AttributeType, tensor_proto::DataType,
        tensor_shape_proto, type_proto,
    },
};

const OPERATOR_SET: i64 = 17;

fn attribute(name: &str, kind: AttributeType) -> AttributeProto {
    AttributeProto { name: name.to_owned(), r#type: kind as i32, ..Default::default() }
}

fn integer(name: &str, i: i64) -> AttributeProto {
    AttributeProto { i, ..attribute(name, AttributeType::Int) }
}

fn float(name: &str, f: f32) -> AttributeProto {
    AttributeProto { f, ..attribute(name, AttributeType::Float) }
}

fn list(name: &str, ints: &[i64]) -> AttributeProto {
    AttributeProto { ints: ints.to_vec(), ..attribute(name, AttributeType::Ints) }
}

fn word(name: &str, word: &str) -> AttributeProto {
    AttributeProto { s: word.as_bytes().to_vec(), ..attribute(name, AttributeType::String) }
}

fn node(op_type: &str, inputs: usize, attribute: &[AttributeProto]) -> NodeProto {
    NodeProto {
        op_type: op_type.to_owned(),
        name: "node".to_owned(),
        input: (0..inputs).map(|place| format!("input{place}")).collect(),
        output: vec!["output".to_owned()],
        attribute: attribute.to_vec(),
        ..Default::default()
    }
}

fn weights(name: &str, tensor: &Ours) -> TensorProto {
    let dims = tensor.shape.iter().map(|size| *size as i64).collect();
    let tensor = match &tensor.elements {
        Elements::Floats(numbers) => TensorProto {
            data_type: DataType::Float as i32,
            float_data: numbers.clone(),
            ..Default::default()
        },
        Elements::Integers(numbers) => TensorProto {
            data_type: DataType::Int64 as i32,
            int64_data: numbers.clone(),
            ..Default::default()
        },
    };
    TensorProto { name: name.to_owned(), dims, ..tensor }
}

/// The type of a tensor of floats.
fn value(name: &str, shape: &[usize]) -> ValueInfoProto {
    let size = |size: &usize| tensor_shape_proto::Dimension {
        value: Some(tensor_shape_proto::dimension::Value::DimValue(*size as i64)),
    };
    let shape = TensorShapeProto { dim: shape.iter().map(size).collect() };
    let tensor = type_proto::Tensor { elem_type: DataType::Float as i32, shape: Some(shape) };
    let kind = TypeProto { value: Some(type_proto::Value::TensorType(tensor)) };
    ValueInfoProto { name: name.to_owned(), r#type: Some(kind), ..Default::default() }
}

/// What tract computes. The first input is that of the model, the others are weights.
fn by_tract(node: &NodeProto, inputs: &[Ours]) -> Ours {
    let names: Vec<String> = (0..inputs.len()).map(|place| format!("input{place}")).collect();
    let graph = GraphProto {
        node: vec![node.clone()],
        name: "graph".to_owned(),
        initializer: names.iter().zip(inputs).skip(1).map(|(name, tensor)| weights(name, tensor)).collect(),
        input: vec![value("input0", &inputs[0].shape)],
        output: vec![ValueInfoProto { name: "output".to_owned(), ..Default::default() }],
        ..Default::default()
    };
    let model = ModelProto {
        ir_version: 8,
        opset_import: vec![OperatorSetIdProto { version: OPERATOR_SET, ..Default::default() }],
        graph: Some(graph),
        ..Default::default()
    };
    let plan = tract_onnx::onnx()
        .model_for_read(&mut model.encode_to_vec().as_slice())
        .and_then(|model| model.into_optimized()?.into_runnable())
        .unwrap_or_else(|error| panic!("{}: {error:#}", node.op_type));
    let first = Tensor::from_shape(&inputs[0].shape, inputs[0].as_floats().unwrap()).unwrap();
    let output = plan.run(tvec!(first.into())).unwrap().remove(0).into_tensor();
    let shape = output.shape().to_vec();
    match output.datum_type().is_float() {
        true => Ours::floats(shape, output.view().as_slice::<f32>().unwrap().to_vec()),
        false => {
            let output = output.cast_to::<i64>().unwrap().into_owned();
            Ours::integers(shape, output.view().as_slice::<i64>().unwrap().to_vec())
        }
    }
}

/// Checks that both compute nearly the same.
fn check(node: &NodeProto, inputs: &[Ours]) {
    let context = format!(
        "{} {:?}",
        node.op_type,
        node.attribute.iter().map(|a| (&a.name, &a.ints)).collect::<Vec<_>>()
    );
    let given: Vec<Option<&Ours>> = inputs.iter().map(Some).collect();
    let compute = operator(node, OPERATOR_SET).unwrap();
    let ours = compute(Inputs(&given)).unwrap_or_else(|error| panic!("{context}: {error}")).remove(0);
    let expected = by_tract(node, inputs);
    assert_eq!(ours.shape, expected.shape, "{context}");
    match (&ours.elements, &expected.elements) {
        (Elements::Floats(ours), Elements::Floats(expected)) => {
            for (ours, expected) in ours.iter().zip(expected) {
                let close = (ours - expected).abs() <= 1e-5 * (1.0 + expected.abs());
                assert!(
                    close || ours == expected || ours.is_nan() && expected.is_nan(),
                    "{context}: {ours} and {expected}"
                );
            }
        }
        (ours, expected) => assert_eq!(ours, expected, "{context}"),
    }
}

/// Numbers between −2 and 2.
fn numbers(shape: &[usize]) -> Ours {
    let mut rng = ChaCha8Rng::seed_from_u64(shape.iter().sum::<usize>() as u64);
    Ours::floats(shape.to_vec(), (0..shape.iter().product()).map(|_| rng.random_range(-2.0..2.0)).collect())
}

/// Positive numbers.
fn positive(shape: &[usize]) -> Ours {
    Ours::floats(
        shape.to_vec(),
        numbers(shape).as_floats().unwrap().iter().map(|number| number.abs() + 0.1).collect(),
    )
}

fn integers(numbers: &[i64]) -> Ours {
    Ours::integers(vec![numbers.len()], numbers.to_vec())
}

#[test]
fn operators_on_elements_agree_with_tract() {
    for op in [
        "Abs",
        "Neg",
        "Sign",
        "Ceil",
        "Floor",
        "Round",
        "Exp",
        "Sin",
        "Cos",
        "Tan",
        "Tanh",
        "Erf",
        "Sigmoid",
        "Softplus",
        "Softsign",
        "Relu",
        "LeakyRelu",
        "Elu",
        "Selu",
        "HardSigmoid",
        "ThresholdedRelu",
        "Identity",
    ] {
        check(&node(op, 1, &[]), &[numbers(&[2, 3, 4])]);
    }
    for op in ["Sqrt", "Log", "Reciprocal"] {
        check(&node(op, 1, &[]), &[positive(&[2, 3, 4])]);
    }
    check(&node("Elu", 1, &[float("alpha", 0.5)]), &[numbers(&[7])]);
    check(&node("HardSwish", 1, &[]), &[numbers(&[7])]);
    check(&node("Celu", 1, &[]), &[numbers(&[7])]);
    let bounds = |number: f32| Ours::floats(Vec::new(), vec![number]);
    check(&node("Clip", 3, &[]), &[numbers(&[9]), bounds(-0.5), bounds(1.0)]);
    check(&node("Cast", 1, &[integer("to", 7)]), &[numbers(&[9])]);
}

#[test]
fn operators_on_pairs_agree_with_tract() {
    for op in ["Add", "Sub", "Mul", "Div", "Max", "Min"] {
        for (left, right) in
            [(vec![2, 3, 4], vec![2, 3, 4]), (vec![2, 3, 4], vec![4]), (vec![2, 1, 4], vec![3, 1])]
        {
            check(&node(op, 2, &[]), &[numbers(&left), positive(&right)]);
        }
    }
    check(&node("Pow", 2, &[]), &[positive(&[2, 3]), numbers(&[3])]);
    check(&node("PRelu", 2, &[]), &[numbers(&[1, 3, 2, 2]), numbers(&[3, 1, 1])]);
    check(&node("Mean", 2, &[]), &[numbers(&[2, 3]), numbers(&[3])]);
    for op in ["Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual"] {
        check(&node(op, 2, &[]), &[numbers(&[5]), numbers(&[5])]);
        check(&node(op, 2, &[]), &[numbers(&[5]), numbers(&[1])]);
    }
}

#[test]
fn operators_that_move_elements_agree_with_tract() {
    let input = || numbers(&[2, 3, 4]);
    for axis in [0, 1, 2, 3, -1] {
        check(&node("Flatten", 1, &[integer("axis", axis)]), &[input()]);
    }
    check(&node("Reshape", 2, &[]), &[input(), integers(&[0, -1, 2])]);
    check(&node("Squeeze", 2, &[]), &[numbers(&[2, 1, 3]), integers(&[1])]);
    check(&node("Unsqueeze", 2, &[]), &[input(), integers(&[0, 3])]);
    check(&node("Transpose", 1, &[]), &[input()]);
    check(&node("Transpose", 1, &[list("perm", &[1, 2, 0])]), &[input()]);
    check(&node("Expand", 2, &[]), &[numbers(&[3, 1]), integers(&[2, 3, 4])]);
    for axis in [0, 1, -1] {
        check(&node("Concat", 2, &[integer("axis", axis)]), &[input(), numbers(&[2, 3, 4])]);
        check(&node("Gather", 2, &[integer("axis", axis)]), &[input(), integers(&[1, 0, -1])]);
    }
    let indices = Ours::integers(vec![2, 2, 4], [0, 2, 1, 1, 2, 0, 0, 1].repeat(2));
    check(&node("GatherElements", 2, &[integer("axis", 1)]), &[input(), indices]);
    check(&node("GatherND", 2, &[]), &[input(), Ours::integers(vec![2, 2], vec![0, 2, 1, 1])]);
    check(
        &node("Slice", 5, &[]),
        &[numbers(&[5, 6]), integers(&[1, -1]), integers(&[4, -6]), integers(&[0, 1]), integers(&[2, -2])],
    );
    check(&node("Slice", 3, &[]), &[numbers(&[5, 6]), integers(&[1, 2]), integers(&[i64::MAX, 3])]);
    check(&node("Split", 1, &[integer("axis", 1)]), &[numbers(&[2, 3, 4])]);
    check(&node("Tile", 2, &[]), &[input(), integers(&[2, 1, 3])]);
    check(&node("Trilu", 1, &[integer("upper", 0)]), &[numbers(&[2, 3, 3])]);
    for mode in ["constant", "edge", "reflect"] {
        check(&node("Pad", 2, &[word("mode", mode)]), &[numbers(&[3, 4]), integers(&[1, 0, 1, 2])]);
    }
    let seven = Ours::floats(Vec::new(), vec![7.0]);
    check(&node("Pad", 3, &[]), &[numbers(&[3, 4]), integers(&[1, 0, 0, 2]), seven]);
}

#[test]
fn what_tract_does_otherwise_follows_the_specification() {
    let compute = |node: &NodeProto, inputs: &[Ours]| {
        let given: Vec<Option<&Ours>> = inputs.iter().map(Some).collect();
        operator(node, OPERATOR_SET).unwrap()(Inputs(&given)).unwrap().remove(0)
    };
    let celu = compute(&node("Celu", 1, &[float("alpha", 0.5)]), &[Ours::floats(vec![2], vec![-1.0, 2.0])]);
    let celu = celu.as_floats().unwrap().to_vec();
    assert!((celu[0] - 0.5 * ((-2f64).exp_m1() as f32)).abs() < 1e-6 && celu[1] == 2.0, "{celu:?}");
    let rests = compute(&node("Mod", 2, &[]), &[integers(&[7, -7, 7, -7]), integers(&[3, 3, -3, -3])]);
    assert_eq!(rests, integers(&[1, 2, -2, -1]));
    let powers = compute(&node("Pow", 2, &[]), &[Ours::floats(vec![2], vec![2.0, 3.0]), integers(&[3])]);
    assert_eq!(powers.as_floats().unwrap(), [8.0, 27.0]);
    // The third window would begin behind the board, and the last one is partly off it.
    let pool = node(
        "AveragePool",
        1,
        &[list("kernel_shape", &[2, 2]), list("strides", &[2, 2]), integer("ceil_mode", 1)],
    );
    let pooled = compute(&pool, &[Ours::floats(vec![1, 1, 3, 3], (1..=9).map(|n| n as f32).collect())]);
    assert_eq!(
        (pooled.shape.as_slice(), pooled.as_floats().unwrap()),
        (&[1, 1, 2, 2][..], &[3.0, 4.5, 7.5, 9.0][..])
    );
}

#[test]
fn reductions_and_normalizations_agree_with_tract() {
    for op in [
        "ReduceSum",
        "ReduceMean",
        "ReduceMax",
        "ReduceMin",
        "ReduceProd",
        "ReduceL1",
        "ReduceL2",
        "ReduceSumSquare",
    ] {
        for (axes, keeps) in [(&[1][..], 1), (&[0, 2], 0), (&[-1], 1)] {
            let keeps = integer("keepdims", keeps);
            if op == "ReduceSum" {
                check(&node(op, 2, &[keeps]), &[numbers(&[2, 3, 4]), integers(axes)]);
            } else {
                check(&node(op, 1, &[list("axes", axes), keeps]), &[numbers(&[2, 3, 4])]);
            }
        }
    }
    for op in ["ReduceLogSum", "ReduceLogSumExp"] {
        check(&node(op, 1, &[list("axes", &[1])]), &[positive(&[2, 3, 4])]);
    }
    for op in ["ArgMax", "ArgMin"] {
        check(&node(op, 1, &[integer("axis", 1)]), &[numbers(&[2, 5, 4])]);
    }
    for axis in [0, 1, -1] {
        for op in ["Softmax", "LogSoftmax"] {
            check(&node(op, 1, &[integer("axis", axis)]), &[numbers(&[2, 3, 4])]);
        }
    }
    let channels = || numbers(&[3]);
    let inputs = [numbers(&[2, 3, 2, 2]), channels(), channels(), channels(), positive(&[3])];
    check(&node("BatchNormalization", 5, &[]), &inputs);
    check(&node("InstanceNormalization", 3, &[]), &[numbers(&[2, 3, 2, 2]), channels(), channels()]);
    check(
        &node("LayerNormalization", 3, &[integer("axis", -1)]),
        &[numbers(&[2, 3, 4]), numbers(&[4]), numbers(&[4])],
    );
    check(&node("CumSum", 2, &[]), &[numbers(&[3, 4]), Ours::integers(Vec::new(), vec![1])]);
}

#[test]
fn products_and_windows_agree_with_tract() {
    for (left, right) in [
        (vec![3, 4], vec![4, 5]),
        (vec![2, 3, 4], vec![4, 5]),
        (vec![2, 1, 3, 4], vec![5, 4, 17]),
        (vec![2, 3, 4], vec![4]),
    ] {
        check(&node("MatMul", 2, &[]), &[numbers(&left), numbers(&right)]);
    }
    for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let shape = |is_turned: i64, shape: [usize; 2]| {
            numbers(&if is_turned == 1 { [shape[1], shape[0]] } else { shape })
        };
        let inputs = [shape(a, [3, 4]), shape(b, [4, 5]), numbers(&[5])];
        let attributes =
            [integer("transA", a), integer("transB", b), float("alpha", 0.5), float("beta", 2.0)];
        check(&node("Gemm", 3, &attributes), &inputs);
    }
    let equation = word("equation", "bqd,bkd->bqk");
    check(&node("Einsum", 2, &[equation]), &[numbers(&[2, 3, 4]), numbers(&[2, 5, 4])]);

    let board = || numbers(&[2, 4, 8, 8]);
    for attributes in [
        vec![],
        vec![list("pads", &[1, 1, 1, 1])],
        vec![list("pads", &[0, 1, 2, 1]), list("strides", &[2, 1])],
        vec![list("dilations", &[2, 2]), list("pads", &[2, 2, 2, 2])],
        vec![word("auto_pad", "SAME_UPPER"), list("strides", &[3, 3])],
    ] {
        check(&node("Conv", 3, &attributes), &[board(), numbers(&[6, 4, 3, 3]), numbers(&[6])]);
    }
    check(&node("Conv", 2, &[integer("group", 2)]), &[board(), numbers(&[6, 2, 5, 3])]);
    for op in ["MaxPool", "AveragePool"] {
        for attributes in [
            vec![list("kernel_shape", &[2, 2]), list("strides", &[2, 2])],
            vec![list("kernel_shape", &[3, 2]), list("pads", &[1, 0, 1, 1])],
        ] {
            check(&node(op, 1, &attributes), &[board()]);
        }
    }
    check(&node("GlobalAveragePool", 1, &[]), &[board()]);
    check(&node("GlobalMaxPool", 1, &[]), &[board()]);
}

/// The operators that `docs/own-network.md` names.
#[test]
fn documented_operators_are_supported() {
    let page = include_str!("../../../../../../docs/own-network.md");
    let (_, list) = page.split_once("memory/operators.rs` has their sizes):").unwrap();
    let (list, _) = list.split_once("- **").unwrap();
    let names = list.split('`').skip(1).step_by(2).filter(|name| *name != "Reduce…");
    let names: Vec<&str> = names.chain(["ReduceMean", "ReduceSum", "ReduceMax"]).collect();
    assert!(names.len() > 90, "{names:?}");
    for name in names {
        assert!(operator(&node(name, 1, &[]), OPERATOR_SET).is_ok(), "{name}");
    }
    assert!(operator(&node("Upsample", 1, &[]), OPERATOR_SET).is_err());
}
