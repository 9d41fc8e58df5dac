//! Runs networks with libtorch, in batches. On the CPU each thread runs its own; on a GPU all threads share them.
//!
//! The backend runs the ONNX graph itself, node by node, so that the same file works with all backends.

mod compute;
mod constants;
mod operators;
mod shared;

use std::{
    collections::HashMap,
    fmt::{self, Debug, Formatter},
    sync::{Mutex, PoisonError},
};

use constants::Constants;
use shared::Shared;
use tch::{Device, TchError, Tensor};

use super::{Program, Runner};
use crate::{
    NetworkError,
    batch::Batch,
    model::Model,
    shape::{Signature, length},
};

/// The most rows of a batch on the CPU. A search can be stopped between batches. Nearly all positions have fewer moves.
const ROWS_ON_CPU: usize = 64;
/// The size of every batch on a GPU, which runs them in the time of one row.
const ROWS_ON_GPU: usize = 512;

/// A model whose operators are all supported, with its weights on the device.
pub(super) struct Torch {
    name: String,
    device: Device,
    kind: Kind,
}

/// The threads that run the network.
enum Kind {
    /// Each thread runs its own copy. A libtorch tensor may be sent to another thread but not shared.
    Own(Mutex<Graph>),
    /// One thread runs it for all.
    Shared(Mutex<Shared>),
}

impl Torch {
    /// Loads `model` onto the device and runs it once.
    ///
    /// # Errors
    /// [`NetworkError::Model`] if the graph has an operator, attribute or attribute value that is not supported here,
    /// [`NetworkError::Shape`] if its outputs are not those of `signature`.
    pub(super) fn new(model: &Model, signature: &Signature, device: Device) -> Result<Torch, NetworkError> {
        Torch::with_rows(model, signature, device, device.is_cuda().then_some(ROWS_ON_GPU))
    }

    /// As [`Torch::new`]. If `rows` is given, one thread runs the network for all, in batches of this size.
    fn with_rows(
        model: &Model,
        signature: &Signature,
        device: Device,
        rows: Option<usize>,
    ) -> Result<Torch, NetworkError> {
        let model_error = |reason: String| NetworkError::model(model.name(), reason);
        model.graph().node.iter().try_for_each(operators::check).map_err(model_error)?;
        let constants =
            Constants::of(model.graph(), device).map_err(|error| model_error(error.to_string()))?;
        let graph = Graph {
            last_uses: last_uses(model),
            model: model.clone(),
            signature: signature.clone(),
            constants,
            device,
        };
        let kind = match rows {
            Some(rows) => Kind::Shared(Mutex::new(Shared::new(graph, rows))),
            None => Kind::Own(Mutex::new(graph)),
        };
        let torch = Torch { name: model.name().to_owned(), device, kind };
        // As on the CPU: a network that loads also runs.
        let mut batch = Batch::new(&signature.inputs);
        let zeros: Vec<Vec<f32>> = signature.inputs.iter().map(|shape| vec![0.0; length(shape)]).collect();
        batch.push(&zeros.iter().map(Vec::as_slice).collect::<Vec<_>>());
        torch.runner().run(&batch, &mut |_, _, _| ())?;
        Ok(torch)
    }
}

impl Debug for Torch {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Torch")
            .field("name", &self.name)
            .field("device", &self.device)
            .finish_non_exhaustive()
    }
}

impl Program for Torch {
    fn runner(&self) -> Box<dyn Runner> {
        match &self.kind {
            Kind::Own(graph) => {
                // Shallow copies: all threads read the same weights.
                Box::new(graph.lock().unwrap_or_else(PoisonError::into_inner).shallow_clone())
            }
            Kind::Shared(shared) => shared.lock().unwrap_or_else(PoisonError::into_inner).runner(),
        }
    }
}

/// Runs a model on one thread.
struct Graph {
    model: Model,
    signature: Signature,
    constants: Constants,
    /// For each value, the index of the last node that reads it.
    last_uses: HashMap<String, usize>,
    device: Device,
}

