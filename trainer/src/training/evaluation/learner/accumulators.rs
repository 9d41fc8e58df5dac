use std::sync::Arc;

use entente_search::scorer::{
    EvaluationError, EvaluationNetwork, NetworkScorer, WIDTH,
    piece_squares::{BUCKETS, INPUTS},
};
use tch::Tensor;

use super::{
    Learner, by_scorer,
    gradient::{Gradient, mean_gradient},
    of_logit, row,
    weights::{COUNT, quantised, random},
};
use crate::evaluations::LabelledPosition;

/// The network `evaluation`.
pub(crate) struct Accumulators {
    score_weight: f32,
    /// One gradient for each thread.
    parts: Vec<Gradient>,
}

impl Accumulators {
    /// Learns from the engine's score, with the weight `score_weight`, and from the result of the game, with the
    /// remaining weight.
    pub(crate) fn new(score_weight: f32, threads: usize) -> Accumulators {
        Accumulators { score_weight, parts: (0..threads).map(|_| Gradient::default()).collect() }
    }
}

impl Learner for Accumulators {
    fn count(&self) -> usize {
        COUNT
    }

    fn description(&self) -> String {
        format!(
            "{INPUTS} piece-squares → {WIDTH} neurons for each side, clipped and squared → 1 output, one of {BUCKETS} \
             according to the number of men; 16-bit integers"
        )
    }

    fn random(&self, seed: u64) -> Tensor {
        random(seed)
    }

    fn gradient(&mut self, weights: &Tensor, positions: &[LabelledPosition]) -> (Tensor, f64) {
        let (gradient, loss) = mean_gradient(&mut self.parts, &row(weights), positions, self.score_weight);
        (Tensor::from_slice(&gradient).to_device(weights.device()), loss)
    }

    fn chances(&self, weights: &Tensor, positions: &[LabelledPosition]) -> Vec<f32> {
        let (weights, mut gradient) = (row(weights), Gradient::default());
        positions.iter().map(|position| of_logit(gradient.value(&weights, position))).collect()
    }

    fn file(&self, name: &str, weights: &Tensor, origin: String) -> Result<Vec<u8>, EvaluationError> {
        Ok(quantised(name, &row(weights))?.to_bytes(Some(origin)))
    }

    fn played(
        &self,
        name: &str,
        file: &[u8],
        positions: &[LabelledPosition],
    ) -> Result<Vec<f32>, EvaluationError> {
        let network = EvaluationNetwork::from_bytes(name, file)?;
        Ok(by_scorer(&NetworkScorer::new(Arc::new(network)), positions))
    }
}
