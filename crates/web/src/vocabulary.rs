//! What the page offers to click: exercises by name, and conditions.

use std::sync::LazyLock;

use axum::{Json, response::IntoResponse};
use entente_constraint::Theme;
use entente_exercises::recipes;
use serde::Deserialize;
use serde_json::{Value, json};

/// Conditions by group, as TOML.
const CONDITIONS: &str = include_str!("vocabulary.toml");

/// A group of conditions.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Group {
    group: String,
    chips: Vec<Chip>,
}

/// A condition that can be clicked.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Chip {
    /// The condition in the language.
    text: String,
    /// Its name for people.
    title: String,
    /// What it means, in a sentence.
    help: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Groups {
    groups: Vec<Group>,
}

/// Answers `GET /api/vocabulary`.
pub(crate) async fn answer() -> impl IntoResponse {
    static ANSWER: LazyLock<Value> = LazyLock::new(vocabulary);
    Json(&*ANSWER)
}

fn vocabulary() -> Value {
    // Tests read both files.
    let exercises = recipes::read(None).unwrap_or_default();
    let groups = groups().unwrap_or_default();
    let exercises = exercises.iter().map(|recipe| {
        json!({
            "name": recipe.name,
            "group": recipe.group,
            "title": recipe.title,
            "constraint": recipe.constraint,
        })
    });
    let groups = groups.iter().map(|Group { group, chips }| {
        let chips = chips
            .iter()
            .map(|Chip { text, title, help }| json!({ "text": text, "title": title, "help": help }));
        json!({ "group": group, "chips": chips.collect::<Vec<_>>() })
    });
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "limits": { "positions": 100, "seconds": 3600 },
        "exercises": exercises.collect::<Vec<_>>(),
        "chips": groups.chain([themes()]).collect::<Vec<_>>(),
    })
}

fn groups() -> Result<Vec<Group>, toml::de::Error> {
    toml::from_str::<Groups>(CONDITIONS).map(|read| read.groups)
}

/// The themes of solutions.
fn themes() -> Value {
    let chips = Theme::ALL.into_iter().map(|theme| {
        let words = theme.in_words();
        let name = words.split_once(' ').map_or(words, |(_, name)| name);
        let mut letters = name.chars();
        let title: String =
            letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect());
        json!({
            "text": format!("theme={theme}"),
            "title": title,
            "help": format!("The solution is or contains {words}."),
        })
    });
    json!({ "group": "Themes of the solution", "chips": chips.collect::<Vec<_>>() })
}

#[cfg(test)]
mod tests {
    use entente_constraint::Constraint;

    use super::*;

    #[test]
    fn every_condition_is_one_of_the_language() {
        let groups = groups().unwrap();
        assert!(groups.len() >= 6 && !recipes::read(None).unwrap().is_empty());
        for chip in groups.iter().flat_map(|group| &group.chips) {
            let parts =
                Constraint::parts(&chip.text).unwrap_or_else(|error| panic!("{}: {error}", chip.text));
            assert_eq!(parts.len(), 1, "{}", chip.text);
            assert!(chip.help.ends_with('.') && !chip.title.is_empty(), "{}", chip.text);
        }
        let vocabulary = vocabulary();
        let last = vocabulary["chips"].as_array().unwrap().last().unwrap();
        assert_eq!(last["chips"][0]["text"], "theme=fork");
        assert_eq!(last["chips"][0]["title"], "Fork");
        for chip in last["chips"].as_array().unwrap() {
            assert!(chip["text"].as_str().unwrap().parse::<Constraint>().is_ok(), "{chip}");
        }
    }
}
