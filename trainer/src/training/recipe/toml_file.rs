use std::{fs, path::Path};

use serde::{Serialize, de::DeserializeOwned};
use toml::{Table, Value};

use super::RecipeError;

/// A recipe in a TOML file, in which unknown keys are errors.
pub trait TomlRecipe: DeserializeOwned + Serialize {
    /// Checks the values. `path` is the name of the file for messages.
    ///
    /// # Errors
    ///
    /// If a value is out of range; the message names the key.
    fn check(&self, path: &str) -> Result<(), RecipeError>;

    /// Reads the recipe at `path`, or a stage of it. A recipe may have several `[[stage]]` tables. Each has a `name`
    /// and keys that are added to the other keys or replace them.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or has no such stage, or if a key is unknown, missing or out of range. The message
    /// names the key.
    fn read(path: &Path, stage: Option<&str>) -> Result<Self, RecipeError> {
        let name = path.display().to_string();
        let text =
            fs::read_to_string(path).map_err(|error| RecipeError::File { path: name.clone(), error })?;
        Self::parse(&stage_of(&text, stage, &name)?, &name)
    }

    /// Parses the text of a recipe. `path` is the name of the file for messages.
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

    /// The recipe as TOML with all keys, including defaults.
    fn toml(&self) -> String {
        toml::to_string(self).expect("a recipe has only values that TOML can represent")
    }
}

/// The text of a stage of a recipe. Without stages, returns the text unchanged, so that messages have its line numbers.
fn stage_of(text: &str, wanted: Option<&str>, path: &str) -> Result<String, RecipeError> {
    let toml = |error| RecipeError::Toml { path: path.to_owned(), error: Box::new(error) };
    let mut recipe: Table = toml::from_str(text).map_err(toml)?;
    let stages = match recipe.remove("stage") {
        Some(Value::Array(stages)) => stages,
        _ => Vec::new(),
    };
    let name = |stage: &Value| stage.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
    let names: Vec<String> = stages.iter().map(name).collect();
    let stage = wanted.and_then(|wanted| stages.into_iter().find(|stage| name(stage) == wanted));
    match (stage, wanted) {
        (Some(Value::Table(mut stage)), _) => {
            stage.remove("name");
            merge(&mut recipe, stage);
            Ok(toml::to_string(&recipe).expect("it was read as TOML"))
        }
        (_, None) if names.is_empty() => Ok(text.to_owned()),
        (_, wanted) => {
            let found = wanted.map_or("none".to_owned(), |wanted| format!("\"{wanted}\""));
            let expected = match names[..] {
                [] => "expected no --stage, because the recipe has no stages".to_owned(),
                _ => format!("expected --stage with one of {}", names.join(", ")),
            };
            Err(RecipeError::Stage { path: path.to_owned(), expected, found })
        }
    }
}

/// Adds the keys of `other`, which replace existing ones. Tables are merged key by key.
fn merge(table: &mut Table, other: Table) {
    for (key, value) in other {
        match (table.get_mut(&key), value) {
            (Some(Value::Table(table)), Value::Table(other)) => merge(table, other),
            (_, value) => {
                table.insert(key, value);
            }
        }
    }
}

/// Returns an error for the first of `checks` that fails. A check has a condition, a key, and a description of the
/// allowed values.
///
/// # Errors
///
/// If a check fails.
pub fn in_range(path: &str, checks: &[(bool, &'static str, &'static str)]) -> Result<(), RecipeError> {
    match checks.iter().find(|(holds, ..)| !holds) {
        Some((_, key, expected)) => Err(RecipeError::Value { path: path.to_owned(), key, expected }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECIPE: &str = "kind = 1\nrate = 2\n[tower]\nblocks = 3\nchannels = 4\n\
        [[stage]]\nname = \"a\"\nrate = 5\n[[stage]]\nname = \"b\"\ntower.blocks = 6\n";

    #[test]
    fn a_stage_adds_and_replaces_keys() {
        let stage = |name| toml::from_str::<Table>(&stage_of(RECIPE, Some(name), "r.toml").unwrap()).unwrap();
        let expected = |text: &str| toml::from_str::<Table>(text).unwrap();
        assert_eq!(stage("a"), expected("kind = 1\nrate = 5\n[tower]\nblocks = 3\nchannels = 4"));
        assert_eq!(stage("b"), expected("kind = 1\nrate = 2\n[tower]\nblocks = 6\nchannels = 4"));
    }

    #[test]
    fn the_named_stage_must_exist_and_is_required_if_there_are_stages() {
        let refused = |text, stage| stage_of(text, stage, "r.toml").unwrap_err().to_string();
        assert_eq!(refused(RECIPE, None), "r.toml: expected --stage with one of a, b, found none");
        assert_eq!(refused(RECIPE, Some("c")), "r.toml: expected --stage with one of a, b, found \"c\"");
        assert_eq!(
            refused("kind = 1", Some("c")),
            "r.toml: expected no --stage, because the recipe has no stages, \
                            found \"c\""
        );
        assert_eq!(stage_of("kind = 1 # one", None, "r.toml").unwrap(), "kind = 1 # one");
    }
}
