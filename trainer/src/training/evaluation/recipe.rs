use serde::{Deserialize, Serialize};

use crate::training::{Kind, RecipeError, Schedule, TaskRecipe, TomlRecipe, in_range};

/// The evaluation networks that can be trained.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Network {
    /// The NNUE for short searches: accumulators of both sides over piece-square inputs.
    Evaluation,
    /// The same with more neurons, for the strongest searches.
    EvaluationWide,
    /// The network of the article on random playouts.
    EvaluationArticle,
}

impl Network {
    /// The name in recipes and file names.
    pub fn name(self) -> &'static str {
        match self {
            Network::Evaluation => "evaluation",
            Network::EvaluationWide => "evaluation-wide",
            Network::EvaluationArticle => "evaluation-article",
        }
    }
}

/// How an evaluation network is trained, read from a TOML file in which unknown keys are errors.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct EvaluationRecipe {
    /// [`Kind::Evaluation`].
    pub kind: Kind,
    /// The network; also names the files.
    pub network: Network,
    /// Total number of positions in training, counting repetitions.
    pub positions: u64,
    /// Positions per step.
    pub batch: u64,
    /// The initial learning rate, without warm-up.
    pub learning_rate: f64,
    /// The final learning rate, to which the rate falls linearly.
    pub final_learning_rate: f64,
    /// The number of positions over which the rate rises at the start.
    pub warm_up: u64,
    /// The share of the running average of the weights that each step keeps. The average is validated and exported.
    pub averaging: f64,
    /// The weight of the engine's score in the target, in [0, 1]; the result of the game has the remaining weight.
    pub score_weight: f64,
    /// True if outputs are scaled linearly between the minimum and the maximum score, as in the article; otherwise they
    /// are expected scores (`evaluation-article` only).
    #[serde(default)]
    pub min_max: bool,
    /// Positions between two validations.
    pub validate_every: u64,
    /// The run ends after this number of validations without a lower loss.
    pub patience: usize,
    /// Seed of the initial weights and of the order of the positions.
    pub seed: u64,
}

impl TomlRecipe for EvaluationRecipe {
    fn check(&self, path: &str) -> Result<(), RecipeError> {
        let is_share = |number: f64| (0.0..=1.0).contains(&number);
        let checks = [
            (self.kind == Kind::Evaluation, "kind", "\"evaluation\" for an evaluation network"),
            ((1..=1 << 20).contains(&self.batch), "batch", "a number from 1 to 1048576"),
            ((self.batch..=1 << 40).contains(&self.positions), "positions", "one batch or more"),
            (
                self.learning_rate > 0.0 && self.learning_rate < 1.0,
                "learning_rate",
                "a number between 0 and 1",
            ),
            (
                (0.0..=self.learning_rate).contains(&self.final_learning_rate),
                "final_learning_rate",
                "a number from 0 to `learning_rate`",
            ),
            (self.averaging >= 0.0 && self.averaging < 1.0, "averaging", "a number from 0 to below 1"),
            (is_share(self.score_weight), "score_weight", "a number from 0 to 1"),
            (
                !self.min_max || self.network == Network::EvaluationArticle,
                "min_max",
                "false, except for the network \"evaluation-article\"",
            ),
            (self.validate_every >= self.batch, "validate_every", "at least `batch`"),
            (self.patience >= 1, "patience", "at least 1"),
        ];
        in_range(path, &checks)
    }
}

impl EvaluationRecipe {
    fn schedule(&self) -> Schedule {
        Schedule {
            samples: self.positions,
            batch: self.batch,
            first: self.learning_rate,
            last: self.final_learning_rate,
            warm_up: self.warm_up,
        }
    }
}

impl TaskRecipe for EvaluationRecipe {
    fn network(&self) -> &str {
        self.network.name()
    }

    fn batch(&self) -> u64 {
        self.batch
    }

    fn steps(&self) -> u64 {
        self.schedule().steps()
    }

    fn rate(&self, step: u64) -> f64 {
        self.schedule().rate(step)
    }

    fn averaging(&self) -> f64 {
        self.averaging
    }

    fn next_validation(&self, steps: u64) -> u64 {
        self.schedule().next_validation(steps, self.validate_every)
    }

    /// Rates, averaging, patience and the number of positions may change between runs.
    fn incompatible_key(&self, other: &EvaluationRecipe) -> Option<&'static str> {
        let checks = [
            (self.network == other.network, "network"),
            (self.batch == other.batch, "batch"),
            (self.score_weight == other.score_weight, "score_weight"),
            (self.min_max == other.min_max, "min_max"),
            (self.seed == other.seed, "seed"),
        ];
        checks.into_iter().find(|(same, _)| !same).map(|(_, key)| key)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    const TEXT: &str = "kind = \"evaluation\"\nnetwork = \"evaluation\"\npositions = 4000\nbatch = 100\nlearning_rate = 4e-3
final_learning_rate = 0.0\nwarm_up = 400\naveraging = 0.9\nscore_weight = 0.9\nvalidate_every = 1000\npatience = 3\nseed = 1\n";

    pub(in crate::training::evaluation) fn recipe() -> EvaluationRecipe {
        EvaluationRecipe::parse(TEXT, "recipe.toml").unwrap()
    }

    #[test]
    fn the_rate_rises_and_falls_to_zero() {
        let recipe = recipe();
        assert!((recipe.rate(0) - 1e-3).abs() < 1e-9);
        assert!((recipe.rate(20) - 2e-3).abs() < 1e-9);
        assert!(recipe.rate(39) < 2e-4);
        assert_eq!((recipe.steps(), recipe.next_validation(0), recipe.next_validation(39)), (40, 10, 40));
        assert_eq!(EvaluationRecipe::parse(&recipe.toml(), "again").unwrap(), recipe);
    }

    #[test]
    fn values_out_of_range_are_reported() {
        for (change, key) in [
            ("score_weight = 0.9", "score_weight = 1.5"),
            ("batch = 100", "batch = 0"),
            ("patience = 3", "patience = 0"),
            ("network = \"evaluation\"", "network = \"other\""),
            ("seed = 1", "min_max = true\nseed = 1"),
        ] {
            let error =
                EvaluationRecipe::parse(&TEXT.replace(change, key), "r.toml").unwrap_err().to_string();
            assert!(error.contains(key.split(' ').next().unwrap()), "{error}");
        }
    }
}
