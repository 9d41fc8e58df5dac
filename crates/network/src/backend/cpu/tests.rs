//! Whole networks beside tract, another runtime, and what becomes of their operators.

use std::collections::BTreeMap;

use tract_onnx::prelude::*;

use super::{
    MAX_ROWS, Plan,
    fusion::fuse,
    graph::{Graph, Work},
    layer::Layer,
};
use crate::{
    backend::Program as _,
    batch::Batch,
    memory,
    model::Model,
    shape::{Shape, Signature, length},
};

/// A network in the repository: its file, and the shapes of its inputs and outputs.
struct Network {
    bytes: &'static [u8],
    inputs: &'static [&'static [usize]],
    outputs: &'static [usize],
}

const POLICY: Network = Network {
    bytes: include_bytes!("../../../models/goal-policy.onnx"),
    inputs: &[&[51, 8, 8], &[110]],
    outputs: &[4672, 4672, 1, 3],
};
const THESIS: [Network; 2] = [
    Network { bytes: include_bytes!("../../../models/thesis-1.onnx"), inputs: &[&[17, 8, 8]], outputs: &[1] },
    Network { bytes: include_bytes!("../../../models/thesis-2.onnx"), inputs: &[&[17, 8, 8]], outputs: &[1] },
];

impl Network {
    fn model(&self) -> Model {
        Model::new("net", self.bytes).unwrap()
    }

    fn shapes(&self) -> Vec<Shape> {
        self.inputs.iter().map(|shape| shape.to_vec()).collect()
    }

    fn plan(&self) -> Plan {
        let outputs = self.outputs.iter().map(|size| vec![*size]).collect();
        Plan::new(&self.model(), &Signature { inputs: self.shapes(), outputs }).unwrap()
    }
}

/// The numbers of an input of a row. Planes are mostly 0, and 1 where a man stands.
fn numbers(shape: &[usize], row: usize) -> Vec<f32> {
    (0..length(shape)).map(|index| f32::from((index + 7 * row) * 37 % 101 < 3)).collect()
}

/// The squares that a row wants: some want some, others none or all.
fn wanted(row: usize) -> u64 {
    [0x8001_0203_0000_ff00, 0, u64::MAX][row % 3]
}

/// The outputs of each row.
fn outputs(plan: &Plan, shapes: &[Shape], rows: usize) -> Vec<Vec<Vec<f32>>> {
    let mut batch = Batch::new(shapes);
    for row in 0..rows {
        let inputs: Vec<Vec<f32>> = shapes.iter().map(|shape| numbers(shape, row)).collect();
        batch.push(&inputs.iter().map(Vec::as_slice).collect::<Vec<_>>());
        batch.want(wanted(row));
    }
    let mut found = vec![Vec::new(); rows];
    plan.runner().run(&batch, &mut |row, _, numbers| found[row].push(numbers.to_vec())).unwrap();
    found
}

#[test]
fn shipped_networks_agree_with_tract_and_rows_do_not_depend_on_each_other() {
    const ROWS: usize = MAX_ROWS + 3;
    for network in [POLICY].into_iter().chain(THESIS) {
        let (plan, shapes) = (network.plan(), network.shapes());
        assert_eq!(plan.runner().max_rows(), MAX_ROWS);
        let found = outputs(&plan, &shapes, ROWS);
        let tract = tract_onnx::onnx().model_for_read(&mut &*network.bytes).unwrap();
        let tract = tract.into_optimized().unwrap().into_runnable().unwrap();
        for (row, found) in found.iter().enumerate() {
            let inputs = shapes.iter().map(|shape| {
                let sizes: Vec<usize> = [1].iter().chain(shape).copied().collect();
                Tensor::from_shape(&sizes, &numbers(shape, row)).unwrap().into()
            });
            for (expected, found) in tract.run(inputs.collect()).unwrap().iter().zip(found) {
                let expected = expected.view().as_slice::<f32>().unwrap().to_vec();
                assert_eq!(expected.len(), found.len());
                let largest = expected.iter().fold(0.0, |largest: f32, number| largest.max(number.abs()));
                let is_wanted = |place: usize| found.len() != 4672 || wanted(row) >> (place / 73) & 1 == 1;
                for (place, (expected, found)) in expected.iter().zip(found).enumerate() {
                    // Moves from other squares are not computed.
                    let expected = if is_wanted(place) { *expected } else { 0.0 };
                    assert!(
                        (expected - found).abs() <= 2e-4 * (1.0 + largest),
                        "row {row}, {place}: {expected} and {found}"
                    );
                }
            }
        }
        // To the last bit.
        for row in [0, 5, ROWS - 1] {
            let mut batch = Batch::new(&shapes);
            let inputs: Vec<Vec<f32>> = shapes.iter().map(|shape| numbers(shape, row)).collect();
            batch.push(&inputs.iter().map(Vec::as_slice).collect::<Vec<_>>());
            batch.want(wanted(row));
            let mut alone = Vec::new();
            plan.runner().run(&batch, &mut |_, _, numbers| alone.push(numbers.to_vec())).unwrap();
            assert_eq!(alone, found[row]);
        }
    }
}

/// The number of layers of each kind, and the ONNX operators that are left.
fn parts(network: &Network) -> BTreeMap<String, usize> {
    let (model, shapes) = (network.model(), network.shapes());
    let sizes = [1, 2].map(|rows| memory::check(&model, &shapes, rows).unwrap());
    let mut graph = Graph::new(&model, &sizes[0], Some(&sizes[1])).unwrap();
    fuse(&mut graph);
    let mut parts = BTreeMap::new();
    for node in graph.nodes.iter().flatten() {
        let name = match &node.work {
            Work::Plain(_) => node.proto.op_type.as_str(),
            Work::View => continue,
            Work::Head(_) => "head",
            Work::Fused(fused) => match &fused.layer {
                Layer::None => "steps",
                Layer::Convolution(_) => "convolution",
                Layer::Matrix(_) => "matrix",
                Layer::Sums(_) => "sums",
                Layer::Largest(_) => "largest",
            },
        };
        *parts.entry(name.to_owned()).or_insert(0) += 1;
    }
    parts
}

#[test]
fn every_layer_of_the_shipped_networks_is_ours() {
    let expected = |parts: &[(&str, usize)]| -> BTreeMap<String, usize> {
        parts.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect()
    };
    // The end of each of three blocks; seven 3 × 3 convolutions; one 1 × 1 convolution and 21 fully connected layers;
    // three means; and two heads of two layers each.
    let of_policy =
        [("Sigmoid", 3), ("convolution", 7), ("head", 2), ("matrix", 22), ("steps", 3), ("sums", 3)];
    assert_eq!(parts(&POLICY), expected(&of_policy));
    let of_thesis = [
        expected(&[("Sigmoid", 1), ("convolution", 2), ("largest", 1), ("matrix", 2)]),
        expected(&[("Sigmoid", 1), ("convolution", 3), ("matrix", 2)]),
    ];
    assert_eq!(THESIS.map(|network| parts(&network)), of_thesis);
}
