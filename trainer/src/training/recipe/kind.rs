use std::{fs, path::Path};

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use super::RecipeError;

/// The kinds of networks that can be trained. The first key of every recipe names one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// How likely play is to satisfy a constraint (the networks of the thesis).
    Satisfaction,
    /// Which moves humans play, on the way to a goal or without one.
    Policy,
    /// An engine's evaluation of a position, for alpha-beta search.
    Evaluation,
    /// Which moves humans play, given the last moves and the board.
    Transformer,
}

impl Kind {
    /// The kind of the recipe at `path`.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is not TOML, or does not name a kind.
    pub fn of(path: &Path) -> Result<Kind, RecipeError> {
        #[derive(Deserialize)]
        struct Part {
            kind: Option<Kind>,
        }
        let name = path.display().to_string();
        let text =
            fs::read_to_string(path).map_err(|error| RecipeError::File { path: name.clone(), error })?;
        let part: Part = toml::from_str(&text)
            .map_err(|error| RecipeError::Toml { path: name.clone(), error: Box::new(error) })?;
        let expected = "\"satisfaction\", \"policy\", \"evaluation\" or \"transformer\", as the first key";
        part.kind.ok_or(RecipeError::Value { path: name, key: "kind", expected })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_for_a_recipe_without_a_kind_lists_all_kinds() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("recipe.toml");
        let kind = |text: &str| {
            fs::write(&path, text).unwrap();
            Kind::of(&path).map_err(|error| error.to_string())
        };
        assert_eq!(kind("kind = \"policy\"\nnetwork = \"goal-policy\""), Ok(Kind::Policy));
        let missing = kind("network = \"goal-policy\"").unwrap_err();
        assert!(
            missing.contains("key `kind`: expected \"satisfaction\", \"policy\", \"evaluation\" or"),
            "{missing}"
        );
        assert!(kind("kind = \"chess\"").unwrap_err().contains("`satisfaction`"));
    }
}
