//! The graph of a model as it is prepared for running.

use std::collections::HashMap;

use super::{
    head::Head,
    layer::{Fused, Rows},
    operators::{Inputs, Operator, operator},
    tensor::{Elements, Tensor},
};
use crate::{
    memory::Sizes,
    model::Model,
    onnx::{GraphProto, NodeProto},
};

/// The number of a value in its graph.
pub(super) type ValueId = usize;

/// The operators of a model in their order, and its values.
pub(super) struct Graph<'a> {
    /// The nodes that are left; `None` for those that others have taken over.
    pub nodes: Vec<Option<Node<'a>>>,
    pub values: Vec<Value>,
    pub inputs: Vec<ValueId>,
    pub outputs: Vec<ValueId>,
}

/// An operator with what it reads and gives.
pub(super) struct Node<'a> {
    pub proto: &'a NodeProto,
    pub work: Work,
    pub inputs: Vec<Option<ValueId>>,
    pub outputs: Vec<ValueId>,
}

/// What a node does.
pub(super) enum Work {
    /// An ONNX operator, computed as its specification says.
    Plain(Operator),
    /// The first input in the shape of the output.
    View,
    /// A layer with its steps. The first input is the layer's, the others are the operands of the steps.
    Fused(Fused),
    /// The last two layers before an output for moves. The first input is the board, the others are operands.
    Head(Head),
}

/// What is known about a value.
#[derive(Clone, Debug)]
pub(super) struct Value {
    /// The value, if it does not depend on the inputs.
    pub constant: Option<Tensor>,
    pub shape: Rows,
    /// Whether it has floats, and not integers.
    pub is_float: bool,
    /// How many inputs of nodes and outputs of the graph it is.
    pub uses: usize,
    /// The place of the node that gives it.
    pub giver: Option<usize>,
}

impl<'a> Graph<'a> {
    /// The graph of `model`, with the sizes of all values for one row and, if it can run several, for two.
    ///
    /// # Errors
    /// If an operator is not supported, or its constant inputs do not fit.
    pub(super) fn new(
        model: &'a Model,
        one_row: &Sizes,
        two_rows: Option<&Sizes>,
    ) -> Result<Graph<'a>, String> {
        let shapes = Shapes { one_row, two_rows };
        let mut building = Building { names: HashMap::new(), values: Vec::new(), shapes };
        let proto = model.graph();
        for weights in &proto.initializer {
            let tensor =
                Tensor::read(weights).map_err(|reason| format!("weights '{}': {reason}", weights.name))?;
            building.constant(&weights.name, tensor);
        }
        let inputs = model.inputs().map(|input| building.value(&input.name, true)).collect();
        let operator_set = operator_set(model);
        let mut nodes = Vec::new();
        for node in &proto.node {
            let named = |reason: String| format!("{}: {reason}", crate::memory::called(node));
            nodes.extend(building.node(node, operator_set).map_err(named)?.map(Some));
        }
        let outputs = outputs(proto, &building.names)?;
        let mut graph = Graph { nodes, values: building.values, inputs, outputs };
        let read = graph.nodes.iter().flatten().flat_map(|node| node.inputs.iter().flatten());
        for value in read.chain(&graph.outputs).copied().collect::<Vec<_>>() {
            graph.values[value].uses += 1;
        }
        for (place, node) in graph.nodes.iter().enumerate() {
            let given = node.iter().flat_map(|node| &node.outputs);
            given.for_each(|value| graph.values[*value].giver = Some(place));
        }
        Ok(graph)
    }

    /// A new constant.
    pub(super) fn add_constant(&mut self, shape: Vec<usize>, numbers: Vec<f32>) -> ValueId {
        let rows = Rows { are_own: false, row: shape.clone() };
        let constant = Some(Tensor::floats(shape, numbers));
        self.values.push(Value { constant, shape: rows, is_float: true, uses: 0, giver: None });
        self.values.len() - 1
    }

    /// The numbers of a value that is a constant.
    pub(super) fn constant(&self, value: ValueId) -> Option<&[f32]> {
        self.values[value].constant.as_ref()?.as_floats().ok()
    }

    /// The place of the node that gives a value, if it is still there.
    pub(super) fn giver(&self, value: ValueId) -> Option<usize> {
        self.values[value].giver.filter(|place| self.nodes[*place].is_some())
    }
}

