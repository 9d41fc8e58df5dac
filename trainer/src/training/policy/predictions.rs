use std::convert::Infallible;

use entente::parallel::map_in_order;
use tch::{Device, Kind, Tensor};

use super::loss::played_action_value;
use crate::{
    network::{
        Precision,
        tower::{Compute, Tower},
        weights::Weights,
    },
    samples::goal::{Batch, Sample},
};

/// The prediction of a network for a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SamplePrediction {
    /// −ln of the probability of the move that was played, in nats.
    pub surprise: f64,
    /// The number of legal moves that are more likely.
    pub rank: usize,
    /// The number of legal moves that are as likely, including the move itself.
    pub alike: usize,
    /// The satisfaction value, in [0, 1].
    pub value: f32,
    /// The action value of the move that was played, in [0, 1].
    pub action_value: f32,
    /// −ln of the probability of the result, in nats.
    pub result_loss: f64,
}

/// Samples per batch.
const BATCH: usize = 512;

/// The predictions of the network with these weights for the samples, in 32 bits.
pub fn predict(
    tower: &Tower,
    weights: &Tensor,
    samples: &[Sample],
    device: Device,
    threads: usize,
) -> Vec<SamplePrediction> {
    let threads = if device == Device::Cpu { threads.max(1) } else { 1 };
    let mut workers: Vec<Weights> = (0..threads).map(|_| tower.weights(weights.detach())).collect();
    let Ok(batches) = map_in_order(samples.chunks(BATCH), &mut workers, |weights, batch| {
        // libtorch keeps this number for each thread.
        tch::set_num_threads(1);
        Ok::<_, Infallible>(tch::no_grad(|| predict_batch(tower, weights, batch, device)))
    });
    batches.concat()
}

fn predict_batch(
    tower: &Tower,
    weights: &Weights,
    samples: &[Sample],
    device: Device,
) -> Vec<SamplePrediction> {
    let batch = Batch::new(samples, tower, device);
    let outputs = Compute::outputs(tower, weights, &batch.planes, &batch.features, None, Precision::F32);
    let logs = batch.log_policy(&outputs.policy);
    let played = logs.gather(1, &batch.played.unsqueeze(1), false);
    let ranks = logs.gt_tensor(&played).sum_dim_intlist(1i64, false, Kind::Int64);
    let alike = logs.eq_tensor(&played).sum_dim_intlist(1i64, false, Kind::Int64);
    let result = batch.result.clamp_min(0).unsqueeze(1);
    let results = outputs.result.log_softmax(1, Kind::Float).gather(1, &result, false);
    let row = |tensor: &Tensor| -> Vec<f64> {
        let row = tensor.to_device(Device::Cpu).to_kind(Kind::Double).contiguous().view(-1);
        row.try_into().expect("a row of numbers")
    };
    let (played, ranks, alike, results) = (row(&played), row(&ranks), row(&alike), row(&results));
    let values = row(&outputs.value.sigmoid());
    let action_values = row(&played_action_value(&outputs, &batch).sigmoid());
    (0..samples.len())
        .map(|index| SamplePrediction {
            surprise: -played[index],
            rank: ranks[index] as usize,
            alike: alike[index] as usize,
            value: values[index] as f32,
            action_value: action_values[index] as f32,
            result_loss: if samples[index].result.is_some() { -results[index] } else { 0.0 },
        })
        .collect()
}
