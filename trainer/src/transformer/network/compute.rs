use tch::{Kind, Tensor};

use super::{Graph, NORM_EPSILON, PADDED, Transformer};
use crate::network::weights::{Init, Weights};

/// Runs a transformer on tensors, in 32 bits, with gradients if its weights require them.
pub struct Compute {
    weights: std::vec::IntoIter<Tensor>,
}

impl Compute {
    /// Computes the logits of all moves [batch, vocabulary] for `moves` [batch, last moves], `squares` [batch, 64] and
    /// `rights` [batch, 6].
    pub fn logits(transformer: &Transformer, weights: &Weights, inputs: &[Tensor; 3]) -> Tensor {
        let mut compute = Compute { weights: weights.tensors(Kind::Float).into_iter() };
        let [moves, squares, rights] = inputs;
        transformer.build(&mut compute, moves, squares, rights)
    }

    fn next(&mut self) -> Tensor {
        self.weights.next().expect("as many weights as layers")
    }
}

/// Reshapes [batch, tokens, width] to [batch, heads, tokens, width / heads].
fn by_head(sequence: &Tensor, heads: i64) -> Tensor {
    let size = sequence.size();
    sequence.view([size[0], size[1], heads, size[2] / heads]).transpose(1, 2)
}

impl Graph for Compute {
    type Flow = Tensor;

    fn embed(&mut self, tokens: &Tensor, _: i64, width: i64) -> Tensor {
        let size = tokens.size();
        let rows = tokens.to_kind(Kind::Int64).flatten(0, -1);
        self.next().index_select(0, &rows).view([size[0], size[1], width])
    }

    fn place(&mut self, sequence: &Tensor, _: i64, _: i64) -> Tensor {
        sequence + self.next()
    }

    fn linear(&mut self, flow: &Tensor, _: i64, _: i64, _: Init) -> Tensor {
        let (weight, bias) = (self.next(), self.next());
        flow.linear(&weight.transpose(0, 1), Some(&bias))
    }

    fn norm(&mut self, sequence: &Tensor, width: i64) -> Tensor {
        let (weight, bias) = (self.next(), self.next());
        sequence.layer_norm([width], Some(&weight), Some(&bias), NORM_EPSILON, false)
    }

    fn attention(&mut self, qkv: [&Tensor; 3], width: i64, heads: i64, mask: Option<&Tensor>) -> Tensor {
        let [q, k, v] = qkv.map(|sequence| by_head(sequence, heads));
        let scores = q.matmul(&k.transpose(2, 3)) * (heads as f64 / width as f64).sqrt();
        let scores = match mask {
            Some(mask) => scores + mask,
            None => scores,
        };
        let found = scores.softmax(-1, Kind::Float).matmul(&v).transpose(1, 2);
        let size = found.size();
        found.reshape([size[0], size[1], width])
    }

    fn mask(&mut self, tokens: &Tensor, _: i64) -> Tensor {
        ((-tokens + 1.0).relu() * PADDED).unsqueeze(1).unsqueeze(1)
    }

    fn last(&mut self, sequence: &Tensor, tokens: i64) -> Tensor {
        sequence.narrow(1, tokens - 1, 1)
    }

    fn token(&mut self, row: &Tensor, _: i64) -> Tensor {
        row.unsqueeze(1)
    }

    fn flatten(&mut self, sequence: &Tensor) -> Tensor {
        sequence.flatten(1, -1)
    }

    fn concat(&mut self, rows: &[&Tensor]) -> Tensor {
        Tensor::cat(rows, 1)
    }

    fn relu(&mut self, flow: &Tensor) -> Tensor {
        flow.relu()
    }

    fn add(&mut self, left: &Tensor, right: &Tensor) -> Tensor {
        left + right
    }
}
