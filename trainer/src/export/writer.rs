use entente_network::onnx::{AttributeProto, GraphProto, NodeProto, TensorProto, tensor_proto::DataType};
use tch::{Kind, Tensor};

use super::onnx::initializer;
use crate::network::weights::Weights;

/// Writes a graph node by node. The weights of a network are used in their order.
pub(crate) struct Writer {
    pub graph: GraphProto,
    weights: std::vec::IntoIter<Tensor>,
}

impl Writer {
    /// Creates a writer that adds to `graph`.
    pub(crate) fn new(graph: GraphProto, weights: &Weights) -> Writer {
        Writer { graph, weights: weights.tensors(Kind::Float).into_iter() }
    }

    /// Adds a node with this operator and returns the name of its output.
    pub(crate) fn node(&mut self, operator: &str, input: &[&str], attribute: Vec<AttributeProto>) -> String {
        let name = format!("{}_{}", operator.to_lowercase(), self.graph.node.len());
        self.graph.node.push(NodeProto {
            input: input.iter().map(|name| (*name).to_owned()).collect(),
            output: vec![name.clone()],
            name: name.clone(),
            op_type: operator.to_owned(),
            attribute,
            ..Default::default()
        });
        name
    }

    /// Adds the next weights as an initializer and returns its name.
    pub(crate) fn weight(&mut self) -> String {
        let name = format!("weight_{}", self.graph.initializer.len());
        let tensor = self.weights.next().expect("as many weights as layers");
        self.graph.initializer.push(initializer(&name, &tensor));
        name
    }

    /// Adds constant integers with this name, unless they exist.
    pub(crate) fn integers(&mut self, name: &str, integers: &[i64]) -> String {
        let bytes = integers.iter().flat_map(|integer| integer.to_le_bytes()).collect();
        self.constant(name, DataType::Int64, integers.len(), bytes)
    }

    /// Adds a constant number with this name, unless it exists.
    pub(crate) fn number(&mut self, name: &str, number: f32) -> String {
        self.constant(name, DataType::Float, 1, number.to_le_bytes().to_vec())
    }

    fn constant(&mut self, name: &str, kind: DataType, length: usize, bytes: Vec<u8>) -> String {
        if !self.graph.initializer.iter().any(|tensor| tensor.name == name) {
            self.graph.initializer.push(TensorProto {
                dims: vec![length as i64],
                data_type: kind as i32,
                name: name.to_owned(),
                raw_data: bytes,
                ..Default::default()
            });
        }
        name.to_owned()
    }
}
