use serde::{Deserialize, Serialize};

use super::{Measures, PolicyRecipe};

/// Where a run is, apart from its tensors.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct PolicyProgress {
    /// What is being trained.
    pub recipe: PolicyRecipe,
    /// The network that it began with, if not with random weights: its file and SHA-256.
    #[serde(default)]
    pub start: Option<String>,
    /// Games that it learns from: the run goes on with the same ones only.
    pub games: u64,
    /// Games of its own that it learns from, too.
    #[serde(default)]
    pub own_games: u64,
    /// Steps done.
    pub steps: u64,
    /// The round of samples that comes next, or is being used.
    pub round: u64,
    /// Batches used of it.
    pub batches: u64,
    /// Seconds spent in steps.
    pub seconds: f64,
    /// One for each validation.
    pub records: Vec<PolicyRecord>,
    /// What the last validation measured.
    pub measures: Option<Measures>,
}

/// A row of `metrics.csv`.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct PolicyRecord {
    /// Samples trained on.
    pub positions: u64,
    /// Of the samples since the row before, in nats: cross-entropy of the moves.
    pub train_policy: f64,
    /// Binary cross-entropy of the satisfaction value.
    pub train_value: f64,
    /// Of the action value.
    pub train_action_value: f64,
    /// Cross-entropy of the result.
    pub train_result: f64,
    /// Of held-out online games without a goal: cross-entropy.
    pub online_cross_entropy: f64,
    /// The share of moves that were the likeliest.
    pub online_top_1: f64,
    /// The same over the board.
    pub over_the_board_cross_entropy: f64,
    /// See above.
    pub over_the_board_top_1: f64,
    /// Of online games with a goal that they reached: cross-entropy.
    pub hindsight_cross_entropy: f64,
    /// Of games with clocks that the network is not told.
    #[serde(default)]
    pub hidden_clock_cross_entropy: Option<f64>,
    /// Of the same positions with their clocks told.
    #[serde(default)]
    pub told_clock_cross_entropy: Option<f64>,
    /// Of online games of the store that is compared with, if any: cross-entropy.
    #[serde(default)]
    pub compared_online_cross_entropy: Option<f64>,
    /// The share of moves that were the likeliest.
    #[serde(default)]
    pub compared_online_top_1: Option<f64>,
    /// The same over the board.
    #[serde(default)]
    pub compared_over_the_board_cross_entropy: Option<f64>,
    /// See above.
    #[serde(default)]
    pub compared_over_the_board_top_1: Option<f64>,
    /// Area under the ROC curve of the satisfaction value.
    pub value_auc: Option<f64>,
    /// Of the action value.
    pub action_value_auc: Option<f64>,
    /// Cross-entropy of held-out results.
    pub result_loss: f64,
    /// Learning rate of the last step.
    pub learning_rate: f64,
    /// Since the row before.
    pub positions_per_second: f64,
    /// Seconds of training since the run began.
    pub seconds: f64,
}
