use tch::{Device, Tensor};

use super::{
    loss::{Losses, Taught, Weights, loss},
    taught::Teacher,
};
use crate::{
    network::{
        Precision,
        tower::{Compute, Tower},
    },
    samples::goal::{Batch, Sample},
};

/// What gradients depend on, apart from weights and samples.
#[derive(Clone, Debug)]
pub(super) struct Objective {
    pub tower: Tower,
    pub precision: Precision,
    pub weights: Weights,
    /// A policy to learn from, in addition to the moves that were played.
    pub teacher: Option<Teacher>,
    /// The weight of labels in the loss, for samples with labels.
    pub labels: f64,
    pub device: Device,
}

/// The gradient of the loss of `samples` at the row `weights`, and the parts of the loss: moves, satisfaction value,
/// action value and result.
pub(super) fn gradient(objective: &Objective, samples: &[Sample], weights: &Tensor) -> (Tensor, Vec<f64>) {
    let flat = weights.detach().set_requires_grad(true);
    let weights = objective.tower.weights(flat.shallow_clone());
    let batch = Batch::new(samples, &objective.tower, objective.device);
    let Objective { tower, precision, .. } = objective;
    // Only the action value of the move that was played is learned.
    let outputs =
        Compute::outputs(tower, &weights, &batch.planes, &batch.features, Some(&batch.origins()), *precision);
    let taught = match &objective.teacher {
        Some(teacher) => Some(teacher.expects(samples, &batch, *precision)),
        None if objective.labels > 0.0 => {
            Some(Taught { expected: batch.labels.shallow_clone(), share: &batch.labelled * objective.labels })
        }
        None => None,
    };
    let (loss, Losses { policy, value, action_value, result }) =
        loss(&outputs, &batch, taught.as_ref(), objective.weights);
    loss.backward();
    (flat.grad(), vec![policy, value, action_value, result])
}
