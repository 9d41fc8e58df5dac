use tch::{Device, Tensor};

use super::loss::{Losses, loss};
use crate::{
    dataset::goal::{Batch, Sample},
    network::{
        Precision,
        tower::{Compute, MOVE_PLANES, Tower},
    },
};

/// What gradients depend on beside weights and samples.
#[derive(Clone, Copy, Debug)]
pub struct Objective {
    pub tower: Tower,
    pub precision: Precision,
    pub value_weight: f64,
    pub result_weight: f64,
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
    let (loss, Losses { policy, value, action_value, result }) =
        loss(&outputs, &batch, objective.value_weight, objective.result_weight);
    loss.backward();
    (flat.grad(), vec![policy, value, action_value, result])
}
