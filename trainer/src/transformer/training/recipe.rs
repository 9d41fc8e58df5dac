use serde::{Deserialize, Serialize};

use crate::{
    training::{Kind, RecipeError, Schedule, TaskRecipe, TeacherRecipe, TomlRecipe, in_range},
    transformer::{Stretches, network::Transformer},
};

/// How a transformer is trained, read from a TOML file in which unknown keys are errors.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TransformerRecipe {
    /// [`Kind::Transformer`].
    pub kind: Kind,
    /// The name of the network; also names the files.
    pub network: String,
    /// Total number of samples. Each is a stretch of a game.
    pub positions: u64,
    /// Samples per step.
    pub batch: u64,
    /// The initial learning rate, without warm-up.
    pub learning_rate: f64,
    /// The final learning rate, to which the rate falls linearly. Not used with `decay_every`.
    #[serde(default)]
    pub final_learning_rate: f64,
    /// The rate falls to a tenth each time after this number of samples; 0: it falls linearly.
    #[serde(default)]
    pub decay_every: u64,
    /// The number of samples over which the rate rises at the start.
    #[serde(default)]
    pub warm_up: u64,
    /// The share of the running average of the weights that each step keeps. The average is validated and exported.
    pub averaging: f64,
    /// Samples between two validations.
    pub validate_every: u64,
    /// Number of positions of the test split on which the best network is measured.
    #[serde(default = "default_test_positions")]
    pub test_positions: usize,
    /// Seed of the initial weights and of the order of the samples.
    pub seed: u64,
    /// A policy to learn from, in addition to the games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub teacher: Option<TeacherRecipe>,
    /// How many samples are drawn from a game in each epoch.
    pub stretches: Stretches,
    /// The network's sizes.
    pub transformer: Transformer,
}

fn default_test_positions() -> usize {
    40_000
}

impl TomlRecipe for TransformerRecipe {
    fn check(&self, path: &str) -> Result<(), RecipeError> {
        let Transformer {
            width, heads, hidden, moves, move_layers, board_layers, board, rights, fusion, ..
        } = self.transformer;
        let is_size = |size: i64| (1..=4096).contains(&size);
        let sizes = [width, hidden, board, rights, fusion].into_iter().all(is_size);
        let layers = [move_layers, board_layers].into_iter().all(|layers| (1..=24).contains(&layers));
        let Stretches { from_start, to_end, random } = self.stretches;
        let stretches = [from_start, to_end, random];
        let is_name = |name: &str| {
            !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        };
        let checks = [
            (self.kind == Kind::Transformer, "kind", "\"transformer\" for a transformer"),
            (is_name(&self.network), "network", "letters, digits and hyphens"),
            ((1..=1 << 16).contains(&self.batch), "batch", "a number from 1 to 65536"),
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
            (self.validate_every >= self.batch, "validate_every", "at least `batch`"),
            (self.test_positions >= 1, "test_positions", "at least 1"),
            (
                stretches.iter().sum::<u64>() >= 1 && stretches.iter().all(|some| *some <= 1000),
                "stretches",
                "at least one stretch per game, and at most 1000 of each kind",
            ),
            (sizes, "transformer", "sizes from 1 to 4096"),
            (layers, "transformer", "1 to 24 layers in each encoder"),
            ((1..=1024).contains(&moves), "transformer", "`moves` from 1 to 1024"),
            (heads >= 1 && width % heads.max(1) == 0, "transformer", "`heads` that divide `width`"),
        ];
        in_range(path, &checks)?;
        self.teacher.as_ref().map_or(Ok(()), |teacher| teacher.check(path))
    }
}

impl TransformerRecipe {
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

impl TaskRecipe for TransformerRecipe {
    fn network(&self) -> &str {
        &self.network
    }

    fn batch(&self) -> u64 {
        self.batch
    }

    fn steps(&self) -> u64 {
        self.schedule().steps()
    }

    fn rate(&self, step: u64) -> f64 {
        let schedule = self.schedule();
        match (step * self.batch).checked_div(self.decay_every) {
            Some(times) => schedule.warmed_up(step, self.learning_rate * 0.1f64.powi(times.min(300) as i32)),
            None => schedule.rate(step),
        }
    }

    fn averaging(&self) -> f64 {
        self.averaging
    }

    fn next_validation(&self, steps: u64) -> u64 {
        self.schedule().next_validation(steps, self.validate_every)
    }

    /// Rates, averaging and the number of samples may change when a run is resumed.
    fn incompatible_key(&self, other: &TransformerRecipe) -> Option<&'static str> {
        let checks = [
            (self.transformer == other.transformer, "transformer"),
            (self.stretches == other.stretches, "stretches"),
            (self.teacher == other.teacher, "teacher"),
            (self.batch == other.batch, "batch"),
            (self.seed == other.seed, "seed"),
        ];
        checks.into_iter().find(|(same, _)| !same).map(|(_, key)| key)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    const TEXT: &str = "kind = \"transformer\"\nnetwork = \"transformer\"\npositions = 4000\nbatch = 100
learning_rate = 1e-3\naveraging = 0.9\nvalidate_every = 1000\nseed = 1\n[stretches]\nfrom_start = 1\nto_end = 1
random = 2\n[transformer]\nwidth = 16\nheads = 2\nhidden = 16\nmoves = 8\nmove_layers = 2\nboard_layers = 1\nboard = 16
rights = 4\nfusion = 16\nrights_on_board = true\n";

    pub(in crate::transformer::training) fn recipe() -> TransformerRecipe {
        TransformerRecipe::parse(TEXT, "recipe.toml").unwrap()
    }

    #[test]
    fn the_rate_falls_linearly_or_in_steps_to_a_tenth() {
        let recipe = recipe();
        assert!((recipe.rate(20) - 5e-4).abs() < 1e-9);
        let by_steps = TransformerRecipe { decay_every: 1000, ..recipe.clone() };
        for (step, rate) in [(0, 1e-3), (9, 1e-3), (10, 1e-4), (39, 1e-6)] {
            assert!((by_steps.rate(step) / rate - 1.0).abs() < 1e-9, "{step}");
        }
        assert_eq!(TransformerRecipe::parse(&recipe.toml(), "again").unwrap(), recipe);
    }

    #[test]
    fn values_out_of_range_are_reported() {
        for (old, new, key) in [
            ("heads = 2", "heads = 3", "transformer"),
            ("moves = 8", "moves = 0", "transformer"),
            ("random = 2", "random = 2000", "stretches"),
            ("batch = 100", "batch = 0", "batch"),
            ("network = \"transformer\"", "network = \"../x\"", "network"),
            ("seed = 1", "sed = 1", "sed"),
            ("[stretches]", "[teacher]\nnetwork = \"goal-policy\"\nshare = 1.5\n[stretches]", "teacher"),
        ] {
            let error = TransformerRecipe::parse(&TEXT.replace(old, new), "r.toml").unwrap_err().to_string();
            assert!(error.contains(key), "{error}");
        }
    }
}
