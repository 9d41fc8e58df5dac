use std::{io, path::Path};

use entente_constraint::{counted, thesis::constraint};

use super::{Measured, Recipe, Sampling, TestFigures, samples::name};
use crate::{
    files::{file_name, sha256_file},
    games::GameStore,
    samples::SatisfactionSet,
    training::{Best, Score, TomlRecipe as _},
};

/// What a model card says about the data.
#[derive(Clone, Debug)]
pub struct DataDescription {
    /// The file name of the store.
    pub store: String,
    /// SHA-256 of the store, in hexadecimal.
    pub store_hash: String,
    /// Number of games in the store.
    pub store_games: usize,
    /// The files from which the games come.
    pub files: Vec<String>,
    /// The filter of the import, in words.
    pub filter: String,
    /// Number of games of the training split.
    pub training_games: u64,
    /// Number of distinct positions in the training split.
    pub training_positions: u64,
    /// Number of games of the validation split.
    pub validation_games: u64,
    /// Number of pairs in the validation sample.
    pub validation_pairs: u64,
}

impl DataDescription {
    /// Describes the store at `path` and the sets made from it.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn new(
        store: &GameStore,
        path: &Path,
        training: &SatisfactionSet,
        validation: &SatisfactionSet,
        validation_pairs: u64,
    ) -> io::Result<DataDescription> {
        let filter = &store.description().filter;
        let base_times = match &filter.excluded_base_times[..] {
            [] => "any time control".to_owned(),
            times => {
                let times: Vec<String> = times.iter().map(u32::to_string).collect();
                format!("no base time of {} seconds", times.join(", "))
            }
        };
        Ok(DataDescription {
            store: file_name(path),
            store_hash: sha256_file(path)?,
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
        })
    }
}

/// The best network of a run.
type SatisfactionBest = Best<Recipe, Measured, TestFigures>;

/// The model card, in Markdown, of the best network of a run. It depends only on the arguments, so it can be written
/// again at any time.
///
/// `model_hash` is the SHA-256 of the ONNX file.
pub fn model_card(best: &SatisfactionBest, data: &DataDescription, model_hash: &str) -> String {
    let recipe = &best.origin.recipe;
    let mut card = Card(String::new());
    card.line(&format!("# {}\n", recipe.network));
    card.line("Estimates how likely human play from a position is to satisfy a constraint");
    card.line("(exact counts of White's queens, rooks, bishops, knights and pawns). Written by `entente-trainer train`.\n");
    card.line("| | |\n|---|---|");
    card.row(&["file", &format!("`{}.onnx`, SHA-256 `{model_hash}`", recipe.network)]);
    card.origin(best);
    card.games(data);
    card.samples(recipe);
    card.training(best);
    card.validation(best, data);
    if let Some(test) = &best.test {
        card.test(test, recipe, &data.store);
    }
    card.line("\nMade by\n");
    card.line(&format!("```\n{}\n```", best.origin.command));
    card.line("\nwith the recipe\n");
    card.line(&format!("```toml\n{}```", recipe.toml()));
    card.0
}

struct Card(String);

impl Card {
    fn line(&mut self, text: &str) {
        self.0.push_str(text);
        self.0.push('\n');
    }

    /// Adds a row of a table. A `|` is escaped, because it would begin another cell.
    fn row(&mut self, cells: &[&str]) {
        let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
        self.line(&format!("| {} |", cells.join(" | ")));
    }

    fn origin(&mut self, best: &SatisfactionBest) {
        let origin = &best.origin;
        self.row(&["date", &origin.date]);
        let threads = counted(origin.threads, "thread", "threads");
        let precision = name(origin.recipe.precision);
        let seed = origin.recipe.seed;
        self.row(&[
            "computed",
            &format!("{}, {threads}, convolutions in {precision}, seed {seed}", origin.device),
        ]);
    }

    fn games(&mut self, data: &DataDescription) {
        let store = format!("{} in `{}`, SHA-256 `{}`", data.store_games, data.store, data.store_hash);
        self.row(&["games", &store]);
        self.row(&["from", &data.files.join(", ")]);
        self.row(&["filter", &data.filter]);
        let training =
            format!("{} games, {} distinct positions", data.training_games, data.training_positions);
        self.row(&["training split", &training]);
    }

    fn samples(&mut self, recipe: &Recipe) {
        let mirrored = if recipe.mirror { "; in training also with colours exchanged" } else { "" };
        self.row(&["selection", &format!("{}{mirrored}", recipe.games)]);
        let constraints = recipe.constraints.constraints();
        let names: Vec<String> = constraints.iter().map(|counts| constraint(*counts).to_string()).collect();
        self.row(&["constraints", &format!("{}: {}", constraints.len(), names.join(" "))]);
        let ahead = match recipe.ahead {
            [0.0, 1.0] => String::new(),
            [low, high] => format!(
                "; scaled to [{low}, {high}] if White has surplus men and no missing ones: the output for such \
                 positions is not a probability, but increases with it"
            ),
        };
        self.row(&[
            "label",
            &format!(
                "share of the split's games through the position in which the constraint is satisfied there or \
                 later{ahead}"
            ),
        ]);
        let sampling = match recipe.sampling {
            Sampling::Uniform => "uniform over all pairs",
            Sampling::Stratified => {
                "constraints equally often; positions that satisfy the constraint 1/8, with one surplus man of a kind \
                 that Black attacks 1/8, with other surplus men and no missing ones 3/8, with one missing man 1/4, \
                 with several missing men 1/8 (training and validation)"
            }
        };
        self.row(&["sampling", sampling]);
        let altered = if recipe.altered > 0.0 {
            format!(
                "tried for {} % of the training samples: up to {} men moved to other squares, some removed; the label \
                 is certain or that of the played board; if neither is possible, the board is unchanged",
                100.0 * recipe.altered,
                recipe.altered_moves
            )
        } else {
            "none".to_owned()
        };
        self.row(&["altered boards", &altered]);
    }

