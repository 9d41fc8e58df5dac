use std::fmt::{self, Display, Formatter};

/// One layer of a feed-forward network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layer {
    /// Convolution with a 3×3 kernel, stride 1, no padding, and a bias.
    Conv2d {
        /// Number of input channels.
        input: i64,
        /// Number of output channels.
        output: i64,
    },
    /// max(x, 0).
    Relu,
    /// The maximum of each 2×2 square, with stride 2.
    MaxPool,
    /// All numbers in a row: channels, then rows, then columns.
    Flatten,
    /// Fully connected, with a bias.
    Linear {
        /// Number of inputs.
        input: i64,
        /// Number of outputs.
        output: i64,
    },
}

/// The shape of the data between two layers, without the batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Channels of square planes.
    Planes {
        /// The number of channels.
        channels: i64,
        /// The number of rows and of columns.
        side: i64,
    },
    /// A row of numbers.
    Row(i64),
}

/// The shape of a layer's trainable parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParameterShape {
    /// The number of inputs of each output.
    pub fan_in: i64,
    /// The number of outputs, each of which has a bias.
    pub output: i64,
    /// True for a convolution, whose `fan_in` is 9 × channels.
    pub convolution: bool,
}

impl Layer {
    /// The shape of the output for an `input` of this shape; `None` if the layer cannot have this input.
    pub fn output_shape(self, input: Shape) -> Option<Shape> {
        match (self, input) {
            (Layer::Conv2d { input, output }, Shape::Planes { channels, side }) => {
                (channels == input && side > 2).then_some(Shape::Planes { channels: output, side: side - 2 })
            }
            (Layer::MaxPool, Shape::Planes { channels, side }) => {
                (side % 2 == 0).then_some(Shape::Planes { channels, side: side / 2 })
            }
            (Layer::Flatten, Shape::Planes { channels, side }) => Some(Shape::Row(channels * side * side)),
            (Layer::Linear { input, output }, Shape::Row(length)) => {
                (length == input).then_some(Shape::Row(output))
            }
            (Layer::Relu, shape) => Some(shape),
            _ => None,
        }
    }

    /// The shape of the layer's trainable parameters, if it has any.
    pub fn parameters(self) -> Option<ParameterShape> {
        match self {
            Layer::Conv2d { input, output } => {
                Some(ParameterShape { fan_in: 9 * input, output, convolution: true })
            }
            Layer::Linear { input, output } => {
                Some(ParameterShape { fan_in: input, output, convolution: false })
            }
            _ => None,
        }
    }
}

impl Display for Layer {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Layer::Conv2d { input, output } => write!(f, "conv 3×3 {input}→{output}"),
            Layer::Relu => f.write_str("ReLU"),
            Layer::MaxPool => f.write_str("max pool 2×2"),
            Layer::Flatten => f.write_str("flatten"),
            Layer::Linear { input, output } => write!(f, "linear {input}→{output}"),
        }
    }
}
