use serde::{Deserialize, Serialize};

use super::{ConstraintSet, GameSelection, Record, Sampling};
use crate::{
    network::{Architecture, NetworkError, Precision},
    training::{Kind, RecipeError, TaskRecipe, TomlRecipe, in_range},
};

/// How a network is trained, read from a TOML file in which unknown keys are errors.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// [`Kind::Satisfaction`].
    pub kind: Kind,
    /// The name of the network; also names the files.
    pub network: String,
    /// The games of the store that are used.
    #[serde(default)]
    pub games: GameSelection,
    /// How samples are drawn.
    #[serde(default)]
    pub sampling: Sampling,
    /// Whether each game is used a second time with colours exchanged.
    #[serde(default)]
    pub mirror: bool,
    /// The range, in [0, 1], of the labels of positions ahead (see [`crate::samples::SatisfactionSet::with_ahead`]).
    #[serde(default = "default_ahead")]
    pub ahead: [f32; 2],
    /// The share of the training samples, in [0, 1], for which an altered board is tried (see
    /// [`crate::samples::Sampler::altering`]). Validation has no altered boards.
    #[serde(default)]
    pub altered: f64,
    /// Maximum number of men moved to other squares on an altered board.
    #[serde(default = "default_altered_moves")]
    pub altered_moves: u64,
    /// The constraints of the samples.
    pub constraints: ConstraintSet,
    /// (position, constraint) pairs per epoch.
    pub pairs_per_epoch: u64,
    /// Total number of epochs.
    pub epochs: u64,
    /// The number of final epochs, possibly fractional, over which the learning rate falls.
    #[serde(default)]
    pub decay_epochs: f64,
    /// Pairs per step.
    pub batch: u64,
    /// Learning rate of Adam, before it falls.
    #[serde(default = "default_learning_rate")]
    pub learning_rate: f64,
    /// The share of the running average of the weights that each step keeps. The average is validated and exported;
    /// with 0, the weights themselves.
    #[serde(default)]
    pub averaging: f64,
    /// Training stops after this many epochs without a lower validation loss.
    pub patience: u64,
    /// Number of (position, constraint) pairs in the validation sample.
    #[serde(default = "default_validation_pairs")]
    pub validation_pairs: u64,
    /// Number of validations per epoch, at equal distances; the last one is at the end of the epoch.
    #[serde(default = "default_validations_per_epoch")]
    pub validations_per_epoch: u64,
    /// Precision of the convolutions in training.
    #[serde(default = "default_precision")]
    pub precision: Precision,
    /// Whether some weights count White's men and are not trained (see [`crate::network::Parameters::counting`]).
    #[serde(default)]
    pub counting: bool,
    /// Seed of the initial weights and of the order of the samples.
    pub seed: u64,
}

fn default_learning_rate() -> f64 {
    1e-3
}

fn default_ahead() -> [f32; 2] {
    [0.0, 1.0]
}

fn default_altered_moves() -> u64 {
    8
}

fn default_validation_pairs() -> u64 {
    300_000
}

fn default_validations_per_epoch() -> u64 {
    1
}

fn default_precision() -> Precision {
    Precision::Bf16
}

impl TomlRecipe for Recipe {
    fn check(&self, path: &str) -> Result<(), RecipeError> {
        Architecture::named(&self.network)
            .map_err(|error| RecipeError::Network { path: path.to_owned(), error })?;
        let can_count = self.architecture().is_ok_and(|architecture| architecture.counts());
        let checks = [
            (self.kind == Kind::Satisfaction, "kind", "\"satisfaction\" for a satisfaction network"),
            (
                !self.counting || can_count,
                "counting",
                "false, because this network cannot count with its max pooling",
            ),
            (self.batch >= 1 && self.batch <= 1 << 20, "batch", "a number from 1 to 1048576"),
            (
                (self.batch..=1_000_000_000_000).contains(&self.pairs_per_epoch)
                    && self.pairs_per_epoch.is_multiple_of(self.batch),
                "pairs_per_epoch",
                "a multiple of `batch`, from one batch to 1000000000000",
            ),
            (self.epochs >= 1 && self.epochs <= 1 << 20, "epochs", "a number from 1 to 1048576"),
            (
                self.decay_epochs >= 0.0 && self.decay_epochs <= self.epochs as f64,
                "decay_epochs",
                "a number from 0 to `epochs`",
            ),
            (
                self.learning_rate > 0.0 && self.learning_rate < 1.0,
                "learning_rate",
                "a number between 0 and 1",
            ),
            (self.averaging >= 0.0 && self.averaging < 1.0, "averaging", "a number from 0 to below 1"),
            (
                0.0 <= self.ahead[0] && self.ahead[0] <= self.ahead[1] && self.ahead[1] <= 1.0,
                "ahead",
                "two numbers from 0 to 1, the lower one first",
            ),
            ((0.0..=1.0).contains(&self.altered), "altered", "a number from 0 to 1"),
            (self.altered_moves <= 32, "altered_moves", "a number from 0 to 32"),
            (self.patience >= 1, "patience", "at least 1"),
            (
                self.validation_pairs >= 1 && self.validation_pairs <= 100_000_000,
                "validation_pairs",
                "a number from 1 to 100000000",
            ),
            (
                (1..=1000.min(self.pairs_per_epoch / self.batch.max(1)))
                    .contains(&self.validations_per_epoch),
                "validations_per_epoch",
                "a number from 1 to 1000, at most the number of batches per epoch",
            ),
        ];
        in_range(path, &checks)
    }
}

