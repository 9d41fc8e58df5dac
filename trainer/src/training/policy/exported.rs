use std::{fs, path::Path};

use tch::Tensor;

use super::PolicyRecipe;
use crate::{
    export::{recipe_of, tower_weights},
    training::TomlRecipe as _,
};

/// Reads the recipe and the weights, as a row, of the policy in the ONNX file at `path`.
///
/// # Errors
///
/// If the trainer did not write the file.
pub fn read_policy(path: &Path) -> anyhow::Result<(PolicyRecipe, Tensor)> {
    policy_of(&fs::read(path)?)
}

/// The same as [`read_policy`] for the content of a file.
///
/// # Errors
///
/// If the trainer did not write the file.
pub fn policy_of(model: &[u8]) -> anyhow::Result<(PolicyRecipe, Tensor)> {
    let recipe = PolicyRecipe::parse(&recipe_of(model)?, "the recipe in the metadata")?;
    let weights = tower_weights(model, &recipe.tower)?;
    Ok((recipe, weights))
}
