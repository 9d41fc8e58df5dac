use std::fmt::Write as _;

use super::{Evaluation, Measures};
use crate::training::{Best, Origin, TaskRecipe as _, TomlRecipe as _};

/// What a card says of the positions.
#[derive(Clone, Debug, Default)]
pub(super) struct Data {
    /// The store's file name.
    pub store: String,
    /// Its SHA-256.
    pub hash: String,
    /// The files it was made of.
    pub files: Vec<String>,
    /// Quiet positions that were learnt from.
    pub training: usize,
}

/// The card of an evaluation network, in Markdown. `network` says what it is made of, `hash` is the SHA-256 of its file.
pub(super) fn card(best: &Best<Evaluation>, data: &Data, network: &str, hash: &str) -> String {
    let Origin { recipe, command, date, .. } = &best.origin;
    let name = recipe.network();
    let mut text = format!(
        "# {name}\n\nSays what a position is worth, in hundredths of a pawn: learnt from what Stockfish says.\nWritten by `entente-trainer train`.\n\n| | |\n|---|---|\n"
    );
    let mut row = |key: &str, value: String| _ = writeln!(text, "| {key} | {value} |");
    row("file", format!("`{name}.safetensors`, SHA-256 `{hash}`"));
    row("date", date.clone());
    row("network", network.to_owned());
    row(
        "positions",
        format!(
            "{} quiet ones of the training and reference splits of `{}`, SHA-256 `{}`",
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
        "\nThe chance to win against what Stockfish's score s says, 1/(1 + e^(−s/400)); both favour the same side in the last \
         column.\n\n| | positions | mean squared error | correlation | same side |\n|---|---|---|---|---|"
    );
    let mut row = |what: &str, measures: &Measures| {
        let Measures { positions, squared_error, correlation, sign_agreement } = measures;
        let share = 100.0 * sign_agreement;
        let _ =
            writeln!(text, "| {what} | {positions} | {squared_error:.5} | {correlation:.4} | {share:.2}% |");
    };
    row("validation split, as trained", &best.measures);
    if let Some(test) = &best.test {
        row("validation split, as the engine has it", &test.validation);
        row("test split, as the engine has it", &test.network);
        row("the hand-written evaluation there", &test.hand_written);
    }
    let _ = writeln!(
        text,
        "\nMade by\n\n```\n{command}\n```\n\nwith the recipe\n\n```toml\n{}```",
        recipe.toml()
    );
    text
}
