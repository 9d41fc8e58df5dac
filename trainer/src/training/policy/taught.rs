use anyhow::Context as _;
use entente_network::{NetworkKind as _, Policy, read_network};
use tch::{Device, Kind, Tensor};

use super::{loss::Taught, policy_of};
use crate::{
    network::{
        Precision,
        tower::{Compute, Tower},
    },
    samples::goal::{Batch, MAX_MOVES, Sample},
    training::{self, TeacherRecipe},
};

/// A teacher of policies, and where it runs.
///
/// On the CPU, the engine is faster than libtorch. On a GPU, a tower runs there, on the batch that is already there.
#[derive(Debug)]
pub(super) enum Teacher {
    /// Run by the engine.
    Engine(Box<training::Teacher>),
    /// Run by libtorch: the tower, the row of its weights, and its weight in the loss.
    Device(Tower, Tensor, f64),
}

impl Teacher {
    /// Opens the teacher that a recipe names. If this trainer did not write it, the engine always runs it.
    ///
    /// # Errors
    ///
    /// If there is no such network, its answers are invalid, or it does not read goals.
    pub(super) fn open(recipe: &TeacherRecipe, device: Device) -> anyhow::Result<Teacher> {
        let teacher = training::Teacher::open(recipe)?;
        anyhow::ensure!(
            teacher.reads_goals(),
            "key `teacher` of the recipe: this network does not read goals"
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
                log::warn!("{} runs on the CPU: {reason:#}", recipe.network);
                Teacher::Engine(Box::new(teacher))
            }
        })
    }

    /// The teacher's probabilities of the moves in the batch of these samples, and its weight in the loss.
    pub(super) fn expects(&self, samples: &[Sample], batch: &Batch, precision: Precision) -> Taught {
        let (expected, share) = match self {
            Teacher::Engine(teacher) => {
                let numbers = Tensor::from_slice(&expected(teacher, samples));
                let expected = numbers.view([batch.len(), MAX_MOVES as i64]).to_device(batch.planes.device());
                (expected, teacher.share())
            }
            Teacher::Device(tower, weights, share) => tch::no_grad(|| {
                let weights = tower.weights(weights.shallow_clone());
                let Batch { planes, features, .. } = batch;
                let outputs =
                    Compute::outputs(tower, &weights, planes, features, Some(&batch.origins()), precision);
                (batch.log_policy(&outputs.policy).exp().to_kind(Kind::Float), *share)
            }),
        };
        Taught { expected, share: batch.labelled.full_like(share) }
    }
}

impl Clone for Teacher {
    /// The same network with a session of its own.
    fn clone(&self) -> Teacher {
        match self {
            Teacher::Engine(teacher) => Teacher::Engine(teacher.clone()),
            Teacher::Device(tower, weights, share) => {
                Teacher::Device(*tower, weights.shallow_clone(), *share)
            }
        }
    }
}

/// The teacher's probabilities in the order of moves in a batch: [`MAX_MOVES`] numbers per sample.
fn expected(teacher: &training::Teacher, samples: &[Sample]) -> Vec<f32> {
    let listed: Vec<_> = samples.iter().map(|sample| sample.listed_moves().0).collect();
    let queries: Vec<_> = samples.iter().zip(&listed).map(|(sample, moves)| sample.query(moves)).collect();
    let mut all = vec![0.0; samples.len() * MAX_MOVES];
    for (row, probabilities) in all.chunks_mut(MAX_MOVES).zip(teacher.expects(&queries)) {
        for (place, probability) in row.iter_mut().zip(probabilities) {
            *place = probability;
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::goal::{ReplayedGame, tests::archive};

    /// Compares the arithmetic of the engine and of libtorch.
    #[test]
    fn a_tower_gives_the_same_probabilities_in_the_engine_and_in_libtorch() {
        let games = archive(8);
        let samples: Vec<Sample> = (0..8)
            .map(|game| Sample::plain(games.info(game), &ReplayedGame::new(&games, game), 20))
            .collect();
        let recipe = TeacherRecipe { network: "goal-policy".to_owned(), share: 0.7 };
        let engine = Teacher::open(&recipe, Device::Cpu).unwrap();
        assert!(matches!(engine, Teacher::Engine(_)));
        let (policy, weights) = policy_of(Policy::embedded("goal-policy").unwrap()).unwrap();
        let batch = Batch::new(&samples, &policy.tower, Device::Cpu);
        let device = Teacher::Device(policy.tower, weights, 0.7);
        let [one, other] =
            [engine, device].map(|teacher| teacher.expects(&samples, &batch, Precision::F32).expected);
        let difference = (&one - &other).abs().max().double_value(&[]);
        assert!(difference < 1e-4, "{difference}");
        assert!((one.sum(Kind::Float).double_value(&[]) - 8.0).abs() < 1e-3);
    }
}
