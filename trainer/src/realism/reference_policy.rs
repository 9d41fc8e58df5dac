use std::path::Path;

use anyhow::{Context, ensure};
use tch::{Device, Tensor};

use super::SatisfyingGame;
use crate::{
    samples::goal::{Archive, ReplayedGame, Sample},
    training::policy::{Learner, PolicyName, PolicyRecipe, predict, read_policy},
};

/// Number of games in a batch.
const GAMES: usize = 128;

/// The policy that judges how surprising moves are.
#[derive(Debug)]
pub struct ReferencePolicy {
    /// How it was trained.
    pub recipe: PolicyRecipe,
    weights: Tensor,
    device: Device,
}

impl ReferencePolicy {
    /// Reads the policy from the ONNX file at `path`.
    ///
    /// # Errors
    ///
    /// If the trainer did not export the file, or it is not a reference policy.
    pub fn open(path: &Path) -> anyhow::Result<ReferencePolicy> {
        let (recipe, weights) = read_policy(path).with_context(|| path.display().to_string())?;
        let is_apart = recipe.network == PolicyName::ReferencePolicy && recipe.games == Learner::Reference;
        ensure!(
            is_apart,
            "{}: expected a reference-policy, which learns from the split `reference` and never generates games",
            path.display()
        );
        let device = Device::cuda_if_available();
        Ok(ReferencePolicy { recipe, weights: weights.to_device(device), device })
    }

    /// Sets the surprise of each move of the games. `done` is called with the number of further games that are done.
    pub fn judge(&self, games: &mut [SatisfyingGame], threads: usize, done: impl Fn(u64)) {
        for games in games.chunks_mut(GAMES) {
            let archive = Archive::of(games.iter().map(|game| (game.info, game.moves.as_slice())));
            let samples: Vec<Sample> = (0..games.len())
                .flat_map(|game| {
                    let replayed = ReplayedGame::new(&archive, game);
                    let info = games[game].info;
                    (0..replayed.plies())
                        .map(move |ply| Sample::plain(&info, &replayed, ply))
                        .collect::<Vec<_>>()
                })
                .collect();
            let predictions = predict(&self.recipe.tower, &self.weights, &samples, self.device, threads);
            let mut predictions = predictions.into_iter();
            for game in &mut *games {
                let plies = predictions.by_ref().take(game.moves.len());
                game.surprise = plies.map(|prediction| prediction.surprise as f32).collect();
            }
            done(games.len() as u64);
        }
    }
}
