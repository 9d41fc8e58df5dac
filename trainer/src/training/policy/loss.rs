use tch::{Kind, Reduction, Tensor};

use crate::{dataset::goal::Batch, network::tower::Outputs};

/// The parts of a batch's loss, each a mean in nats over the samples that it is learnt from.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Losses {
    /// Cross-entropy of the moves.
    pub policy: f64,
    /// Binary cross-entropy of the satisfaction value.
    pub value: f64,
    /// Binary cross-entropy of the action value of the move that was played.
    pub action_value: f64,
    /// Cross-entropy of the result.
    pub result: f64,
}

/// Logarithms of the probabilities of the legal moves [batch, MOST_MOVES]; −∞ where there is none.
pub fn log_policy(outputs: &Outputs<Tensor>, batch: &Batch) -> Tensor {
    let logits = outputs.policy.gather(1, &batch.legal, false).to_kind(Kind::Float);
    (logits + &batch.mask).log_softmax(1, Kind::Float)
}

/// The logits of the action value of the moves that were played [batch].
pub fn played_action_value(outputs: &Outputs<Tensor>, batch: &Batch) -> Tensor {
    // Of all moves, or of those from the move's square only.
    let played = batch.played_index().remainder(outputs.action_value.size()[1]).unsqueeze(1);
    outputs.action_value.gather(1, &played, false).squeeze_dim(1).to_kind(Kind::Float)
}

/// The loss to be minimised (a scalar with gradients), and its parts.
pub fn loss(
    outputs: &Outputs<Tensor>,
    batch: &Batch,
    value_weight: f64,
    result_weight: f64,
) -> (Tensor, Losses) {
    let played = log_policy(outputs, batch).gather(1, &batch.played.unsqueeze(1), false).squeeze_dim(1);
    let mean = |sum: Tensor, weights: &Tensor| sum / weights.sum(Kind::Float).clamp_min(1.0);
    let policy = mean(-(played * &batch.policy_weight).sum(Kind::Float), &batch.policy_weight);
    let binary = |logits: &Tensor| {
        let sum = logits.binary_cross_entropy_with_logits::<&Tensor>(
            &batch.reached,
            Some(&batch.value_weight),
            None,
            Reduction::Sum,
        );
        mean(sum, &batch.value_weight)
    };
    let value = binary(&outputs.value.squeeze_dim(1));
    let action_value = binary(&played_action_value(outputs, batch));
    let known = batch.result.ge(0).to_kind(Kind::Float);
    let result_logs = outputs.result.log_softmax(1, Kind::Float);
    let result = result_logs.gather(1, &batch.result.clamp_min(0).unsqueeze(1), false).squeeze_dim(1);
    let result = mean(-(result * &known).sum(Kind::Float), &known);
    let number = |tensor: &Tensor| tensor.double_value(&[]);
    let losses = Losses {
        policy: number(&policy),
        value: number(&value),
        action_value: number(&action_value),
        result: number(&result),
    };
    (policy + (value + action_value) * value_weight + result * result_weight, losses)
}
