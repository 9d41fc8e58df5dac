use std::fmt::Write as _;

use super::{EvaluationRecipe, Measures, Test};
use crate::training::{Best, Origin, TaskRecipe as _, TomlRecipe as _};

/// What a card says about the data.
#[derive(Clone, Debug, Default)]
pub(super) struct Data {
    /// The file name of the store.
    pub store: String,
    /// The SHA-256 of the store.
    pub hash: String,
    /// The files from which the store was made.
    pub files: Vec<String>,
    /// The number of quiet positions in the training data.
    pub training: usize,
}

/// The card of an evaluation network, in Markdown. `network` describes its architecture, and `hash` is the SHA-256 of
/// its file.
pub(super) fn card(
    best: &Best<EvaluationRecipe, Measures, Test>,
    data: &Data,
    network: &str,
    hash: &str,
) -> String {
    let Origin { recipe, command, date, .. } = &best.origin;
    let name = recipe.network();
    let mut text = format!(
        "# {name}\n\nEstimates the value of a position in centipawns; trained on evaluations by Stockfish.\nWritten by \
         `entente-trainer train`.\n\n| | |\n|---|---|\n"
    );
    let mut row = |key: &str, value: String| _ = writeln!(text, "| {key} | {value} |");
    row("file", format!("`{name}.safetensors`, SHA-256 `{hash}`"));
    row("date", date.clone());
    row("network", network.to_owned());
    row(
        "positions",
        format!(
            "{} quiet positions of the training and reference splits of `{}`, SHA-256 `{}`",
            data.training, data.store, data.hash
        ),
    );
    row("from", data.files.join(", "));
    row("samples", format!("{}", best.steps * recipe.batch));
    row(
        "optimiser",
        format!(
            "Adam, batch {}, learning rate {} after {} positions, falling to {}; running average {}",
            recipe.batch, recipe.learning_rate, recipe.warm_up, recipe.final_learning_rate, recipe.averaging
        ),
    );
    let _ = writeln!(
        text,
        "\nThe expected score compared with that of Stockfish, 1/(1 + e^(−s/400)) for its score s in centipawns. The \
         last column is the share of positions in which both favour the same side.\n\n| | positions | mean squared \
         error | correlation | same side |\n|---|---|---|---|---|"
    );
    let mut row = |what: &str, measures: &Measures| {
        let Measures { positions, squared_error, correlation, sign_agreement } = measures;
        let share = 100.0 * sign_agreement;
        let _ =
            writeln!(text, "| {what} | {positions} | {squared_error:.5} | {correlation:.4} | {share:.2}% |");
    };
    row("validation split, as trained", &best.measures);
    if let Some(test) = &best.test {
        row("validation split, as the engine computes it", &test.validation);
        row("test split, as the engine computes it", &test.network);
        row("test split, hand-written evaluation", &test.hand_written);
    }
    let _ = writeln!(
        text,
        "\nMade by\n\n```\n{command}\n```\n\nwith the recipe\n\n```toml\n{}```",
        recipe.toml()
    );
    text
}
