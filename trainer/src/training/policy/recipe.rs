use entente_network::encoding::goal_policy::{FIRST_PLANES, PLANES};
use serde::{Deserialize, Serialize};

use crate::{
    games::Split,
    network::{Precision, tower::Tower},
    samples::goal::{Mixture, Sampler},
    training::{Kind, RecipeError, TaskRecipe, TeacherRecipe, TomlRecipe, in_range},
};

/// How a policy is trained, read from a TOML file in which unknown keys are errors.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct PolicyRecipe {
    /// [`Kind::Policy`]; missing in older exported networks.
    #[serde(default = "policy")]
    pub kind: Kind,
    /// The name of the network; also names the files.
    pub network: PolicyName,
    /// The games from which it learns.
    #[serde(default)]
    pub games: Learner,
    /// The share of online games among the samples. Among online games, and among the others, rating bands are
    /// balanced.
    #[serde(default = "default_online")]
    pub online: f64,
    /// The share of samples that hide ratings; half of these hide only one.
    #[serde(default = "default_unknown_ratings")]
    pub unknown_ratings: f64,
    /// Of the samples with known clocks and time controls, the share that shows them.
    #[serde(default = "default_clocks")]
    pub clocks: f64,
    /// The number of games that one player's moves count as, at most; 0: no limit.
    #[serde(default = "default_player_games")]
    pub player_games: u32,
    /// The share of the policy's own games among those from which samples are drawn, if there are any.
    #[serde(default = "default_own")]
    pub own: f64,
    /// Total number of samples.
    pub positions: u64,
    /// Samples per step.
    pub batch: u64,
    /// The optimizer.
    #[serde(default)]
    pub optimizer: Optimization,
    /// The learning rate between warm-up and decay; with `final_learning_rate`, the initial rate without warm-up.
    pub learning_rate: f64,
    /// The factor of the learning rate for weights that are copied from networks of Leela Chess Zero, from 0 to 1. With
    /// Adam only.
    #[serde(default = "default_copied_rate", skip_serializing_if = "is_default_copied_rate")]
    pub copied_rate: f64,
    /// The final learning rate. The rate falls linearly to it over the whole run; excludes `decay`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub final_learning_rate: Option<f64>,
    /// The number of samples over which the learning rate rises at the start.
    pub warm_up: u64,
    /// The number of final samples over which the learning rate falls linearly to a hundredth; 0: it does not fall.
    #[serde(default)]
    pub decay: u64,
    /// The share of the running average of the weights that each step keeps. The average is validated and exported.
    pub averaging: f64,
    /// The weight of the losses of both satisfaction values, relative to that of the moves.
    #[serde(default = "default_value_weight")]
    pub value_weight: f64,
    /// The weight of the loss of the result.
    #[serde(default = "default_result_weight")]
    pub result_weight: f64,
    /// Samples between two validations.
    pub validate_every: u64,
    /// Precision of the convolutions in training.
    #[serde(default = "default_precision")]
    pub precision: Precision,
    /// Seed of the initial weights and of the order of the samples.
    pub seed: u64,
    /// The weight of labels in the loss of the moves, from 0 to 1; the moves that were played have the remaining
    /// weight.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label_share: Option<f64>,
    /// A policy to learn from, in addition to the games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub teacher: Option<TeacherRecipe>,
    /// The sizes of the network.
    pub tower: Tower,
    /// The shares of the kinds of goals.
    #[serde(default)]
    pub mixture: Mixture,
}

/// The optimizer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Optimization {
    /// Adam for all weights.
    #[default]
    Adam,
    /// Muon (Jordan et al. 2024) for the 3×3 convolutions, as matrices with a row for each output; Adam for the rest.
    Muon,
}

impl Optimization {
    /// The name in cards.
    pub fn name(self) -> &'static str {
        match self {
            Optimization::Adam => "Adam",
            Optimization::Muon => "Muon for the 3×3 convolutions, Adam for the rest",
        }
    }
}

/// The names of policies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PolicyName {
    /// The policy that plays and generates.
    GoalPolicy,
    /// The policy that models people in natural games. It learns no goals.
    HumanPolicy,
    /// The policy that only judges how human games look.
    ReferencePolicy,
}

