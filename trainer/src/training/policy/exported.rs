use tch::Tensor;

use super::PolicyRecipe;
use crate::{
    export::{recipe_of, tower_weights},
    training::TomlRecipe as _,
};

/// The recipe and the weights, as a row, of the policy in the content of an ONNX file.
///
/// # Errors
///
/// If the trainer did not write the file.
pub fn policy_of(model: &[u8]) -> anyhow::Result<(PolicyRecipe, Tensor)> {
    let recipe = PolicyRecipe::parse(&recipe_of(model)?, "the recipe in the metadata")?;
    let weights = tower_weights(model, &recipe.tower)?;
    Ok((recipe, weights))
}