impl Recipe {
    /// The network's architecture.
    ///
    /// # Errors
    ///
    /// If there is no network of that name. This cannot happen for a recipe that was read.
    pub fn architecture(&self) -> Result<Architecture, NetworkError> {
        Architecture::named(&self.network)
    }

    /// Number of batches per epoch.
    pub fn steps_per_epoch(&self) -> u64 {
        self.pairs_per_epoch / self.batch
    }

    /// The learning rate of the batch that begins after `pairs` pairs. It is constant, and then falls linearly to a
    /// hundredth over the last `decay_epochs` epochs.
    fn learning_rate_after(&self, pairs: u64) -> f64 {
        const LAST: f64 = 0.01;
        let per_epoch = self.pairs_per_epoch as f64;
        let left = (self.epochs as f64 - pairs as f64 / per_epoch).max(0.0);
        let share = if self.decay_epochs > 0.0 { (left / self.decay_epochs).min(1.0) } else { 1.0 };
        self.learning_rate * share.max(LAST)
    }

    /// True if the last `patience` epochs ended without a new lowest validation loss.
    pub fn is_out_of_patience(&self, records: &[Record]) -> bool {
        let ends = records.iter().filter(|record| record.pairs.is_multiple_of(self.pairs_per_epoch));
        let (mut lowest, mut without) = (f64::INFINITY, 0);
        for loss in ends.map(|record| record.validation_loss) {
            without = if loss < lowest { 0 } else { without + 1 };
            lowest = lowest.min(loss);
        }
        without >= self.patience
    }
}

impl TaskRecipe for Recipe {
    fn network(&self) -> &str {
        &self.network
    }

    fn batch(&self) -> u64 {
        self.batch
    }

    fn steps(&self) -> u64 {
        self.steps_per_epoch() * self.epochs
    }

    fn rate(&self, step: u64) -> f64 {
        self.learning_rate_after(step * self.batch)
    }

    fn averaging(&self) -> f64 {
        self.averaging
    }

    fn next_validation(&self, steps: u64) -> u64 {
        let (per_epoch, validations) = (self.steps_per_epoch(), self.validations_per_epoch);
        let (epoch, within) = (steps / per_epoch, steps % per_epoch);
        let due = (1..validations)
            .map(|number| (2 * number * per_epoch + validations) / (2 * validations))
            .find(|due| *due > within);
        epoch * per_epoch + due.unwrap_or(per_epoch)
    }

    fn progress(&self, steps: u64) -> String {
        format!("epoch {:.2} of {}, ", steps as f64 / self.steps_per_epoch() as f64, self.epochs)
    }

    /// Epochs, rates, averaging, patience, precision and the number of validations may change when a run is resumed.
    /// The validation sample may not, because losses on different samples cannot be compared.
    fn incompatible_key(&self, other: &Recipe) -> Option<&'static str> {
        let checks = [
            (self.network == other.network, "network"),
            (self.constraints == other.constraints, "constraints"),
            (self.games == other.games, "games"),
            (self.sampling == other.sampling, "sampling"),
            (self.mirror == other.mirror, "mirror"),
            (self.ahead == other.ahead, "ahead"),
            (self.altered == other.altered, "altered"),
            (self.altered_moves == other.altered_moves, "altered_moves"),
            (self.pairs_per_epoch == other.pairs_per_epoch, "pairs_per_epoch"),
            (self.batch == other.batch, "batch"),
            (self.validation_pairs == other.validation_pairs, "validation_pairs"),
            (self.counting == other.counting, "counting"),
            (self.seed == other.seed, "seed"),
        ];
        checks.into_iter().find(|(same, _)| !same).map(|(_, key)| key)
    }
}

#[cfg(test)]
mod tests;