thread_local! {
    /// Limits libtorch to one thread, because its own threads would compete with those that run searches.
    static ALONE: () = tch::set_num_threads(1);
}

impl Graph {
    fn shallow_clone(&self) -> Graph {
        let Graph { model, signature, constants, last_uses, device } = self;
        Graph {
            model: model.clone(),
            signature: signature.clone(),
            constants: constants.shallow_clone(),
            last_uses: last_uses.clone(),
            device: *device,
        }
    }

    /// The outputs for all rows of `batch`, each flat.
    fn outputs(&self, batch: &Batch) -> Result<Vec<Vec<f32>>, TchError> {
        let graph = self.model.graph();
        let mut values: HashMap<&str, Tensor> = HashMap::new();
        for (index, (input, shape)) in self.model.inputs().zip(&self.signature.inputs).enumerate() {
            let sizes: Vec<i64> = [batch.rows()].iter().chain(shape).map(|size| *size as i64).collect();
            let rows = Tensor::from_slice(batch.all(index)).f_view(sizes.as_slice())?;
            values.insert(&input.name, rows.f_to_device(self.device)?);
        }
        for (index, node) in graph.node.iter().enumerate() {
            let result = compute::apply(node, &values, &self.constants)?;
            values.insert(&node.output[0], result);
            // With large batches, values that are no longer needed would fill the memory.
            values.retain(|name, _| self.last_uses.get(*name).is_some_and(|last| *last > index));
        }
        graph
            .output
            .iter()
            .map(|output| {
                let value = values.remove(output.name.as_str());
                let value = value.ok_or_else(|| compute::missing(&output.name))?;
                value.f_contiguous()?.f_flatten(0, -1)?.f_to_device(Device::Cpu)?.try_into()
            })
            .collect()
    }
}

impl Runner for Graph {
    fn max_rows(&self) -> usize {
        ROWS_ON_CPU
    }

    fn run(&mut self, batch: &Batch, read: &mut dyn FnMut(usize, usize, &[f32])) -> Result<(), NetworkError> {
        ALONE.with(|()| ());
        let (name, rows) = (self.model.name(), batch.rows());
        let outputs = tch::no_grad(|| self.outputs(batch))
            .map_err(|error| NetworkError::model(name, error.to_string()))?;
        for (place, numbers) in outputs.iter().enumerate() {
            // A model that works for the one row tried at loading may still fail for a batch.
            self.signature.check_output(name, place, numbers.len(), rows)?;
        }
        for row in 0..rows {
            for (place, numbers) in outputs.iter().enumerate() {
                let length = numbers.len() / rows;
                read(row, place, &numbers[row * length..][..length]);
            }
        }
        Ok(())
    }
}

/// For each value, the index of the last node that reads it. Outputs are needed after all nodes.
fn last_uses(model: &Model) -> HashMap<String, usize> {
    let graph = model.graph();
    let mut last = HashMap::new();
    for (index, node) in graph.node.iter().enumerate() {
        last.extend(node.input.iter().map(|name| (name.clone(), index)));
    }
    last.extend(graph.output.iter().map(|output| (output.name.clone(), usize::MAX)));
    last
}

#[cfg(test)]
mod tests {
    use crate::onnx::{GraphProto, ModelProto, NodeProto, ValueInfoProto};
    use prost::Message as _;

    use super::*;

    fn value(name: &str) -> ValueInfoProto {
        ValueInfoProto { name: name.to_owned(), ..Default::default() }
    }

    fn node(operator: &str, input: &[&str], output: &str) -> NodeProto {
        NodeProto {
            op_type: operator.to_owned(),
            input: input.iter().map(|&name| name.to_owned()).collect(),
            output: vec![output.to_owned()],
            ..Default::default()
        }
    }

