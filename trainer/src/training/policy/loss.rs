use tch::{Kind, Reduction, Tensor};

use crate::{network::tower::Outputs, samples::goal::Batch};

/// The weights of parts of the loss, relative to the loss of the moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights {
    /// The weight of both satisfaction values.
    pub value: f64,
    /// The weight of the result.
    pub result: f64,
}

/// The parts of a batch's loss. Each is a mean in nats over the samples from which it is learned.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Losses {
    /// Cross-entropy of the moves that were played.
    pub policy: f64,
    /// Binary cross-entropy of the satisfaction value.
    pub value: f64,
    /// Binary cross-entropy of the action value of the move that was played.
    pub action_value: f64,
    /// Cross-entropy of the result.
    pub result: f64,
}

/// The least logarithm of a probability in the loss of a teacher.
const MIN_LOG: f64 = -1e4;

/// The logits of the action value of the moves that were played `[batch]`.
pub(super) fn played_action_value(outputs: &Outputs<Tensor>, batch: &Batch) -> Tensor {
    // The outputs are for all moves, or only for those from the move's origin square.
    let played = batch.played_index().remainder(outputs.action_value.size()[1]).unsqueeze(1);
    outputs.action_value.gather(1, &played, false).squeeze_dim(1).to_kind(Kind::Float)
}

/// The teachers' targets for the moves of a batch.
#[derive(Debug)]
pub(super) struct Taught {
    /// [batch, MAX_MOVES]: the target probability of each move.
    pub expected: Tensor,
    /// `[batch]`: the weight of these targets, from 0 to 1; the move that was played has the remaining weight.
    pub share: Tensor,
}

/// The total loss (a scalar with gradients), and its parts. The loss of the moves is a weighted mean of the
/// cross-entropy of the move that was played and of that against the targets in `taught`.
pub(super) fn loss(
    outputs: &Outputs<Tensor>,
    batch: &Batch,
    taught: Option<&Taught>,
    weights: Weights,
) -> (Tensor, Losses) {
    let logs = batch.log_policy(&outputs.policy);
    let played = logs.gather(1, &batch.played.unsqueeze(1), false).squeeze_dim(1);
    let mean = |sum: Tensor, weights: &Tensor| sum / weights.sum(Kind::Float).clamp_min(1.0);
    let of_moves = |logs: Tensor| mean(-(logs * &batch.policy_weight).sum(Kind::Float), &batch.policy_weight);
    let policy = of_moves(played.shallow_clone());
    let moves = match taught {
        None => policy.shallow_clone(),
        Some(Taught { expected, share }) => {
            // Padding has the probability 0 and the logarithm −∞.
            let sums = (expected * logs.clamp_min(MIN_LOG)).sum_dim_intlist(1, false, Kind::Float);
            of_moves(played.lerp_tensor(&sums, share))
        }
    };
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
    (moves + (value + action_value) * weights.value + result * weights.result, losses)
}

#[cfg(test)]
mod tests {
    use tch::Device;

    use super::*;
    use crate::{
        network::{
            Precision,
            tower::{Compute, Tower},
        },
        samples::goal::{MAX_MOVES, ReplayedGame, Sample, tests::archive},
    };

    #[test]
    fn targets_of_teachers_count_by_their_share() {
        let (games, tower) = (archive(8), Tower::TINY);
        let replayed = |game| (games.info(game), ReplayedGame::new(&games, game));
        let samples: Vec<_> =
            (0..8).map(replayed).map(|(info, replayed)| Sample::plain(info, &replayed, 20)).collect();
        let batch = Batch::new(&samples, &tower, Device::Cpu);
        let weights = tower.random(Device::Cpu, 3);
        // An untrained network considers all legal moves equally likely, so use other logits.
        let mut outputs =
            Compute::outputs(&tower, &weights, &batch.planes, &batch.features, None, Precision::F32);
        outputs.policy = Tensor::arange(outputs.policy.numel() as i64, (Kind::Float, Device::Cpu))
            .sin()
            .view_as(&outputs.policy);
        let only_moves = Weights { value: 0.0, result: 0.0 };
        let of = |taught: Option<(Tensor, f64)>| {
            let taught =
                taught.map(|(expected, share)| Taught { expected, share: batch.labelled.full_like(share) });
            loss(&outputs, &batch, taught.as_ref(), only_moves).0.double_value(&[])
        };
        let one_hot = |places: &Tensor| places.one_hot(MAX_MOVES as i64).to_kind(Kind::Float);
        let played = of(None);
        assert!(
            (of(Some((one_hot(&batch.played), 1.0))) - played).abs() < 1e-5,
            "the targets are the moves that were played"
        );
        let first = one_hot(&batch.played.zeros_like());
        let expected = -batch.log_policy(&outputs.policy).select(1, 0).mean(Kind::Float).double_value(&[]);
        assert!((expected - played).abs() > 0.01, "the targets differ from the moves that were played");
        for share in [0.0, 0.3, 1.0] {
            let mixed = of(Some((first.shallow_clone(), share)));
            assert!((mixed - (share * expected + (1.0 - share) * played)).abs() < 1e-5, "{share}: {mixed}");
        }
    }
}
