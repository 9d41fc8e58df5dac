use anyhow::Context as _;
use entente_network::{NetworkKind as _, Policy, read_network};
use tch::{Device, Kind, Tensor};

use super::loss::{Taught, log_policy};
use crate::{
    dataset::goal::{Batch, MOST_MOVES, Sample},
    export::policy_of,
    network::{
        Precision,
        tower::{Compute, Tower},
    },
    training::{self, TeacherRecipe},
};

/// A teacher of policies, and where it is asked.
///
/// The engine answers faster on the CPU than libtorch; on a GPU a tower is asked there, about the batch that lies there
/// already.
#[derive(Debug)]
pub(super) enum Teacher {
    /// By the engine.
    Engine(Box<training::Teacher>),
    /// A tower, by libtorch; the row of its weights; how much it weighs.
    Device(Tower, Tensor, f64),
}

impl Teacher {
    /// The teacher that a recipe names; one that this trainer did not write is asked by the engine in any case.
    ///
    /// # Errors
    ///
    /// If there is no such network, it does not answer, or it cannot be shown goals.
    pub(super) fn open(recipe: &TeacherRecipe, device: Device) -> anyhow::Result<Teacher> {
        let teacher = training::Teacher::open(recipe)?;
        anyhow::ensure!(
            teacher.heeds_aims(),
            "key `teacher` of the recipe: that network cannot be shown goals"
        );
        if !device.is_cuda() {
            return Ok(Teacher::Engine(Box::new(teacher)));
        }
        let bytes = match Policy::embedded(&recipe.network) {
            Some(bytes) => bytes.to_vec(),
            None => read_network(recipe.network.as_ref()).context("key `teacher` of the recipe")?,
        };
        Ok(match policy_of(&bytes) {
            Ok((policy, weights)) => Teacher::Device(policy.tower, weights.to_device(device), recipe.share),
            Err(reason) => {
                log::warn!("{} is asked on the CPU: {reason:#}", recipe.network);
                Teacher::Engine(Box::new(teacher))
            }
        })
    }

    /// What it says of each move that the batch of these samples lists, and how much that counts.
    pub(super) fn expects(&self, samples: &[Sample], batch: &Batch, precision: Precision) -> Taught {
        let (expected, share) = match self {
            Teacher::Engine(teacher) => {
                let numbers = Tensor::from_slice(&expected(teacher, samples));
                let expected =
                    numbers.view([batch.len(), MOST_MOVES as i64]).to_device(batch.planes.device());
                (expected, teacher.share())
            }
            Teacher::Device(tower, weights, share) => tch::no_grad(|| {
                let weights = tower.weights(weights.shallow_clone());
                let Batch { planes, features, .. } = batch;
                let outputs =
                    Compute::outputs(tower, &weights, planes, features, Some(&batch.origins()), precision);
                (log_policy(&outputs, batch).exp().to_kind(Kind::Float), *share)
            }),
        };
        Taught { expected, share: batch.labelled.full_like(share) }
    }
}

impl Clone for Teacher {
    /// The same network at work elsewhere.
    fn clone(&self) -> Teacher {
        match self {
            Teacher::Engine(teacher) => Teacher::Engine(teacher.clone()),
            Teacher::Device(tower, weights, share) => {
                Teacher::Device(*tower, weights.shallow_clone(), *share)
            }
        }
    }
}

/// The probability that the teacher gives each move, where a batch of these samples lists it: [`MOST_MOVES`] a sample.
fn expected(teacher: &training::Teacher, samples: &[Sample]) -> Vec<f32> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::goal::{Trace, tests::archive};

    /// One reference for the other: the engine's own arithmetic and libtorch's.
    #[test]
    fn a_tower_expects_the_same_wherever_it_is_asked() {
        let games = archive(8);
        let samples: Vec<Sample> =
            (0..8).map(|game| Sample::plain(games.info(game), &Trace::new(&games, game), 20)).collect();
        let batch = Batch::new(&samples, Device::Cpu);
        let recipe = TeacherRecipe { network: "goal-policy".to_owned(), share: 0.7 };
        let engine = Teacher::open(&recipe, Device::Cpu).unwrap();
        assert!(matches!(engine, Teacher::Engine(_)));
        let (policy, weights) = policy_of(Policy::embedded("goal-policy").unwrap()).unwrap();
        let device = Teacher::Device(policy.tower, weights, 0.7);
        let [one, other] =
            [engine, device].map(|teacher| teacher.expects(&samples, &batch, Precision::F32).expected);
        let difference = (&one - &other).abs().max().double_value(&[]);
        assert!(difference < 1e-4, "{difference}");
        assert!((one.sum(Kind::Float).double_value(&[]) - 8.0).abs() < 1e-3);
    }
}
