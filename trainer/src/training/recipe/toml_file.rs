use std::{fs, path::Path};

use serde::{Serialize, de::DeserializeOwned};

use super::RecipeError;

/// A recipe in a TOML file, in which unknown keys are errors.
pub trait TomlRecipe: DeserializeOwned + Serialize {
    /// What is wrong with it, whose file is called `path`.
    ///
    /// # Errors
    ///
    /// If a value is out of its range; the message names the key.
    fn check(&self, path: &str) -> Result<(), RecipeError>;

    /// Reads the recipe at `path`.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or a key is unknown, missing or out of range; the message names the key.
    fn read(path: &Path) -> Result<Self, RecipeError> {
        let name = path.display().to_string();
        let text =
            fs::read_to_string(path).map_err(|error| RecipeError::File { path: name.clone(), error })?;
        Self::parse(&text, &name)
    }

    /// Parses the text of a recipe; `path` is for messages.
    ///
    /// # Errors
    ///
    /// As [`TomlRecipe::read`].
    fn parse(text: &str, path: &str) -> Result<Self, RecipeError> {
        let recipe: Self = toml::from_str(text)
            .map_err(|error| RecipeError::Toml { path: path.to_owned(), error: Box::new(error) })?;
        recipe.check(path)?;
        Ok(recipe)
    }

    /// The recipe as TOML with all keys, defaults too.
    fn toml(&self) -> String {
        toml::to_string(self).expect("plain values, of which numbers from TOML")
    }
}

/// The error that the first of `checks` that does not hold calls for: each a key and what it must be.
///
/// # Errors
///
/// If there is one.
pub fn in_range(path: &str, checks: &[(bool, &'static str, &'static str)]) -> Result<(), RecipeError> {
    match checks.iter().find(|(holds, ..)| !holds) {
        Some((_, key, expected)) => Err(RecipeError::Value { path: path.to_owned(), key, expected }),
        None => Ok(()),
    }
}
