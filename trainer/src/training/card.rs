use std::fmt::Write;

use entente::constraint::thesis::constraint;

use super::{GameSelection, Progress, Sampling};
use crate::{dataset::SatisfactionSet, games::GameStore};

/// What a model card says about the data.
#[derive(Clone, Debug)]
pub struct DataDescription {
    /// The store's file name.
    pub store: String,
    /// SHA-256 of the store, in hexadecimal.
    pub store_hash: String,
    /// Games in the store.
    pub store_games: usize,
    /// The files the games come from.
    pub files: Vec<String>,
    /// Which games were left out, in words.
    pub filter: String,
    /// Games of the training split.
    pub training_games: u64,
    /// Different positions of the training split.
    pub training_positions: u64,
    /// Games of the validation split.
    pub validation_games: u64,
    /// Pairs of the validation sample.
    pub validation_pairs: u64,
}

impl DataDescription {
    /// Describes a store and the sets made from it.
    pub fn new(
        store: &GameStore,
        name: String,
        hash: String,
        training: &SatisfactionSet,
        validation: &SatisfactionSet,
        validation_pairs: u64,
    ) -> DataDescription {
        let filter = &store.description().filter;
        let base_times = match &filter.excluded_base_times[..] {
            [] => "any time control".to_owned(),
            times => {
                let times: Vec<String> = times.iter().map(u32::to_string).collect();
                format!("no base time of {} seconds", times.join(", "))
            }
        };
        DataDescription {
            store: name,
            store_hash: hash,
            store_games: store.len(),
            files: store.description().files.clone(),
            filter: format!(
                "both ratings at least {}, {base_times}, at least {} plies",
                filter.min_rating, filter.min_plies
            ),
            training_games: training.games(),
            training_positions: training.positions() as u64,
            validation_games: validation.games(),
            validation_pairs: validation_pairs.min(validation.pairs()),
        }
    }
}

/// The model card, in Markdown, of the best network of a run.
///
/// `model_hash` is the SHA-256 of the ONNX file, `date` the day of the export, `command` what was run.
pub fn model_card(
    progress: &Progress,
    data: &DataDescription,
    model_hash: &str,
    date: &str,
    command: &str,
) -> String {
    let recipe = &progress.recipe;
    let mut card = String::new();
    let mut line = |text: String| {
        card.push_str(&text);
        card.push('\n');
    };
    line(format!("# {}\n", recipe.network));
    line("Estimates the probability that play between humans, from a position on, comes to satisfy a constraint".into());
    line("(exact counts of White's queens, rooks, bishops, knights and pawns). Written by `entente-trainer train`.\n".into());
    line("| | |\n|---|---|".into());
    let mut row = |name: &str, value: String| line(format!("| {name} | {value} |"));
    row("file", format!("`{}.onnx`, SHA-256 `{model_hash}`", recipe.network));
    row("date", date.to_owned());
    row("recipe", format!("SHA-256 of its values `{}`", recipe.hash()));
    row("command", format!("`{command}`"));
    row("games", format!("{} in `{}`, SHA-256 `{}`", data.store_games, data.store, data.store_hash));
    row("from", data.files.join(", "));
    row("filter", data.filter.clone());
    row(
        "training split",
        format!("{} games, {} different positions", data.training_games, data.training_positions),
    );
    row(
        "selection",
        format!(
            "{}{}",
            match recipe.games {
                GameSelection::All => "all games of the store".to_owned(),
                GameSelection::Online => "games played online".to_owned(),
                GameSelection::Club =>
                    format!("games played online with a mean rating under {}", GameSelection::CLUB),
            },
            if recipe.mirror { "; in training also with the sides exchanged" } else { "" }
        ),
    );
    row(
        "constraints",
        format!(
            "{}: {}",
            recipe.constraints.constraints().len(),
            recipe
                .constraints
                .constraints()
                .iter()
                .map(|counts| constraint(*counts).to_string())
                .collect::<Vec<_>>()
                .join(" ")
        ),
    );
    row(
        "label",
        "share of the split's games through the position in which the constraint is satisfied there or later"
            .to_owned(),
    );
    row(
        "sampling",
        match recipe.sampling {
            Sampling::Uniform => "all pairs alike".to_owned(),
            Sampling::Stratified => {
                "constraints alike; positions that satisfy the constraint 1/8, that one capture by an \
                 attacking man would bring there 1/8, other ones that captures can lead there from 3/8, \
                 with a man too few 1/4, with more too few 1/8 (training and validation)"
                    .to_owned()
            }
        },
    );
    row(
        "altered",
        format!(
            "{} % of the training samples: men put elsewhere and taken off, where the label of the new board is certain",
            100.0 * recipe.altered
        ),
    );
    if let Some(best) = &progress.best {
        let pairs = best.steps * recipe.batch;
        row(
            "samples",
            format!(
                "{pairs} (position, constraint) pairs: {:.2} epochs of {}",
                pairs as f64 / recipe.pairs_per_epoch as f64,
                recipe.pairs_per_epoch
            ),
        );
        row(
            "optimiser",
            format!(
                "Adam, batch {}, learning rate {}, falling over the last {} of {} epochs; running average {}",
                recipe.batch, recipe.learning_rate, recipe.decay_epochs, recipe.epochs, recipe.averaging
            ),
        );
        row("training loss", format!("{:.5} nats (mean since the validation before)", best.train_loss));
        row(
            "validation loss",
            format!(
                "{:.5} nats over {} pairs of {} other games",
                best.score.loss, data.validation_pairs, data.validation_games
            ),
        );
        row("AUC", best.score.auc.map_or("–".into(), |auc| format!("{auc:.4}")));
        line("\nValidation split, by constraint (Q, R, B, N, P):\n".into());
        line("| constraint | pairs | loss | AUC |\n|---|---|---|---|".into());
        for (counts, score) in recipe.constraints.constraints().iter().zip(&best.by_constraint) {
            let mut text = String::new();
            let _ = write!(text, "| {} | {} | {:.4} | ", constraint(*counts), score.samples, score.loss);
            text.push_str(&score.auc.map_or("–".into(), |auc| format!("{auc:.4}")));
            line(text + " |");
        }
    }
    card
}
