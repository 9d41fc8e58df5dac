use std::thread::{self, available_parallelism};

use entente_network::encoding::goal_policy::{FEATURES, PLANES, encode};
use shakmaty::Position;
use tch::{Device, Kind, Tensor};

use super::{MAX_MOVES, Sample};
use crate::network::tower::{MOVE_PLANES, Tower};

/// The value of an unknown result.
pub const NO_RESULT: i64 = -1;

/// A batch of samples as tensors.
#[derive(Debug)]
pub struct Batch {
    /// [batch, PLANES, 8, 8]
    pub planes: Tensor,
    /// [batch, FEATURES]
    pub features: Tensor,
    /// [batch, MAX_MOVES]: the indices of the legal moves among the tower's outputs, then zeros.
    pub legal: Tensor,
    /// [batch, MAX_MOVES]: 0 for a legal move, −∞ for padding.
    pub mask: Tensor,
    /// `[batch]`: the index in `legal` of the move that was played.
    pub played: Tensor,
    /// `[batch]`: 1 if the move is learned.
    pub policy_weight: Tensor,
    /// `[batch]`: 1 if the goal was reached.
    pub reached: Tensor,
    /// `[batch]`: 1 if `reached` is learned.
    pub value_weight: Tensor,
    /// [batch, MAX_MOVES]: the probabilities of the moves of `legal` in the samples' labels; zeros without a label.
    pub labels: Tensor,
    /// `[batch]`: 1 if the sample has a label.
    pub labelled: Tensor,
    /// `[batch]`: 0 for a win, 1 for a draw, 2 for a loss; [`NO_RESULT`] if it is not learned.
    pub result: Tensor,
}

impl Batch {
    /// Encodes the samples for `tower` on `device`. For a GPU, all cores encode, because it would wait for a single
    /// one.
    pub fn new(samples: &[Sample], tower: &Tower, device: Device) -> Batch {
        let count = samples.len();
        let mut planes = vec![0f32; count * PLANES * 64];
        let mut features = vec![0f32; count * FEATURES];
        let mut legal = vec![0i64; count * MAX_MOVES];
        let mut mask = vec![f32::NEG_INFINITY; count * MAX_MOVES];
        let mut played = vec![0i64; count];
        let mut labels = vec![0f32; count * MAX_MOVES];
        let cores = if device == Device::Cpu { 1 } else { available_parallelism().map_or(1, usize::from) };
        let part = count.div_ceil(cores).max(1);
        thread::scope(|scope| {
            let rows = samples
                .chunks(part)
                .zip(planes.chunks_mut(part * PLANES * 64))
                .zip(features.chunks_mut(part * FEATURES))
                .zip(legal.chunks_mut(part * MAX_MOVES))
                .zip(mask.chunks_mut(part * MAX_MOVES))
                .zip(played.chunks_mut(part))
                .zip(labels.chunks_mut(part * MAX_MOVES));
            for ((((((samples, planes), features), legal), mask), played), labels) in rows {
                let mut write = move || {
                    for (index, sample) in samples.iter().enumerate() {
                        encode(
                            &sample.position,
                            &sample.context,
                            &sample.aim,
                            &mut planes[index * PLANES * 64..][..PLANES * 64],
                            &mut features[index * FEATURES..][..FEATURES],
                        );
                        let mover = sample.position.turn();
                        let (moves, place) = sample.listed_moves();
                        played[index] = place as i64;
                        for (slot, m) in moves.iter().take(MAX_MOVES).enumerate() {
                            legal[index * MAX_MOVES + slot] = tower.move_index(*m, mover) as i64;
                            mask[index * MAX_MOVES + slot] = 0.0;
                        }
                        let row = &mut labels[index * MAX_MOVES..][..MAX_MOVES];
                        if let Some(label) = &sample.label {
                            let probabilities = label.probabilities(&moves, mover);
                            row.iter_mut().zip(probabilities).for_each(|(place, number)| *place = number);
                        }
                    }
                };
                if cores > 1 {
                    scope.spawn(write);
                } else {
                    write();
                }
            }
        });
        let size = count as i64;
        let row = |number: &dyn Fn(&Sample) -> bool| {
            let numbers: Vec<f32> =
                samples.iter().map(|sample| f32::from(u8::from(number(sample)))).collect();
            Tensor::from_slice(&numbers).to_device(device)
        };
        let results: Vec<i64> =
            samples.iter().map(|sample| sample.result.map_or(NO_RESULT, i64::from)).collect();
        Batch {
            planes: Tensor::from_slice(&planes).view([size, PLANES as i64, 8, 8]).to_device(device),
            features: Tensor::from_slice(&features).view([size, FEATURES as i64]).to_device(device),
            legal: Tensor::from_slice(&legal).view([size, MAX_MOVES as i64]).to_device(device),
            mask: Tensor::from_slice(&mask).view([size, MAX_MOVES as i64]).to_device(device),
            played: Tensor::from_slice(&played).to_device(device),
            policy_weight: row(&|sample| sample.teaches_policy),
            reached: row(&|sample| sample.reached == Some(true)),
            value_weight: row(&|sample| sample.reached.is_some()),
            labels: Tensor::from_slice(&labels).view([size, MAX_MOVES as i64]).to_device(device),
            labelled: row(&|sample| sample.label.is_some()),
            result: Tensor::from_slice(&results).to_kind(Kind::Int64).to_device(device),
        }
    }

    /// `[batch]`: the AlphaZero index of the move that was played.
    pub fn played_index(&self) -> Tensor {
        self.legal.gather(1, &self.played.unsqueeze(1), false).squeeze_dim(1)
    }

    /// `[batch]`: the origin square of the move that was played, from the mover's point of view.
    pub fn origins(&self) -> Tensor {
        self.played_index().divide_scalar_mode(MOVE_PLANES, "floor")
    }

    /// The logarithms of the probabilities of the legal moves [batch, MAX_MOVES], given the logits of all moves
    /// [batch, 4672]; −∞ for padding.
    pub fn log_policy(&self, logits: &Tensor) -> Tensor {
        let logits = logits.gather(1, &self.legal, false).to_kind(Kind::Float);
        (logits + &self.mask).log_softmax(1, Kind::Float)
    }

    /// The number of samples.
    pub fn len(&self) -> i64 {
        self.played.size()[0]
    }

    /// True if there are no samples.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
