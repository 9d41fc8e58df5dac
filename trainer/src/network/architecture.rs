use entente_network::encoding::thesis::PLANES;
use thiserror::Error;

use super::{Layer, ParameterShape, Shape};

/// A feed-forward network: a name, the shape of the input, and the layers. The output is the logit of a probability.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Architecture {
    name: &'static str,
    input: Shape,
    layers: Vec<Layer>,
}

/// Why a network does not exist.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum NetworkError {
    /// No network has this name.
    #[error("unknown network \"{0}\"; expected {names}", names = Architecture::NAMES.map(|name| format!("\"{name}\"")).join(" or "))]
    Unknown(String),
}

impl Architecture {
    /// The names of all networks.
    pub const NAMES: [&'static str; 2] = ["thesis-1", "thesis-2"];

    /// The network with this name.
    ///
    /// # Errors
    ///
    /// If there is no such network.
    pub fn named(name: &str) -> Result<Architecture, NetworkError> {
        match name {
            "thesis-1" => Ok(Architecture::thesis_1()),
            "thesis-2" => Ok(Architecture::thesis_2()),
            _ => Err(NetworkError::Unknown(name.to_owned())),
        }
    }

    /// The network of the first experiment of the thesis (section 6.1.1).
    pub fn thesis_1() -> Architecture {
        let mut layers = Vec::new();
        layers.extend([Layer::Conv2d { input: PLANES as i64, output: 64 }, Layer::Relu]);
        layers.extend([Layer::Conv2d { input: 64, output: 32 }, Layer::Relu]);
        layers.push(Layer::MaxPool);
        Architecture::with_head("thesis-1", layers)
    }

    /// The network of the second experiment of the thesis (section 6.1.2).
    pub fn thesis_2() -> Architecture {
        let mut layers = Vec::new();
        layers.extend([Layer::Conv2d { input: PLANES as i64, output: 64 }, Layer::Relu]);
        layers.extend([Layer::Conv2d { input: 64, output: 64 }, Layer::Relu]);
        layers.extend([Layer::Conv2d { input: 64, output: 32 }, Layer::Relu]);
        Architecture::with_head("thesis-2", layers)
    }

    fn with_head(name: &'static str, mut layers: Vec<Layer>) -> Architecture {
        layers.push(Layer::Flatten);
        layers.extend([Layer::Linear { input: 128, output: 64 }, Layer::Relu]);
        layers.push(Layer::Linear { input: 64, output: 1 });
        let network =
            Architecture { name, input: Shape::Planes { channels: PLANES as i64, side: 8 }, layers };
        network.check();
        network
    }

    /// Panics if the shapes of the layers do not match, or the output is not a single number.
    fn check(&self) {
        let mut shape = self.input;
        for layer in &self.layers {
            let next = layer.output_shape(shape);
            shape = next.unwrap_or_else(|| panic!("{}: {layer} cannot have the input {shape:?}", self.name));
        }
        assert_eq!(shape, Shape::Row(1), "{}", self.name);
    }

    /// The name in recipes and file names.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The shape of the input, without the batch.
    pub fn input(&self) -> Shape {
        self.input
    }

    /// The layers, first to last. The probability is the sigmoid of the last layer's output. In training, the sigmoid
    /// is part of the loss; in ONNX, it is a separate node.
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// The shapes of the parameters of all layers that have any, in order.
    pub fn parameters(&self) -> impl Iterator<Item = ParameterShape> {
        self.layers.iter().filter_map(|layer| layer.parameters())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shapes(network: &Architecture) -> Vec<Shape> {
        let mut shape = network.input();
        let computes = |layer: &&Layer| !matches!(layer, Layer::Relu);
        network
            .layers()
            .iter()
            .filter(computes)
            .map(|layer| {
                shape = layer.output_shape(shape).unwrap();
                shape
            })
            .collect()
    }

    #[test]
    fn the_networks_of_the_thesis_have_the_published_sizes() {
        let planes = |channels, side| Shape::Planes { channels, side };
        let head = [Shape::Row(128), Shape::Row(64), Shape::Row(1)];
        let first = [planes(64, 6), planes(32, 4), planes(32, 2)];
        assert_eq!(shapes(&Architecture::thesis_1()), [&first[..], &head].concat());
        let second = [planes(64, 6), planes(64, 4), planes(32, 2)];
        assert_eq!(shapes(&Architecture::thesis_2()), [&second[..], &head].concat());
    }

    #[test]
    fn every_listed_name_is_known_and_others_are_refused_with_the_list() {
        for name in Architecture::NAMES {
            assert_eq!(Architecture::named(name).unwrap().name(), name);
        }
        let error = Architecture::named("thesis-3").unwrap_err().to_string();
        assert_eq!(error, "unknown network \"thesis-3\"; expected \"thesis-1\" or \"thesis-2\"");
    }
}
