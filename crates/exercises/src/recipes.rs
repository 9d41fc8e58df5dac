//! The exercises that have names.

use std::{collections::HashSet, fs, io, path::Path};

use entente_constraint::{Constraint, ParseError, nearest};
use serde::Deserialize;
use thiserror::Error;

/// The exercises that come with the program.
pub const BUILT_IN: &str = include_str!("recipes.toml");

/// An exercise with a name.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// The word on the command line.
    pub name: String,
    /// Where the list shows it.
    pub group: String,
    /// The heading of a sheet.
    pub title: String,
    /// What the positions must satisfy.
    pub constraint: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    exercises: Vec<Recipe>,
}

/// Why exercises cannot be read or found.
#[derive(Debug, Error)]
pub enum RecipeError {
    /// The file cannot be read.
    #[error("the file cannot be read: {0}")]
    Unreadable(io::Error),
    /// The file is not TOML, or has other keys than it should.
    #[error(transparent)]
    Malformed(#[from] toml::de::Error),
    /// Two exercises have the same name.
    #[error("exercise '{0}': expected each name once, found it again")]
    Repeated(String),
    /// What an exercise asks for is not a constraint.
    #[error("exercise '{name}': {reason}")]
    Constraint {
        /// The exercise.
        name: String,
        /// What is wrong.
        reason: ParseError,
    },
    /// There is no exercise of this name.
    #[error("there is no exercise '{name}'{}; `entente exercises` lists all", meant(.nearest.as_deref()))]
    Unknown {
        /// The name.
        name: String,
        /// The name that is most like it.
        nearest: Option<String>,
    },
}

fn meant(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |nearest| format!("; did you mean '{nearest}'?"))
}

/// The exercises of a file, or those that come with the program.
///
/// # Errors
/// If the file cannot be read, is not TOML with a list `exercises`, or has a name twice or something that is no constraint.
pub fn read(file: Option<&Path>) -> Result<Vec<Recipe>, RecipeError> {
    match file {
        None => parse(BUILT_IN),
        Some(path) => parse(&fs::read_to_string(path).map_err(RecipeError::Unreadable)?),
    }
}

fn parse(text: &str) -> Result<Vec<Recipe>, RecipeError> {
    let File { exercises } = toml::from_str(text)?;
    let mut names = HashSet::new();
    for Recipe { name, constraint, .. } in &exercises {
        if !names.insert(name.as_str()) {
            return Err(RecipeError::Repeated(name.clone()));
        }
        constraint
            .parse::<Constraint>()
            .map_err(|reason| RecipeError::Constraint { name: name.clone(), reason })?;
    }
    Ok(exercises)
}

/// The exercise with this name, in upper or lower case.
///
/// # Errors
/// If there is none; the error names a similar one.
pub fn find<'a>(recipes: &'a [Recipe], name: &str) -> Result<&'a Recipe, RecipeError> {
    if let Some(recipe) = recipes.iter().find(|recipe| recipe.name.eq_ignore_ascii_case(name)) {
        return Ok(recipe);
    }
    let names = || recipes.iter().map(|recipe| recipe.name.as_str());
    let part = || names().find(|known| name.len() > 2 && known.contains(name));
    let nearest = nearest(name, names()).or_else(part).map(str::to_owned);
    Err(RecipeError::Unknown { name: name.to_owned(), nearest })
}

/// The list of exercises, by group, for a person to read.
pub fn list(recipes: &[Recipe]) -> String {
    let mut groups: Vec<&str> = Vec::new();
    for recipe in recipes {
        if !groups.contains(&recipe.group.as_str()) {
            groups.push(&recipe.group);
        }
    }
    let width = recipes.iter().map(|recipe| recipe.name.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for group in groups {
        text += &format!("{group}\n");
        for recipe in recipes.iter().filter(|recipe| recipe.group == group) {
            text += &format!("  {:width$}  {}\n", recipe.name, recipe.title);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use entente_constraint::{Situation, Target};
    use shakmaty::Chess;

    use super::*;

    #[test]
    fn the_exercises_of_the_program_are_possible() {
        let recipes = read(None).unwrap();
        assert!(recipes.len() >= 40);
        for recipe in &recipes {
            let target: Target = recipe.constraint.parse().expect(&recipe.name);
            assert_eq!(target.impossible_from(Situation::root(&Chess::default())), None, "{}", recipe.name);
            assert!(list(&recipes).contains(&recipe.title));
        }
    }

    #[test]
    fn files_with_faults_are_refused_and_similar_names_are_proposed() {
        let recipe = |name: &str, constraint: &str| {
            format!(
                "[[exercises]]\nname = \"{name}\"\ngroup = \"g\"\ntitle = \"t\"\nconstraint = \"{constraint}\"\n"
            )
        };
        let error = |text: &str| parse(text).unwrap_err().to_string();
        assert!(error(&recipe("a", "Q=")).starts_with("exercise 'a': constraint, column 3"));
        assert!(
            error(&[recipe("a", "Q=1"), recipe("a", "Q=0")].concat())
                .contains("'a': expected each name once")
        );
        assert!(error("[[exercise]]").contains("exercise"));
        let recipes = read(None).unwrap();
        let missing = |name: &str| find(&recipes, name).unwrap_err().to_string();
        assert!(missing("forks").contains("did you mean 'fork'?"));
        assert!(missing("smothered").contains("did you mean 'smothered-mate'?"));
        assert!(missing("zzz").ends_with("lists all"));
        assert_eq!(find(&recipes, "Fork").unwrap().name, "fork");
    }
}
