use crate::network::weights::{Init, WeightShape};

/// The operations of towers. Planes are [batch, channels, 8, 8], and rows are [batch, numbers].
///
/// Every convolution, linear layer and bias uses the next weights, so the order of the calls is the order of the
/// weights.
pub trait Graph {
    /// The data between operations.
    type Flow;

    /// A convolution with a bias, stride 1, and zero padding that keeps the size of the board.
    fn conv(&mut self, planes: &Self::Flow, input: i64, output: i64, kernel: i64, init: Init) -> Self::Flow;
    /// A fully connected layer with a bias, from a row to a row.
    fn linear(&mut self, row: &Self::Flow, input: i64, output: i64, init: Init) -> Self::Flow;
    /// Adds a bias to each square of each channel.
    fn square_bias(&mut self, planes: &Self::Flow, channels: i64) -> Self::Flow;
    /// max(x, 0)
    fn relu(&mut self, flow: &Self::Flow) -> Self::Flow;
    /// 1 / (1 + e⁻ˣ)
    fn sigmoid(&mut self, flow: &Self::Flow) -> Self::Flow;
    /// The sum of two values of the same shape.
    fn add(&mut self, left: &Self::Flow, right: &Self::Flow) -> Self::Flow;
    /// Adds each number of a row to all squares of its channel.
    fn add_channels(&mut self, planes: &Self::Flow, row: &Self::Flow) -> Self::Flow;
    /// Multiplies each channel by its number of a row.
    fn multiply_channels(&mut self, planes: &Self::Flow, row: &Self::Flow) -> Self::Flow;
    /// The mean of each channel, as a row.
    fn mean(&mut self, planes: &Self::Flow) -> Self::Flow;
    /// The squares for which action values are computed: all, unless the graph needs fewer.
    fn of_interest(&mut self, planes: &Self::Flow) -> Self::Flow;
    /// All numbers in a row: channels, then rows, then columns.
    fn flatten(&mut self, planes: &Self::Flow) -> Self::Flow;
    /// All numbers in a row: rows, then columns, then channels, which is AlphaZero's order of moves.
    fn moves(&mut self, planes: &Self::Flow) -> Self::Flow;
}

/// Lists the shapes of all weights, in order.
#[derive(Debug, Default)]
pub(super) struct Shapes(pub Vec<WeightShape>);

impl Shapes {
    fn push(&mut self, sizes: &[i64], fan_in: Option<i64>, init: Init) {
        self.0.push(WeightShape { sizes: sizes.to_vec(), fan_in, init });
    }
}

impl Graph for Shapes {
    type Flow = ();

    fn conv(&mut self, (): &(), input: i64, output: i64, kernel: i64, init: Init) {
        self.push(&[output, input, kernel, kernel], Some(input * kernel * kernel), init);
        self.push(&[output], None, Init::Zero);
    }

    fn linear(&mut self, (): &(), input: i64, output: i64, init: Init) {
        self.push(&[output, input], Some(input), init);
        self.push(&[output], None, Init::Zero);
    }

    fn square_bias(&mut self, (): &(), channels: i64) {
        self.push(&[1, channels, 8, 8], None, Init::Zero);
    }

    fn relu(&mut self, (): &()) {}
    fn sigmoid(&mut self, (): &()) {}
    fn add(&mut self, (): &(), (): &()) {}
    fn add_channels(&mut self, (): &(), (): &()) {}
    fn multiply_channels(&mut self, (): &(), (): &()) {}
    fn mean(&mut self, (): &()) {}
    fn of_interest(&mut self, (): &()) {}
    fn flatten(&mut self, (): &()) {}
    fn moves(&mut self, (): &()) {}
}
