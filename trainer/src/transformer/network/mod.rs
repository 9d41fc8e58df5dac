//! The transformer, which predicts moves from the last moves and the board.
//!
//! As for towers, [`Transformer::build`] describes the network once, with the operations of [`Graph`].

mod compute;
mod graph;

pub use compute::Compute;
use entente_network::encoding::transformer::{RIGHTS, SQUARE_TOKENS, SQUARES, vocabulary};

pub use graph::Graph;
use serde::{Deserialize, Serialize};

use crate::network::weights::{Init, WeightShape};

/// Added to the attention scores of padding, so that it is ignored.
pub const PADDED: f64 = -1e9;
/// Added to variances in layer norms.
pub const NORM_EPSILON: f64 = 1e-5;

/// The sizes of a transformer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Transformer {
    /// Number of values per token.
    pub width: i64,
    /// Number of attention heads, which divide `width` among them.
    pub heads: i64,
    /// Number of values between the two linear layers after attention.
    pub hidden: i64,
    /// Number of last moves that the network sees.
    pub moves: i64,
    /// Number of layers in the encoder of moves.
    pub move_layers: i64,
    /// Number of layers in the encoder of the board.
    pub board_layers: i64,
    /// Number of values to which the board is condensed.
    pub board: i64,
    /// Number of values computed from the rights.
    pub rights: i64,
    /// Number of values in the fusion layer.
    pub fusion: i64,
    /// Whether the rights are also added to every square, so that the board encoder knows the side to move. In the
    /// paper's network, this information arrives only in the fusion layer.
    #[serde(default)]
    pub rights_on_board: bool,
}

/// The state of an encoder: the sequence after some of its layers.
struct Encoder<'a, T> {
    sequence: T,
    tokens: i64,
    mask: Option<&'a T>,
}

impl Transformer {
    /// Builds the logits of all moves from the last `moves`, the `squares` and the `rights`; see
    /// [`entente_network::encoding::transformer`].
    ///
    /// The encoder of moves gives the output for the last token. The encoder of the board gives the outputs for all
    /// squares, condensed by a linear layer. A fusion layer combines both with the rights. Norms come first in each
    /// part of a layer (Xiong et al. 2020).
    pub fn build<G: Graph>(
        &self,
        graph: &mut G,
        moves: &G::Flow,
        squares: &G::Flow,
        rights: &G::Flow,
    ) -> G::Flow {
        let Transformer { width, .. } = *self;
        let kinds = vocabulary().len() as i64;
        let mask = graph.mask(moves, self.moves);
        let sequence = graph.embed(moves, kinds + 1, width);
        let sequence = graph.place(&sequence, self.moves, width);
        let mut encoder = Encoder { sequence, tokens: self.moves, mask: Some(&mask) };
        for layer in 1..=self.move_layers {
            // The last layer only computes the last token.
            encoder.sequence = self.layer(graph, &encoder, layer == self.move_layers);
        }
        let moves = graph.norm(&encoder.sequence, width);
        let moves = graph.flatten(&moves);

        let mut sequence = graph.embed(squares, SQUARE_TOKENS as i64, width);
        sequence = graph.place(&sequence, SQUARES as i64, width);
        if self.rights_on_board {
            let shown = graph.linear(rights, RIGHTS as i64, width, Init::He);
            let shown = graph.token(&shown, width);
            sequence = graph.add(&sequence, &shown);
        }
        let mut encoder = Encoder { sequence, tokens: SQUARES as i64, mask: None };
        for _ in 0..self.board_layers {
            encoder.sequence = self.layer(graph, &encoder, false);
        }
        let board = graph.norm(&encoder.sequence, width);
        let board = graph.flatten(&board);
        let board = graph.linear(&board, SQUARES as i64 * width, self.board, Init::He);
        let board = graph.relu(&board);

        let rights = graph.linear(rights, RIGHTS as i64, self.rights, Init::He);
        let fused = graph.concat(&[&moves, &board, &rights]);
        let fused = graph.linear(&fused, width + self.board + self.rights, self.fusion, Init::He);
        let fused = graph.relu(&fused);
        graph.linear(&fused, self.fusion, kinds, Init::Zero)
    }

    /// An encoder layer: attention, and two linear layers for each token, both with residual connections.
    fn layer<G: Graph>(&self, graph: &mut G, encoder: &Encoder<'_, G::Flow>, only_last: bool) -> G::Flow {
        let Transformer { width, heads, hidden, .. } = *self;
        let Encoder { sequence, tokens, mask } = encoder;
        let normed = graph.norm(sequence, width);
        let [keys, values] = [(); 2].map(|()| graph.linear(&normed, width, width, Init::He));
        let asking = if only_last { graph.last(&normed, *tokens) } else { normed };
        let queries = graph.linear(&asking, width, width, Init::He);
        let found = graph.attention([&queries, &keys, &values], width, heads, *mask);
        let found = graph.linear(&found, width, width, Init::Zero);
        let before = if only_last { Some(graph.last(sequence, *tokens)) } else { None };
        let sum = graph.add(before.as_ref().unwrap_or(sequence), &found);
        let normed = graph.norm(&sum, width);
        let inner = graph.linear(&normed, width, hidden, Init::He);
        let inner = graph.relu(&inner);
        let inner = graph.linear(&inner, hidden, width, Init::Zero);
        graph.add(&sum, &inner)
    }

    /// The shapes of the weights, in order.
    pub fn weight_shapes(&self) -> Vec<WeightShape> {
        let mut shapes = graph::Shapes::default();
        self.build(&mut shapes, &(), &(), &());
        shapes.0
    }
}
