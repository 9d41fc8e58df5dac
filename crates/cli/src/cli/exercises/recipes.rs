//! The exercises that have names.

use std::{collections::HashSet, fs, path::Path};

use anyhow::{Context as _, anyhow, bail, ensure};
use entente_constraint::{Constraint, nearest};
use serde::Deserialize;

/// The exercises that come with the program.
pub(super) const BUILT_IN: &str = include_str!("recipes.toml");

/// An exercise with a name.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Recipe {
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

/// The exercises of a file, or those that come with the program.
///
/// # Errors
/// If the file cannot be read, is not TOML with a list `exercises`, or has a name twice or something that is no constraint.
pub(super) fn read(file: Option<&Path>) -> anyhow::Result<Vec<Recipe>> {
    let Some(path) = file else { return parse(BUILT_IN) };
    let text = fs::read_to_string(path).with_context(|| format!("--file {}", path.display()))?;
    parse(&text).with_context(|| format!("--file {}", path.display()))
}

fn parse(text: &str) -> anyhow::Result<Vec<Recipe>> {
    let File { exercises } = toml::from_str(text)?;
    let mut names = HashSet::new();
    for Recipe { name, constraint, .. } in &exercises {
        ensure!(names.insert(name.as_str()), "exercise '{name}': expected each name once, found it again");
        constraint.parse::<Constraint>().map_err(|error| anyhow!("exercise '{name}': {error}"))?;
    }
    Ok(exercises)
}

/// The exercise with this name, in upper or lower case.
///
/// # Errors
/// If there is none; the error names a similar one.
pub(super) fn find<'a>(recipes: &'a [Recipe], name: &str) -> anyhow::Result<&'a Recipe> {
    if let Some(recipe) = recipes.iter().find(|recipe| recipe.name.eq_ignore_ascii_case(name)) {
        return Ok(recipe);
    }
    let names = recipes.iter().map(|recipe| recipe.name.as_str());
    let part = || {
        recipes.iter().map(|recipe| recipe.name.as_str()).find(|known| name.len() > 2 && known.contains(name))
    };
    match nearest(name, names).or_else(part) {
        Some(meant) => {
            bail!("there is no exercise '{name}'; did you mean '{meant}'? `entente exercises` lists all")
        }
        None => bail!("there is no exercise '{name}'; `entente exercises` lists all"),
    }
}

/// The list of exercises, by group, for a person to read.
pub(super) fn list(recipes: &[Recipe]) -> String {
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
        let error = |text: &str| format!("{:#}", parse(text).unwrap_err());
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
