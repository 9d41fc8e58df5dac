use std::sync::Arc;

use entente_search::scorer::{
    EvaluationError, EvaluationNetwork, NetworkScorer,
    piece_squares::{BUCKETS, INPUTS},
};
use tch::Tensor;

use super::{
    Learner, by_scorer,
    gradient::{Gradient, mean_gradient, outputs},
    of_logit, row,
    weights::Weights,
};
use crate::evaluations::LabelledPosition;

/// The networks `evaluation` and `evaluation-wide`, with `WIDTH` neurons for each side.
pub(crate) struct Accumulators<const WIDTH: usize> {
    score_weight: f32,
    /// One gradient for each thread.
    parts: Vec<Gradient<WIDTH>>,
}

impl<const WIDTH: usize> Accumulators<WIDTH> {
    /// Learns from the engine's score, with the weight `score_weight`, and from the result of the game, with the
    /// remaining weight.
    pub(crate) fn new(score_weight: f32, threads: usize) -> Accumulators<WIDTH> {
        Accumulators { score_weight, parts: (0..threads).map(|_| Gradient::default()).collect() }
    }
}

impl<const WIDTH: usize> Learner for Accumulators<WIDTH> {
    fn count(&self) -> usize {
        Weights::<WIDTH>::COUNT
    }

    fn description(&self) -> String {
        format!(
            "{INPUTS} piece-squares → {WIDTH} neurons for each side, clipped and squared → 1 output, one of {BUCKETS} \
             according to the number of men; 16-bit integers"
        )
    }

    fn random(&self, seed: u64) -> Tensor {
        Weights::<WIDTH>::random(seed)
    }

    fn gradient(&mut self, weights: &Tensor, positions: &[LabelledPosition]) -> (Tensor, f64) {
        let (gradient, loss) = mean_gradient(&mut self.parts, &row(weights), positions, self.score_weight);
        (Tensor::from_slice(&gradient).to_device(weights.device()), loss)
    }

    fn chances(&self, weights: &Tensor, positions: &[LabelledPosition]) -> Vec<f32> {
        outputs::<WIDTH>(&row(weights), positions).into_iter().map(of_logit).collect()
    }

    fn file(&self, name: &str, weights: &Tensor, origin: String) -> Result<Vec<u8>, EvaluationError> {
        Ok(Weights::<WIDTH>::quantised(name, &row(weights))?.to_bytes(Some(origin)))
    }

    fn played(
        &self,
        name: &str,
        file: &[u8],
        positions: &[LabelledPosition],
    ) -> Result<Vec<f32>, EvaluationError> {
        let network = EvaluationNetwork::<WIDTH>::from_bytes(name, file)?;
        Ok(by_scorer(&NetworkScorer::new(Arc::new(network)), positions))
    }
}