/// The split from which a policy learns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Learner {
    /// The training split.
    #[default]
    Training,
    /// The reference split.
    Reference,
}

impl PolicyName {
    /// The name in recipes and file names.
    pub fn name(self) -> &'static str {
        match self {
            PolicyName::GoalPolicy => "goal-policy",
            PolicyName::HumanPolicy => "human-policy",
            PolicyName::ReferencePolicy => "reference-policy",
        }
    }
}

impl Learner {
    /// The split.
    pub fn split(self) -> Split {
        match self {
            Learner::Training => Split::Training,
            Learner::Reference => Split::Reference,
        }
    }
}

/// If a recipe uses labels, the share of samples without a goal that are replaced by a position with a label.
const LABELLED: f64 = 0.8;

fn policy() -> Kind {
    Kind::Policy
}

fn default_online() -> f64 {
    0.5
}

fn default_own() -> f64 {
    0.2
}

fn default_unknown_ratings() -> f64 {
    0.1
}

fn default_clocks() -> f64 {
    0.3
}

fn default_player_games() -> u32 {
    200
}

fn default_copied_rate() -> f64 {
    1.0
}

fn is_default_copied_rate(rate: &f64) -> bool {
    *rate == default_copied_rate()
}

fn default_value_weight() -> f64 {
    0.3
}

fn default_result_weight() -> f64 {
    0.2
}

fn default_precision() -> Precision {
    Precision::Bf16
}

impl TomlRecipe for PolicyRecipe {
    fn check(&self, path: &str) -> Result<(), RecipeError> {
        let share = |number: f64| (0.0..=1.0).contains(&number);
        let weight = |number: f64| (0.0..=100.0).contains(&number);
        let Tower { channels, blocks, condition, squeeze, bottleneck, planes, head, trunks, .. } = self.tower;
        let size = |number: i64| (1..=1024).contains(&number);
        let Mixture { plain, foreign, perturbed } = self.mixture;
        let checks = [
            (self.kind == Kind::Policy, "kind", "\"policy\" for a policy"),
            (share(self.online), "online", "a number from 0 to 1"),
            (share(self.unknown_ratings), "unknown_ratings", "a number from 0 to 1"),
            (share(self.clocks), "clocks", "a number from 0 to 1"),
            (share(self.own) && self.own < 1.0, "own", "a number from 0 to below 1"),
            (
                self.batch >= 2 && self.batch <= 1 << 16 && self.batch.is_multiple_of(2),
                "batch",
                "an even number from 2 to 65536",
            ),
            (
                (self.batch..=1_000_000_000_000).contains(&self.positions),
                "positions",
                "a number from one batch to 1000000000000",
            ),
            (
                self.learning_rate > 0.0 && self.learning_rate < 1.0,
                "learning_rate",
                "a number between 0 and 1",
            ),
            (share(self.copied_rate), "copied_rate", "a number from 0 to 1"),
            (
                is_default_copied_rate(&self.copied_rate) || self.optimizer == Optimization::Adam,
                "copied_rate",
                "no value with `optimizer = \"muon\"`",
            ),
            (self.warm_up <= self.positions, "warm_up", "a number up to `positions`"),
            (self.decay <= self.positions, "decay", "a number up to `positions`"),
            (
                self.final_learning_rate.is_none_or(|rate| (0.0..1.0).contains(&rate)),
                "final_learning_rate",
                "a number from 0 to below 1",
            ),
            (
                self.final_learning_rate.is_none() || self.decay == 0,
                "decay",
                "0 or no value with `final_learning_rate`",
            ),
            (self.averaging >= 0.0 && self.averaging < 1.0, "averaging", "a number from 0 to below 1"),
            (weight(self.value_weight), "value_weight", "a number from 0 to 100"),
            (weight(self.result_weight), "result_weight", "a number from 0 to 100"),
            (self.validate_every >= self.batch, "validate_every", "at least `batch`"),
            (size(channels), "tower.channels", "a number from 1 to 1024"),
            ((0..=64).contains(&blocks), "tower.blocks", "a number from 0 to 64"),
            (size(condition), "tower.condition", "a number from 1 to 1024"),
            (size(squeeze), "tower.squeeze", "a number from 1 to 1024"),
            ((0..=1024).contains(&bottleneck), "tower.bottleneck", "a number from 0 to 1024"),
            (
                [FIRST_PLANES, PLANES].contains(&(planes as usize)),
                "tower.planes",
                "51, or 110 to include previous positions",
            ),
            ([1, 3].contains(&head), "tower.head", "1 or 3"),
            ((1..=8).contains(&trunks), "tower.trunks", "a number from 1 to 8"),
            (
                share(plain) && share(foreign) && plain + foreign <= 1.0,
                "mixture",
                "shares with a sum of at most 1",
            ),
            (share(perturbed), "mixture.perturbed", "a number from 0 to 1"),
            (self.label_share.is_none_or(share), "label_share", "a number from 0 to 1"),
            (self.label_share.is_none() || self.teacher.is_none(), "label_share", "no value with `teacher`"),
        ];
        in_range(path, &checks)?;
        self.teacher.as_ref().map_or(Ok(()), |teacher| teacher.check(path))
    }
}

