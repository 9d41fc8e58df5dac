//! `python/entente/_settings.py`, the keyword arguments of the Python package, which a test compares with the file.

use super::{Kind, Part, Row, Spelling, TABLE};

/// The longest line of the file.
const WIDTH: usize = 120;

/// The file.
fn module() -> String {
    let generation: Vec<&Row> = TABLE.iter().filter(|row| row.spelling != Spelling::None).collect();
    let of_play = |row: &&Row| row.part != Part::Session && row.spelling == Spelling::None;
    let play: Vec<&Row> = TABLE.iter().filter(of_play).collect();
    let mut text = String::from(
        "\"\"\"The types of keyword arguments that are settings.\n\n\
         A test of the crate `entente` writes this file, from the table of settings:\n\
         `UPDATE_DOCS=1 cargo test --release -p entente --lib documentation`.\n\"\"\"\n\n\
         from __future__ import annotations\n\n\
         import os\nfrom typing import Literal, TypedDict, Union\n\n\
         Path = Union[str, \"os.PathLike[str]\"]\n\n\n\
         class Settings(TypedDict, total=False):\n    \"\"\"The settings of generation.\"\"\"\n",
    );
    generation.iter().for_each(|row| text += &field(row));
    text += "\n\nclass PlaySettings(Settings, total=False):\n    \"\"\"The settings of an engine that plays.\"\"\"\n";
    play.iter().for_each(|row| text += &field(row));
    text
}

/// A setting with its type and, below it, its documentation.
fn field(row: &Row) -> String {
    let name = row.name.replace('-', "_");
    let kind = match row.kind {
        // Texts that name files may be paths.
        Kind::Text => "Path".to_owned(),
        Kind::Integer { .. } => "int".to_owned(),
        Kind::Number { .. } => "float".to_owned(),
        Kind::Switch => "bool".to_owned(),
        Kind::Word { or_auto, .. } => {
            let words = row.kind.words();
            let auto = (or_auto && words.iter().all(|word| word.word != "auto")).then_some("auto");
            let words: Vec<String> =
                words.iter().map(|word| word.word).chain(auto).map(|word| format!("\"{word}\"")).collect();
            format!("Literal[{}]", words.join(", "))
        }
    };
    let bounds = match row.kind {
        Kind::Integer { .. } | Kind::Number { .. } => format!("{}; ", row.kind),
        _ => String::new(),
    };
    // One docstring a setting, as editors show it.
    let help = format!("{} [{bounds}default: {}]", row.help.trim(), row.usual()).replace('\\', "\\\\");
    format!("\n    {name}: {kind} | None\n{}", docstring(&help))
}

/// A text as an indented docstring.
fn docstring(text: &str) -> String {
    let mut lines = vec![String::from("    \"\"\"")];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is a first line");
        let is_begun = !line.trim().is_empty() && line.trim() != "\"\"\"";
        if is_begun && line.chars().count() + 1 + word.chars().count() + 3 > WIDTH {
            lines.push(format!("    {word}"));
        } else {
            line.push_str(if is_begun { " " } else { "" });
            line.push_str(word);
        }
    }
    lines.join("\n") + "\"\"\"\n"
}

#[test]
fn the_documentation_of_keyword_arguments_is_up_to_date() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../python/entente/_settings.py");
    let today = module();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(path, &today).unwrap();
    }
    let file = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        file == today,
        "{path} is out of date; UPDATE_DOCS=1 cargo test --release -p entente --lib documentation writes it"
    );
}
