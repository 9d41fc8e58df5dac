use std::fmt::Write as _;

use super::{Measures, MovePrediction};
use crate::training::{Best, Origin, TomlRecipe as _};

/// What a card says of the games.
#[derive(Clone, Debug, Default)]
pub struct Data {
    /// The store's file name.
    pub store: String,
    /// Its SHA-256.
    pub hash: String,
    /// The files it was made of.
    pub files: Vec<String>,
    /// Games that were learnt from.
    pub games: usize,
}

/// The card of a transformer, in Markdown; `hash` is the SHA-256 of its file.
pub fn card(best: &Best<MovePrediction>, data: &Data, weights: i64, hash: &str) -> String {
    let Origin { recipe, command, date, .. } = &best.origin;
    let name = &recipe.network;
    let mut text = format!(
        "# {name}\n\nSays which moves people play, by the last moves and the board.\nWritten by `entente-trainer train`.\n\n| | |\n|---|---|\n"
    );
    let mut row = |key: &str, value: String| _ = writeln!(text, "| {key} | {value} |");
    row("file", format!("`{name}.onnx`, SHA-256 `{hash}`"));
    row("date", date.clone());
    row("weights", weights.to_string());
    row(
        "games",
        format!("{} of the training split of `{}`, SHA-256 `{}`", data.games, data.store, data.hash),
    );
    row("from", data.files.join(", "));
    row("samples", (best.steps * recipe.batch).to_string());
    let _ = writeln!(
        text,
        "\nCross-entropy of the move that was played, in nats, among the legal moves and among all of the vocabulary; the \
         share of positions in which it was the likeliest legal move, among three and among five; the probability of \
         illegal moves.\n\n| | positions | legal | all moves | top 1 | top 3 | top 5 | illegal |\n|---|---|---|---|---|---|---|---|"
    );
    let mut row = |what: &str, measures: &Measures| {
        let Measures { positions, cross_entropy, raw_cross_entropy, .. } = measures;
        let [first, third, fifth, illegal] =
            [measures.top_1, measures.top_3, measures.top_5, measures.illegal].map(|share| 100.0 * share);
        let _ = writeln!(
            text,
            "| {what} | {positions} | {cross_entropy:.4} | {raw_cross_entropy:.4} | {first:.1}% | {third:.1}% | {fifth:.1}% | {illegal:.2}% |"
        );
    };
    row("validation split", &best.measures);
    if let Some(test) = &best.test {
        row("test split, before training", &test.untrained);
        test.groups.iter().for_each(|(group, measures)| row(&format!("test split, {group}"), measures));
    }
    let _ = writeln!(
        text,
        "\nMade by\n\n```\n{command}\n```\n\nwith the recipe\n\n```toml\n{}```",
        recipe.toml()
    );
    text
}