impl PolicyRecipe {
    /// True if weights copied from networks of Leela Chess Zero have a learning rate of their own, so that a run must
    /// know which they are.
    pub fn tells_copied(&self) -> bool {
        !is_default_copied_rate(&self.copied_rate)
    }

    /// True if some of its samples have goals.
    pub fn reads_goals(&self) -> bool {
        self.mixture.plain < 1.0
    }

    /// The sampler of the recipe.
    pub fn sampler(&self) -> Sampler {
        let labelled = if self.label_share.is_some() { LABELLED } else { 0.0 };
        Sampler {
            mixture: self.mixture,
            unknown_ratings: self.unknown_ratings,
            clocks: self.clocks,
            labelled,
        }
    }
}

impl TaskRecipe for PolicyRecipe {
    fn network(&self) -> &str {
        self.network.name()
    }

    fn batch(&self) -> u64 {
        self.batch
    }

    fn steps(&self) -> u64 {
        self.positions / self.batch
    }

    fn rate(&self, step: u64) -> f64 {
        const LAST: f64 = 0.01;
        let done = (step * self.batch) as f64;
        let left = (self.positions as f64 - done).max(0.0);
        let rise =
            if self.warm_up > 0 { ((done + self.batch as f64) / self.warm_up as f64).min(1.0) } else { 1.0 };
        if let Some(last) = self.final_learning_rate {
            return rise * (last + (self.learning_rate - last) * left / self.positions as f64);
        }
        let fall = if self.decay > 0 { (left / self.decay as f64).min(1.0) } else { 1.0 };
        self.learning_rate * rise * fall.max(LAST)
    }

    fn averaging(&self) -> f64 {
        self.averaging
    }

    fn next_validation(&self, steps: u64) -> u64 {
        let every = self.validate_every / self.batch;
        ((steps / every + 1) * every).min(self.steps())
    }

    /// Length, rates, averaging, precision and the interval of validations may change when a run is resumed.
    fn incompatible_key(&self, other: &PolicyRecipe) -> Option<&'static str> {
        let checks = [
            (self.network == other.network, "network"),
            (self.games == other.games, "games"),
            (self.online == other.online, "online"),
            (self.unknown_ratings == other.unknown_ratings, "unknown_ratings"),
            (self.clocks == other.clocks, "clocks"),
            (self.player_games == other.player_games, "player_games"),
            (self.own == other.own, "own"),
            (self.batch == other.batch, "batch"),
            (self.optimizer == other.optimizer, "optimizer"),
            (self.seed == other.seed, "seed"),
            (self.teacher == other.teacher, "teacher"),
            (self.label_share == other.label_share, "label_share"),
            (self.tower == other.tower, "tower"),
            (self.mixture == other.mixture, "mixture"),
        ];
        checks.into_iter().find(|(same, _)| !same).map(|(_, key)| key)
    }
}

#[cfg(test)]
mod tests;
