use serde::{Deserialize, Serialize};

use super::Sampling;
use crate::training::Score;

/// A row of `metrics.csv`: one validation.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Record {
    /// Number of epochs done; a fraction for a validation within an epoch.
    pub epoch: f64,
    /// Number of pairs used in training so far.
    pub pairs: u64,
    /// Mean binary cross-entropy, in nats, of the batches since the previous row.
    pub train_loss: f64,
    /// Mean binary cross-entropy of the validation sample.
    pub validation_loss: f64,
    /// Its area under the ROC curve; empty if the label is at least ½ for all pairs or for none.
    pub auc: Option<f64>,
    /// Learning rate of the last batch.
    pub learning_rate: f64,
    /// Training speed since the previous row.
    pub samples_per_second: f64,
    /// Seconds of training since the run began, without validations.
    pub seconds: f64,
}

/// The results of a network on the test split.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct TestFigures {
    /// Number of games that the recipe selects.
    pub games: u64,
    /// A sample drawn as in training, and one drawn uniformly.
    pub samples: Vec<TestScore>,
}

/// The result on one sample of the test split.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct TestScore {
    /// How it was drawn.
    pub sampling: Sampling,
    /// The score.
    pub score: Score,
}
