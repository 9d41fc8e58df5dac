use std::{
    fmt::{self, Debug, Formatter},
    sync::Arc,
};

use prost::Message as _;

use super::{
    NetworkError,
    onnx::{
        GraphProto, ModelProto, TensorShapeProto, ValueInfoProto, check_size, tensor_shape_proto::dimension,
        type_proto,
    },
    shape::{Shape, by},
};

/// An ONNX model as read from its file, before a backend prepares it.
#[derive(Clone)]
pub(crate) struct Model {
    name: String,
    proto: Arc<ModelProto>,
}

impl Model {
    /// Reads an ONNX file; `name` is the embedded name or the path.
    ///
    /// # Errors
    /// [`NetworkError::Model`] if it is not an ONNX model.
    pub(crate) fn new(name: &str, bytes: &[u8]) -> Result<Model, NetworkError> {
        check_size(bytes).map_err(|reason| NetworkError::model(name, reason))?;
        let proto =
            ModelProto::decode(bytes).map_err(|error| NetworkError::model(name, format!("{error:#}")))?;
        if proto.graph.is_none() {
            return Err(NetworkError::model(name, "it has no graph"));
        }
        Ok(Model { name: name.to_owned(), proto: Arc::new(proto) })
    }

    /// The name used in messages.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The whole content of the file.
    pub(crate) fn proto(&self) -> &ModelProto {
        &self.proto
    }

    /// The graph of operators.
    pub(crate) fn graph(&self) -> &GraphProto {
        self.proto.graph.as_ref().expect("checked by `Model::new`")
    }

    /// The value of `key` in the file's `metadata_props`.
    pub(crate) fn metadata(&self, key: &str) -> Option<&str> {
        let entry = self.proto.metadata_props.iter().find(|entry| entry.key == key)?;
        Some(&entry.value)
    }

    /// The same model with only these outputs, in this order. All but the first may be missing.
    ///
    /// # Errors
    /// [`NetworkError::Shape`] if the first one is missing.
    pub(crate) fn with_outputs(&self, names: &[&str]) -> Result<Model, NetworkError> {
        let find = |name: &&str| self.graph().output.iter().find(|output| output.name == **name).cloned();
        let found: Vec<ValueInfoProto> = names.iter().filter_map(find).collect();
        if found.first().is_none_or(|first| first.name != names[0]) {
            let outputs: Vec<&str> = self.graph().output.iter().map(|output| output.name.as_str()).collect();
            let expected = format!("an output called {}", names[0]);
            return Err(NetworkError::shape(&self.name, expected, outputs.join(" and ")));
        }
        let mut proto = ModelProto::clone(&self.proto);
        if let Some(graph) = &mut proto.graph {
            graph.output = found;
        }
        Ok(Model { proto: Arc::new(proto), ..self.clone() })
    }

    /// The inputs, in the model's order. Older exporters list the weights as inputs, too; these are left out.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = &ValueInfoProto> {
        let graph = self.graph();
        let is_weight = |name: &str| graph.initializer.iter().any(|tensor| tensor.name == name);
        graph.input.iter().filter(move |input| !is_weight(&input.name))
    }

    /// The declared shape of each input, for one query; `None` unless it is a batch of one row or of any number of
    /// rows.
    pub(crate) fn input_rows(&self) -> Vec<Option<Shape>> {
        self.inputs()
            .map(|input| match sizes(input).as_slice() {
                [None | Some(1), row @ ..] => row.iter().copied().collect(),
                _ => None,
            })
            .collect()
    }

    /// The declared shapes of the inputs as `1×51×8×8 and 1×102`, with `?` for a size that the model leaves open.
    pub(crate) fn declared_inputs(&self) -> String {
        let shown = self.inputs().map(|input| {
            by(sizes(input).into_iter().map(|size| size.map_or("?".to_owned(), |size| size.to_string())))
        });
        let shown: Vec<String> = shown.collect();
        if shown.is_empty() { "none".to_owned() } else { shown.join(" and ") }
    }
}

/// The declared sizes of a value; `None` for a size that the model leaves open.
fn sizes(value: &ValueInfoProto) -> Vec<Option<usize>> {
    let Some(type_proto::Value::TensorType(tensor)) =
        value.r#type.as_ref().and_then(|kind| kind.value.as_ref())
    else {
        return Vec::new();
    };
    let TensorShapeProto { dim } = tensor.shape.clone().unwrap_or_default();
    dim.iter()
        .map(|dimension| match dimension.value {
            Some(dimension::Value::DimValue(size)) => usize::try_from(size).ok().filter(|size| *size > 0),
            _ => None,
        })
        .collect()
}

impl Debug for Model {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Model").field("name", &self.name).finish_non_exhaustive()
    }
}
