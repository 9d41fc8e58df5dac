use std::fmt::Write as _;

use super::{Measures, PolicyRecipe, RatingMatrix, tables};
use crate::{network::tower::Weights, training::TomlRecipe as _};

/// What the card of a policy says beside its recipe and measures.
#[derive(Clone, Debug)]
pub struct PolicyCard<'a> {
    /// How it was trained.
    pub recipe: &'a PolicyRecipe,
    /// The network that training began with, if not with random weights.
    pub start: Option<&'a str>,
    /// Samples that it was trained on.
    pub positions: u64,
    /// SHA-256 of the ONNX file, in hexadecimal.
    pub model_hash: &'a str,
    /// What was run.
    pub command: &'a str,
    /// The day, in UTC.
    pub date: &'a str,
    /// The store's file name and its SHA-256.
    pub store: (&'a str, &'a str),
    /// The files the games come from.
    pub files: &'a [String],
    /// Games that it was trained on.
    pub games: u64,
    /// Games of its own among them.
    pub own_games: u64,
    /// Games of the test split.
    pub test_games: usize,
    /// Of the test split.
    pub measures: &'a Measures,
    /// Of the test split.
    pub matrix: &'a RatingMatrix,
}

/// The model card of a policy, in Markdown.
pub fn policy_card(card: &PolicyCard<'_>) -> String {
    let PolicyCard { recipe, positions, model_hash, command, date, store, files, games, test_games, .. } =
        card;
    let name = recipe.network.name();
    let tower = recipe.tower;
    let mut text = format!("# {name}\n\n");
    text += match recipe.network {
        super::PolicyName::GoalPolicy => {
            "Knows how people of a rating play, and how those play who reach a goal (numbers of men, squares, rights to \
             castle, check, who is to move) within so many plies; how likely they are to reach it, and to win. "
        }
        super::PolicyName::ReferencePolicy => {
            "Judges how human games look. It learnt from other games than `goal-policy` and never generates. "
        }
    };
    text += "Written by `entente-trainer train`.\n\n| | |\n|---|---|\n";
    let mut row = |key: &str, value: String| _ = writeln!(text, "| {key} | {value} |");
    row("file", format!("`{name}.onnx`, SHA-256 `{model_hash}`"));
    row("date", (*date).to_owned());
    row(
        "network",
        format!(
            "{} residual blocks of {} channels with squeeze-and-excitation, {} numbers",
            tower.blocks,
            tower.channels,
            Weights::count(&tower)
        ),
    );
    row(
        "games",
        format!("{games} of the {} split of `{}`, SHA-256 `{}`", recipe.games.split(), store.0, store.1),
    );
    row("from", files.join(", "));
    if card.own_games > 0 {
        let share = 100.0 * recipe.own;
        row(
            "own games",
            format!(
                "{share}% of the games that samples are drawn from, of {} of the policy itself",
                card.own_games
            ),
        );
    }
    if let Some(start) = card.start {
        row("begun with", start.to_owned());
    }
    row("samples", format!("{positions} positions"));
    row(
        "optimiser",
        format!(
            "{}, batch {}, learning rate {} after {} positions, falling over the last {}; running average {}",
            recipe.optimizer.name(),
            recipe.batch,
            recipe.learning_rate,
            recipe.warm_up,
            recipe.decay,
            recipe.averaging
        ),
    );
    let _ = writeln!(text, "\nTest split: {test_games} games used for nothing else.\n");
    text += &tables(card.measures, card.matrix);
    let _ = writeln!(
        text,
        "\nMade by\n\n```\n{command}\n```\n\nwith the recipe\n\n```toml\n{}```",
        recipe.toml()
    );
    text
}
