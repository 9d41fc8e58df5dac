use std::{path::Path, sync::Arc};

use anyhow::Context;
use entente::network::Policy;

use super::{HeldOut, Measures, PolicyRecipe, PolicyTrainer, RatingMatrix, RatingSamples, predict_as_played};
use crate::{
    dataset::goal::{Archive, Sample, Sampler},
    export::{Metadata, write_policy},
    network::tower::Weights,
    training::{TomlRecipe as _, replace_file, write_csv},
};

/// Positions on which an exported policy is compared with the trained one.
const PARITY: usize = 100;
/// Plain positions of either kind of the test split, and samples with goals.
const TEST: (usize, usize) = (20_000, 20_000);
/// Positions of each band of ratings.
const MATRIX: usize = 2000;

/// The folder of a policy's run.
pub struct PolicyOutput<'a>(pub &'a Path);

impl PolicyOutput<'_> {
    /// Writes `metrics.csv`.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn records(&self, trainer: &PolicyTrainer) -> anyhow::Result<()> {
        let path = self.0.join("metrics.csv");
        write_csv(&trainer.progress().records, &path)
            .with_context(|| format!("cannot write {}", path.display()))
    }

    /// Writes the network of `weights`, after a check on samples that it computes the same in the engine, and returns
    /// the file's content.
    ///
    /// # Errors
    ///
    /// If the check fails or the file cannot be written.
    pub fn network(
        &self,
        recipe: &PolicyRecipe,
        weights: &tch::Tensor,
        samples: &[Sample],
        date: &str,
    ) -> anyhow::Result<Vec<u8>> {
        let name = recipe.network.name();
        let weights = Weights::of(&recipe.tower, weights.to_device(tch::Device::Cpu));
        let metadata = Metadata { recipe: recipe.toml(), date: date.to_owned() };
        let some: Vec<Sample> =
            samples.iter().step_by(samples.len().div_ceil(PARITY).max(1)).take(PARITY).cloned().collect();
        let path = self.0.join(format!("{name}.onnx"));
        Ok(write_policy(name, &recipe.tower, &weights, &metadata, &some, &path)?)
    }

    /// Writes the card.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn card(&self, name: &str, card: &str) -> anyhow::Result<()> {
        let path = self.0.join(format!("{name}.md"));
        replace_file(&path, card.as_bytes()).with_context(|| format!("cannot write {}", path.display()))
    }
}

/// What a policy says of games that nothing was chosen by, as the engine runs it.
///
/// `begin` is called with the number of evaluations, `done` with those done since.
///
/// # Errors
///
/// If it cannot be run.
pub fn test_measures(
    policy: &Policy,
    sampler: &Sampler,
    archive: &Arc<Archive>,
    threads: usize,
    begin: impl Fn(u64),
    done: impl Fn(u64) + Sync,
) -> anyhow::Result<(Measures, RatingMatrix)> {
    let held_out = HeldOut::new(archive, sampler, TEST.0, TEST.1, 2);
    let ratings = RatingSamples::new(archive, MATRIX, 3);
    let told = ratings.told();
    begin((held_out.samples().len() + told.len()) as u64);
    let measures = held_out.measure(&predict_as_played(policy, held_out.samples(), threads, &done)?);
    let matrix = ratings.matrix(&predict_as_played(policy, &told, threads, &done)?);
    Ok((measures, matrix))
}