    /// A model of these nodes with an input x and an output y of two numbers each.
    fn torch(nodes: Vec<NodeProto>) -> Result<Torch, NetworkError> {
        torch_with_rows(nodes, None)
    }

    fn torch_with_rows(nodes: Vec<NodeProto>, rows: Option<usize>) -> Result<Torch, NetworkError> {
        let graph = GraphProto {
            node: nodes,
            input: vec![value("x")],
            output: vec![value("y")],
            ..Default::default()
        };
        let proto = ModelProto { graph: Some(graph), ..Default::default() };
        let model = Model::new("small", &proto.encode_to_vec())?;
        let signature = Signature { inputs: vec![vec![2]], outputs: vec![vec![2]] };
        Torch::with_rows(&model, &signature, Device::Cpu, rows)
    }

    #[test]
    fn each_row_of_a_batch_gets_its_own_output() {
        let torch = torch(vec![node("Relu", &["x"], "half"), node("Add", &["half", "x"], "y")]).unwrap();
        let mut batch = Batch::new(&[vec![2]]);
        batch.push(&[&[1.0, -1.0]]);
        batch.push(&[&[3.0, 0.5]]);
        let mut found = Vec::new();
        torch
            .runner()
            .run(&batch, &mut |row, place, numbers| found.push((row, place, numbers.to_vec())))
            .unwrap();
        assert_eq!(found, [(0, 0, vec![2.0, -1.0]), (1, 0, vec![6.0, 1.0])]);
    }

    #[test]
    fn a_graph_that_fails_or_has_other_outputs_is_an_error() {
        for nodes in [
            vec![node("Relu", &["nothing"], "y")],
            vec![node("Relu", &["x"], "z")],
            vec![node("GlobalAveragePool", &["x"], "y")],
            vec![node("LogSoftmax", &["x"], "y")],
        ] {
            let error = torch(nodes).unwrap_err().to_string();
            assert!(error.starts_with("network small: "), "{error}");
        }
    }

    /// Many threads share the thread that runs the network. Some of their requests are larger than a batch.
    #[test]
    fn threads_that_share_a_network_get_their_own_answers() {
        let nodes = || vec![node("Relu", &["x"], "half"), node("Add", &["half", "x"], "y")];
        let torch = torch_with_rows(nodes(), Some(8)).unwrap();
        std::thread::scope(|scope| {
            for thread in 0..6 {
                let mut runner = torch.runner();
                scope.spawn(move || {
                    for round in 0..50 {
                        let rows = 1 + (thread + round) % 20;
                        let mut batch = Batch::new(&[vec![2]]);
                        let number = |row: usize| (100 * thread + row) as f32;
                        (0..rows).for_each(|row| batch.push(&[&[number(row), -number(row)]]));
                        let mut found = Vec::new();
                        runner
                            .run(&batch, &mut |row, _, numbers| found.push((row, numbers.to_vec())))
                            .unwrap();
                        let expected = |row| (row, vec![2.0 * number(row), -number(row)]);
                        assert_eq!(found, (0..rows).map(expected).collect::<Vec<_>>());
                    }
                });
            }
        });
    }

    #[test]
    fn a_shared_network_is_dropped_with_its_last_user() {
        let torch = torch_with_rows(vec![node("Relu", &["x"], "y")], Some(4)).unwrap();
        let Kind::Shared(shared) = &torch.kind else { panic!("not shared") };
        let watch = shared.lock().unwrap().watch();
        let runner = torch.runner();
        drop(torch);
        assert!(watch.upgrade().is_some(), "there is still a runner");
        drop(runner);
        assert!(watch.upgrade().is_none());
    }

    #[test]
    fn a_failing_shared_network_is_an_error() {
        for nodes in [vec![node("Relu", &["nothing"], "y")], vec![node("GlobalAveragePool", &["x"], "y")]] {
            let error = torch_with_rows(nodes, Some(4)).unwrap_err().to_string();
            assert!(error.starts_with("network small: "), "{error}");
        }
    }
}
