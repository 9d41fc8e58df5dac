use crate::network::weights::{Init, WeightShape};

/// The operations of transformers. Tokens are [batch, tokens], sequences are [batch, tokens, width], and rows are
/// [batch, numbers].
///
/// Every embedding, linear layer and norm uses the next weights, so the order of the calls is the order of the weights.
pub trait Graph {
    /// The data between operations.
    type Flow;

    /// An embedding: each token is one of `kinds` kinds and becomes `width` numbers.
    fn embed(&mut self, tokens: &Self::Flow, kinds: i64, width: i64) -> Self::Flow;
    /// Adds positional embeddings to a sequence.
    fn place(&mut self, sequence: &Self::Flow, tokens: i64, width: i64) -> Self::Flow;
    /// A fully connected layer with a bias, over the last dimension of a sequence or a row.
    fn linear(&mut self, flow: &Self::Flow, input: i64, output: i64, init: Init) -> Self::Flow;
    /// Layer normalisation: each token gets the mean 0 and the variance 1, and is scaled and shifted (Ba et al. 2016,
    /// "Layer normalization").
    fn norm(&mut self, sequence: &Self::Flow, width: i64) -> Self::Flow;
    /// Scaled dot-product attention with `heads` heads (Vaswani et al. 2017). `mask` is added to the scores of the
    /// keys.
    fn attention(
        &mut self,
        qkv: [&Self::Flow; 3],
        width: i64,
        heads: i64,
        mask: Option<&Self::Flow>,
    ) -> Self::Flow;
    /// The mask for [`Graph::attention`]: 0 for tokens, and a large negative number for padding, which is the token 0.
    fn mask(&mut self, tokens: &Self::Flow, length: i64) -> Self::Flow;
    /// The last token of a sequence of `tokens` tokens, as a sequence with one token.
    fn last(&mut self, sequence: &Self::Flow, tokens: i64) -> Self::Flow;
    /// A row as a sequence with one token.
    fn token(&mut self, row: &Self::Flow, width: i64) -> Self::Flow;
    /// All numbers of a sequence as a row.
    fn flatten(&mut self, sequence: &Self::Flow) -> Self::Flow;
    /// Concatenates rows.
    fn concat(&mut self, rows: &[&Self::Flow]) -> Self::Flow;
    /// max(x, 0)
    fn relu(&mut self, flow: &Self::Flow) -> Self::Flow;
    /// The sum of two values. A sequence with one token is added to each token.
    fn add(&mut self, left: &Self::Flow, right: &Self::Flow) -> Self::Flow;
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

    fn embed(&mut self, (): &(), kinds: i64, width: i64) {
        self.push(&[kinds, width], Some(width), Init::He);
    }

    fn place(&mut self, (): &(), tokens: i64, width: i64) {
        self.push(&[1, tokens, width], Some(width), Init::He);
    }

    fn linear(&mut self, (): &(), input: i64, output: i64, init: Init) {
        self.push(&[input, output], Some(input), init);
        self.push(&[output], None, Init::Zero);
    }

    fn norm(&mut self, (): &(), width: i64) {
        self.push(&[width], None, Init::One);
        self.push(&[width], None, Init::Zero);
    }

    fn attention(&mut self, _: [&(); 3], _: i64, _: i64, _: Option<&()>) {}
    fn mask(&mut self, (): &(), _: i64) {}
    fn last(&mut self, (): &(), _: i64) {}
    fn token(&mut self, (): &(), _: i64) {}
    fn flatten(&mut self, (): &()) {}
    fn concat(&mut self, _: &[&()]) {}
    fn relu(&mut self, (): &()) {}
    fn add(&mut self, (): &(), (): &()) {}
}
