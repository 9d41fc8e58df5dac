use std::{ops::Range, sync::Arc};

use serde::{Deserialize, Serialize};
use tch::{Device, Tensor};

use super::Sampling;
use crate::{
    network::{Architecture, Parameters, forward},
    samples::{Sampler, SatisfactionSet},
    training::{Score, score},
};

/// Number of pairs in a batch.
const BATCH: u64 = 1000;
/// Seed of the order in which pairs are drawn. It is fixed, so all networks are measured on the same sample.
const SEED: u64 = 0x656e_7465_6e74_6521;

/// A fixed sample of pairs on which networks are measured.
#[derive(Clone, Debug)]
pub struct Validation {
    set: Arc<SatisfactionSet>,
    sampler: Sampler,
    pairs: u64,
}

/// The scores of a network on a [`Validation`].
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Measured {
    /// The score over all pairs.
    pub score: Score,
    /// The score for each constraint of the data set.
    pub by_constraint: Vec<Score>,
}

impl Validation {
    /// A sample of `pairs` pairs of `set`, or of all pairs if there are fewer.
    pub fn new(set: &Arc<SatisfactionSet>, sampling: Sampling, pairs: u64) -> Validation {
        Validation { set: Arc::clone(set), sampler: sampling.of(set, SEED), pairs: pairs.min(set.pairs()) }
    }

    /// The number of pairs.
    pub fn pairs(&self) -> u64 {
        self.pairs
    }

    /// Calls `f` with the inputs (17×8×8 numbers each) and labels of the pairs in `range`, batch by batch.
    ///
    /// # Errors
    ///
    /// The first error of `f`.
    pub fn for_each_batch<E>(
        &self,
        range: Range<u64>,
        mut f: impl FnMut(&[f32], &[f32]) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut sampler = self.sampler.clone();
        let (mut planes, mut labels) = (Vec::new(), Vec::new());
        for start in range.clone().step_by(BATCH as usize) {
            sampler.fill(start..(start + BATCH).min(range.end), &mut planes, &mut labels);
            f(&planes, &labels)?;
        }
        Ok(())
    }

    /// The scores of predictions, which are in the order of the pairs.
    pub fn score(&self, probabilities: &[f32]) -> Measured {
        let constraints = self.set.constraints().len();
        let mut sampler = self.sampler.clone();
        let mut labels = Vec::with_capacity(probabilities.len());
        let mut parts = vec![(Vec::new(), Vec::new()); constraints];
        for (index, probability) in probabilities.iter().enumerate() {
            let pair = sampler.pair(index as u64);
            let label = self.set.label(pair.position, pair.constraint);
            labels.push(label);
            parts[pair.constraint].0.push(*probability);
            parts[pair.constraint].1.push(label);
        }
        Measured {
            score: score(probabilities, &labels),
            by_constraint: parts.iter().map(|(probabilities, labels)| score(probabilities, labels)).collect(),
        }
    }

    /// Measures a network in 32-bit arithmetic.
    pub fn measure(&self, architecture: &Architecture, parameters: &Parameters, device: Device) -> Measured {
        let mut probabilities = Vec::with_capacity(self.pairs as usize);
        let run = self.for_each_batch(0..self.pairs, |planes, _| {
            let planes = Tensor::from_slice(planes).view([-1, 17, 8, 8]).to_device(device);
            let values = forward(architecture, parameters, &planes).sigmoid().to_device(Device::Cpu);
            probabilities.extend(Vec::<f32>::try_from(values)?);
            Ok::<_, tch::TchError>(())
        });
        run.expect("a row of floats on the CPU");
        self.score(&probabilities)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::tests::random_set;

    #[test]
    fn a_sample_does_not_depend_on_batches_and_is_scored_pair_by_pair() {
        let set = Arc::new(random_set(20, 60));
        for sampling in [Sampling::Uniform, Sampling::Stratified] {
            let sample = Validation::new(&set, sampling, 2500);
            let labels = |range| {
                let mut all = Vec::new();
                let add = |_: &[f32], labels: &[f32]| {
                    all.extend_from_slice(labels);
                    Ok::<_, ()>(())
                };
                sample.for_each_batch(range, add).unwrap();
                all
            };
            let all = labels(0..2500);
            assert_eq!([labels(0..999), labels(999..2500)].concat(), all);
            let measured = sample.score(&all);
            assert_eq!((measured.score.samples, measured.score.auc), (2500, Some(1.0)));
            assert_eq!(measured.by_constraint.iter().map(|score| score.samples).sum::<usize>(), 2500);
        }
    }
}
