use serde::{Deserialize, Serialize};

use super::Sampling;
use crate::training::Score;

/// A row of `metrics.csv`: one validation.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Record {
    /// Epochs done; a fraction for a validation within an epoch.
    pub epoch: f64,
    /// Pairs trained on so far.
    pub pairs: u64,
    /// Mean binary cross-entropy, in nats, of the batches since the row before.
    pub train_loss: f64,
    /// Mean binary cross-entropy of the validation sample.
    pub validation_loss: f64,
    /// Its area under the ROC curve; empty if the sample is of one kind.
    pub auc: Option<f64>,
    /// Learning rate of the last batch.
    pub learning_rate: f64,
    /// Training speed since the row before.
    pub samples_per_second: f64,
    /// Seconds of training, validations left out, since the run began.
    pub seconds: f64,
}

/// What a network says of the test split.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct TestFigures {
    /// Games, of those that the recipe selects.
    pub games: u64,
    /// Drawn as in training, and all pairs alike.
    pub samples: Vec<TestScore>,
}

/// One sample of the test split.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct TestScore {
    /// How it was drawn.
    pub sampling: Sampling,
    /// What came out.
    pub score: Score,
}
