use std::fmt::Write as _;

use super::{PolicyName, PolicyRecipe, RecordedMeasures, Test, tables};
use crate::training::{Best, Origin, TomlRecipe as _};

/// What a card says about a store.
#[derive(Clone, Debug)]
pub struct Store {
    /// The file name.
    pub name: String,
    /// The SHA-256.
    pub hash: String,
    /// The files from which its games come.
    pub files: Vec<String>,
}

/// The model card of a policy, in Markdown. `hash` is the SHA-256 of the ONNX file. `games` has the numbers of human
/// games and of own games in the training data.
pub fn policy_card(
    best: &Best<PolicyRecipe, RecordedMeasures, Test>,
    test: &Test,
    start: Option<&str>,
    hash: &str,
    store: &Store,
    games: [usize; 2],
) -> String {
    let Origin { recipe, command, date, .. } = &best.origin;
    let name = recipe.network.name();
    let tower = recipe.tower;
    let mut text = format!("# {name}\n\n");
    text += match recipe.network {
        PolicyName::GoalPolicy => {
            "Predicts the moves of humans of a given rating, also on the way to a goal (numbers of men, squares, \
             castling rights, check, the side to move) that they reach within a given number of plies. It also \
             estimates the probability that they reach it, and the result. "
        }
        PolicyName::HumanPolicy => {
            "Predicts the moves of humans of a given rating and the result of their game. It knows nothing of goals: in \
             natural games, it says how likely people are to play the moves that `goal-policy` proposes. "
        }
        PolicyName::ReferencePolicy => {
            "Judges how human games look. It learned from other games than `goal-policy` and never generates. "
        }
    };
    text += "Written by `entente-trainer train`.\n\n| | |\n|---|---|\n";
    let mut row = |key: &str, value: String| _ = writeln!(text, "| {key} | {value} |");
    row("file", format!("`{name}.onnx`, SHA-256 `{hash}`"));
    row("date", date.clone());
    row(
        "network",
        format!(
            "{}{} residual blocks of {} channels with squeeze-and-excitation, {} numbers",
            if tower.trunks > 1 { format!("{} trunks of ", tower.trunks) } else { String::new() },
            tower.blocks,
            tower.channels,
            tower.count()
        ),
    );
    row(
        "games",
        format!(
            "{} of the {} split of `{}`, SHA-256 `{}`",
            games[0],
            recipe.games.split(),
            store.name,
            store.hash
        ),
    );
    row("from", store.files.join(", "));
    if games[1] > 0 {
        let share = 100.0 * recipe.own;
        row(
            "own games",
            format!(
                "{share}% of the games from which samples are drawn, out of {} games that the policy played itself",
                games[1]
            ),
        );
    }
    if let Some(start) = start {
        row("initial weights", start.to_owned());
    }
    row("samples", format!("{} positions", best.steps * recipe.batch));
    row(
        "optimiser",
        format!(
            "{}, batch {}, learning rate {} after {} positions, {}; running average {}",
            recipe.optimizer.name(),
            recipe.batch,
            recipe.learning_rate,
            recipe.warm_up,
            match recipe.final_learning_rate {
                Some(last) => format!("falling linearly to {last}"),
                None => format!("falling over the last {}", recipe.decay),
            },
            recipe.averaging
        ),
    );
    let _ = writeln!(text, "\nTest split: {} games, which are used for nothing else.\n", test.games);
    text += &tables(&test.measures, &test.matrix);
    let _ = writeln!(
        text,
        "\nMade by\n\n```\n{command}\n```\n\nwith the recipe\n\n```toml\n{}```",
        recipe.toml()
    );
    text
}
