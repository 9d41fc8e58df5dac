use entente_network::encoding::transformer::vocabulary;
use shakmaty::Position;
use tch::{Device, Kind, Tensor};

use crate::{
    network::weights::Weights,
    training::Teacher,
    transformer::{
        MoveSample, batch, index,
        network::{Compute, Transformer},
    },
};

/// What gradients depend on, apart from weights and samples.
#[derive(Clone, Debug)]
pub(super) struct Objective {
    pub transformer: Transformer,
    pub device: Device,
    pub teacher: Option<Teacher>,
}

impl Objective {
    /// The gradient of the loss of `samples` at the row `weights`. Also returns the cross-entropy of the moves that
    /// were played, among all moves of the vocabulary, and the share of samples in which the move played was the most
    /// likely one.
    ///
    /// The loss is this cross-entropy. With a teacher, it is a weighted mean of this and of the cross-entropy against
    /// the teacher's probabilities.
    pub(super) fn gradient(&self, samples: &[MoveSample], weights: &Tensor) -> (Tensor, Vec<f64>) {
        let flat = weights.detach().set_requires_grad(true);
        let weights = Weights::of(self.transformer.weight_shapes(), flat.shallow_clone());
        let (inputs, next) = batch(samples, self.transformer.moves as usize, self.device);
        let logits = Compute::logits(&self.transformer, &weights, &inputs);
        let logs = logits.log_softmax(-1, Kind::Float);
        let played = -logs.gather(1, &next.unsqueeze(1), false).mean(Kind::Float);
        let loss = match &self.teacher {
            None => played.shallow_clone(),
            Some(teacher) => {
                let size = [samples.len() as i64, vocabulary().len() as i64];
                let taught =
                    Tensor::from_slice(&expected(teacher, samples)).view(size).to_device(self.device);
                let taught = -(taught * &logs).sum(Kind::Float) / size[0];
                &played * (1.0 - teacher.share()) + taught * teacher.share()
            }
        };
        loss.backward();
        let right = logits.argmax(1, false).eq_tensor(&next).to_kind(Kind::Float).mean(Kind::Float);
        (flat.grad(), vec![played.double_value(&[]), right.double_value(&[])])
    }
}

/// The teacher's probability of each move of the vocabulary, with one row per sample; 0 for illegal moves.
fn expected(teacher: &Teacher, samples: &[MoveSample]) -> Vec<f32> {
    let legal: Vec<_> = samples.iter().map(|sample| sample.position.legal_moves()).collect();
    let queries: Vec<_> = samples.iter().zip(&legal).map(|(sample, legal)| sample.query(legal)).collect();
    let mut all = vec![0.0; samples.len() * vocabulary().len()];
    let rows = all.chunks_mut(vocabulary().len()).zip(&legal);
    for ((row, legal), probabilities) in rows.zip(teacher.expects(&queries)) {
        for (m, probability) in legal.iter().zip(probabilities) {
            row[index(*m)] = probability;
        }
    }
    all
}