/// The version of ONNX's operators that the file uses.
fn operator_set(model: &Model) -> i64 {
    let sets = &model.proto().opset_import;
    sets.iter().find(|set| matches!(set.domain.as_str(), "" | "ai.onnx")).map_or(i64::MAX, |set| set.version)
}

fn outputs(proto: &GraphProto, names: &HashMap<&str, ValueId>) -> Result<Vec<ValueId>, String> {
    let find =
        |name: &str| names.get(name).copied().ok_or_else(|| format!("no node gives its output '{name}'"));
    proto.output.iter().map(|output| find(&output.name)).collect()
}

/// The sizes of all values.
struct Shapes<'a> {
    one_row: &'a Sizes,
    two_rows: Option<&'a Sizes>,
}

impl Shapes<'_> {
    /// The shape of a value with this name.
    fn of(&self, name: &str) -> Rows {
        let row = self.one_row.get(name).cloned().unwrap_or_default();
        let are_own = self.two_rows.is_some_and(|sizes| sizes.get(name) != Some(&row));
        Rows { are_own, row }
    }
}

struct Building<'a, 's> {
    names: HashMap<&'a str, ValueId>,
    values: Vec<Value>,
    shapes: Shapes<'s>,
}

impl<'a> Building<'a, '_> {
    fn constant(&mut self, name: &'a str, tensor: Tensor) {
        let shape = Rows { are_own: false, row: tensor.shape.clone() };
        let is_float = matches!(tensor.elements, Elements::Floats(_));
        self.add(name, Value { constant: Some(tensor), shape, is_float, uses: 0, giver: None });
    }

    fn value(&mut self, name: &'a str, is_float: bool) -> ValueId {
        let shape = self.shapes.of(name);
        self.add(name, Value { constant: None, shape, is_float, uses: 0, giver: None })
    }

    fn add(&mut self, name: &'a str, value: Value) -> ValueId {
        self.values.push(value);
        let id = self.values.len() - 1;
        self.names.insert(name, id);
        id
    }

    /// The node; `None` if its outputs are constants, which are computed here.
    fn node(&mut self, proto: &'a NodeProto, operator_set: i64) -> Result<Option<Node<'a>>, String> {
        let compute = operator(proto, operator_set)?;
        let find = |name: &String| match name.as_str() {
            "" => Ok(None),
            name => self
                .names
                .get(name)
                .copied()
                .map(Some)
                .ok_or_else(|| format!("its input '{name}' is not given by any node before it")),
        };
        let inputs = proto.input.iter().map(find).collect::<Result<Vec<_>, _>>()?;
        let constants = inputs.iter().map(|input| match input {
            Some(id) => self.values[*id].constant.as_ref().map(Some),
            None => Some(None),
        });
        if let Some(constants) = constants.collect::<Option<Vec<Option<&Tensor>>>>() {
            let outputs = compute(Inputs(&constants))?;
            proto.output.iter().zip(outputs).for_each(|(name, tensor)| self.constant(name, tensor));
            return Ok(None);
        }
        let is_float = self.gives_floats(proto, &inputs);
        let outputs = proto.output.iter().map(|name| self.value(name, is_float)).collect();
        Ok(Some(Node { proto, work: Work::Plain(compute), inputs, outputs }))
    }

    /// Whether a node gives floats.
    fn gives_floats(&self, proto: &NodeProto, inputs: &[Option<ValueId>]) -> bool {
        let of_input =
            |place: usize| inputs.get(place).copied().flatten().is_some_and(|id| self.values[id].is_float);
        match proto.op_type.as_str() {
            "ArgMax" | "ArgMin" | "Equal" | "Greater" | "GreaterOrEqual" | "Less" | "LessOrEqual"
            | "Shape" | "Size" | "Range" => false,
            // Numbers of floats in `DataType`.
            "Cast" => matches!(proto.integer("to", 1), 1 | 10 | 11 | 16),
            "ConstantOfShape" => {
                proto.tensor("value").is_none_or(|tensor| matches!(tensor.data_type, 1 | 10 | 11 | 16))
            }
            "Where" => of_input(1),
            _ => of_input(0),
        }
    }
}