    fn training(&mut self, best: &SatisfactionBest) {
        let recipe = &best.origin.recipe;
        let pairs = best.steps * recipe.batch;
        let epochs = pairs as f64 / recipe.pairs_per_epoch as f64;
        let per_epoch = recipe.pairs_per_epoch;
        if recipe.counting {
            self.row(&[
                "not trained",
                "the weights of ten channels that count White's surplus and missing men",
            ]);
        }
        let samples = format!("{pairs} (position, constraint) pairs: {epochs:.2} epochs of {per_epoch}");
        self.row(&["samples", &samples]);
        let optimiser = format!(
            "Adam, batch {}, learning rate {}, falling over the last {} of {} epochs; running average {}",
            recipe.batch, recipe.learning_rate, recipe.decay_epochs, recipe.epochs, recipe.averaging
        );
        self.row(&["optimiser", &optimiser]);
        let loss = format!(
            "{:.5} nats (mean since the previous validation)",
            best.losses.first().copied().unwrap_or(f64::NAN)
        );
        self.row(&["training loss", &loss]);
    }

    fn validation(&mut self, best: &SatisfactionBest, data: &DataDescription) {
        let loss = format!(
            "{:.5} nats over {} pairs of {} other games, which selected this network among those of the run",
            best.measures.score.loss, data.validation_pairs, data.validation_games
        );
        self.row(&["validation loss", &loss]);
        self.row(&["validation AUC", &auc(best.measures.score)]);
        self.line("\nLoss: mean binary cross-entropy. AUC: area under the ROC curve for \"the label is at least one half\".");
        self.line("\nValidation split, by constraint (Q, R, B, N, P):\n");
        self.line("| constraint | pairs | loss | AUC |\n|---|---|---|---|");
        for (counts, score) in
            best.origin.recipe.constraints.constraints().iter().zip(&best.measures.by_constraint)
        {
            self.scores(&constraint(*counts).to_string(), *score);
        }
    }

    fn test(&mut self, test: &TestFigures, recipe: &Recipe, store: &str) {
        let games = test.games;
        self.line(&format!(
            "\nTest split: {games} games of the selection, which are used for nothing else.\n"
        ));
        self.line("| sampling | pairs | loss | AUC |\n|---|---|---|---|");
        for sample in &test.samples {
            self.scores(sample.sampling.words(), sample.score);
        }
        self.line("\nTo repeat the measurement:\n\n```");
        for sample in &test.samples {
            self.line(&format!(
                "entente-trainer evaluate {}.onnx {store} --constraints {} --split test --games {} --sampling {} \
                 --ahead {} {} --pairs {}",
                recipe.network,
                name(recipe.constraints),
                name(recipe.games),
                name(sample.sampling),
                recipe.ahead[0],
                recipe.ahead[1],
                sample.score.samples
            ));
        }
        self.line("```");
    }

    fn scores(&mut self, what: &str, score: Score) {
        self.row(&[what, &score.samples.to_string(), &format!("{:.4}", score.loss), &auc(score)]);
    }
}

fn auc(score: Score) -> String {
    score.auc.map_or("–".to_owned(), |auc| format!("{auc:.4}"))
}

#[cfg(test)]
mod tests {
    use super::super::{Measured, TestScore};
    use super::*;
    use crate::training::Origin;

    #[test]
    fn a_card_says_how_the_network_was_made_and_how_to_measure_it_again() {
        let score = Score { samples: 640, loss: 0.25, auc: Some(0.75) };
        let recipe = Recipe { sampling: Sampling::Stratified, ..Recipe::example() };
        let best = Best {
            steps: 5,
            losses: vec![0.5],
            measures: Measured { score, by_constraint: vec![Score { auc: None, ..score }; 7] },
            origin: Origin {
                recipe: recipe.clone(),
                command: "entente-trainer train a|b.toml".to_owned(),
                date: "2026-01-31".to_owned(),
                device: "CPU".to_owned(),
                threads: 2,
            },
            test: Some(TestFigures {
                games: 9,
                samples: [Sampling::Stratified, Sampling::Uniform]
                    .map(|sampling| TestScore { sampling, score })
                    .to_vec(),
            }),
        };
        let data = DataDescription {
            store: "games.store".to_owned(),
            store_hash: "ab".to_owned(),
            store_games: 100,
            files: vec!["a|b.pgn".to_owned()],
            filter: "none".to_owned(),
            training_games: 60,
            training_positions: 600,
            validation_games: 5,
            validation_pairs: 640,
        };
        let card = model_card(&best, &data, "cd");
        for part in [
            "| date | 2026-01-31 |",
            "CPU, 2 threads, convolutions in bf16, seed 1",
            "| from | a\\|b.pgn |",
            "320 (position, constraint) pairs: 0.50 epochs of 640",
            "at least one half",
            "| as in training | 640 | 0.2500 | 0.7500 |",
            "| uniform | 640 | 0.2500 | 0.7500 |",
            "evaluate thesis-1.onnx games.store --constraints thesis-7 --split test --games all --sampling uniform \
             --ahead 0 1 --pairs 640",
            "\nentente-trainer train a|b.toml\n",
        ] {
            assert!(card.contains(part), "{part} in {card}");
        }
        let text = card.split_once("```toml\n").unwrap().1.strip_suffix("```\n").unwrap();
        assert_eq!(Recipe::parse(text, "card.toml").unwrap(), recipe);
        let unmeasured = model_card(&Best { test: None, ..best }, &data, "cd");
        assert!(!unmeasured.contains("Test split"));
    }
}
