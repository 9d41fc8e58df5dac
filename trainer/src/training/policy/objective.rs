use tch::{Device, Tensor};

use super::loss::{Losses, Weights, loss};
use crate::{
    dataset::goal::{Batch, MOST_MOVES, Sample},
    network::{
        Precision,
        tower::{Compute, MOVE_PLANES, Tower},
    },
    training::Teacher,
};

/// What gradients depend on beside weights and samples.
#[derive(Clone, Debug)]
pub struct Objective {
    pub tower: Tower,
    pub precision: Precision,
    pub weights: Weights,
    /// Whom to learn from beside the moves that were played.
    pub teacher: Option<Teacher>,
    pub device: Device,
}

/// The gradient of the loss of `samples` at the row `weights`, and its parts: of moves, the satisfaction value, the action
/// value and the result.
pub fn gradient(objective: &Objective, samples: &[Sample], weights: &Tensor) -> (Tensor, Vec<f64>) {
    let flat = weights.detach().set_requires_grad(true);
    let weights = objective.tower.weights(flat.shallow_clone());
    let batch = Batch::new(samples, objective.device);
    let Objective { tower, precision, .. } = objective;
    // Only the action value of the move that was played is learnt.
    let origins = batch.played_index().divide_scalar_mode(MOVE_PLANES, "floor");
    let outputs =
        Compute::outputs(tower, &weights, &batch.planes, &batch.features, Some(&origins), *precision);
    let taught = objective.teacher.as_ref().map(|teacher| {
        let expected = Tensor::from_slice(&expected(teacher, samples)).view([batch.len(), MOST_MOVES as i64]);
        (expected.to_device(objective.device), teacher.share())
    });
    let (loss, Losses { policy, value, action_value, result }) =
        loss(&outputs, &batch, taught.as_ref(), objective.weights);
    loss.backward();
    (flat.grad(), vec![policy, value, action_value, result])
}

/// The probability that the teacher gives each move, where a batch of these samples lists it: [`MOST_MOVES`] a sample.
fn expected(teacher: &Teacher, samples: &[Sample]) -> Vec<f32> {
    let listed: Vec<_> = samples.iter().map(|sample| sample.listed_moves().0).collect();
    let questions: Vec<_> =
        samples.iter().zip(&listed).map(|(sample, moves)| sample.question(moves)).collect();
    let mut all = vec![0.0; samples.len() * MOST_MOVES];
    for (row, probabilities) in all.chunks_mut(MOST_MOVES).zip(teacher.expects(&questions)) {
        for (place, probability) in row.iter_mut().zip(probabilities) {
            *place = probability;
        }
    }
    all
}
