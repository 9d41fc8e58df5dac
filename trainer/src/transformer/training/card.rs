use std::fmt::Write as _;

use super::{Measures, Test, TransformerRecipe, games::Data};
use crate::training::{Best, Origin, TomlRecipe as _};

/// The card of a transformer, in Markdown; `hash` is the SHA-256 of its file.
pub(super) fn card(
    best: &Best<TransformerRecipe, Measures, Test>,
    data: &Data,
    weights: i64,
    hash: &str,
) -> String {
    let Origin { recipe, command, date, .. } = &best.origin;
    let name = &recipe.network;
    let mut text = format!(
        "# {name}\n\nPredicts human moves from the last moves and the board.\nWritten by `entente-trainer train`.\n\n| \
         | |\n|---|---|\n"
    );
    let mut fact = |key: &str, value: String| _ = writeln!(text, "| {key} | {value} |");
    fact("file", format!("`{name}.onnx`, SHA-256 `{hash}`"));
    fact("date", date.clone());
    fact("weights", weights.to_string());
    fact(
        "games",
        format!("{} in the training split of `{}`, SHA-256 `{}`", data.games, data.store, data.hash),
    );
    fact("from", data.files.join(", "));
    fact("samples", (best.steps * recipe.batch).to_string());
    let _ = writeln!(
        text,
        "\nCross-entropy of the move that was played, in nats, among the legal moves and among all moves of the \
         vocabulary; the shares of positions in which it was the most likely legal move, among the three and among the \
         five most likely; the total probability of illegal moves.\n\n| | positions | legal | all moves | top 1 | top \
         3 | top 5 | illegal |\n|---|---|---|---|---|---|---|---|"
    );
    row(&mut text, "validation split", &best.measures);
    if let Some(test) = &best.test {
        row(&mut text, "test split, before training", &test.untrained);
        test.groups
            .iter()
            .for_each(|(group, measures)| row(&mut text, &format!("test split, {group}"), measures));
        text += "\nA baseline on the same positions of the test split: the probability of a legal move is proportional \
                 to how often men of the same kind and colour made it in the training split:\n\n\
                 | | positions | cross-entropy | top 1 | top 3 | top 5 |\n|---|---|---|---|---|---|\n";
        for (group, measures) in &test.habits {
            let Measures { positions, cross_entropy, .. } = measures;
            let [first, third, fifth] = [measures.top_1, measures.top_3, measures.top_5].map(percent);
            let _ = writeln!(
                text,
                "| {group} | {positions} | {cross_entropy:.4} | {first} | {third} | {fifth} |"
            );
        }
    }
    let _ = writeln!(
        text,
        "\nMade by\n\n```\n{command}\n```\n\nwith the recipe\n\n```toml\n{}```",
        recipe.toml()
    );
    text
}

/// Adds a row to the table of measures.
fn row(text: &mut String, what: &str, measures: &Measures) {
    let Measures { positions, cross_entropy, raw_cross_entropy, illegal, .. } = measures;
    let [first, third, fifth] = [measures.top_1, measures.top_3, measures.top_5].map(percent);
    let illegal = 100.0 * illegal;
    let _ = writeln!(
        text,
        "| {what} | {positions} | {cross_entropy:.4} | {raw_cross_entropy:.4} | {first} | {third} | {fifth} | {illegal:.2}% |"
    );
}

fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}
