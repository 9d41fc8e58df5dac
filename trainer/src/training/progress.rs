use serde::{Deserialize, Serialize};

use super::{Recipe, Record, Sampling, Score};

/// Where a run is, apart from its tensors.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Progress {
    /// What is being trained.
    pub recipe: Recipe,
    /// Games and different positions of the training split: the run goes on with the same data only.
    pub games: u64,
    /// See `games`.
    pub positions: u64,
    /// Steps (batches) done.
    pub steps: u64,
    /// Sum of the batches' losses, and their number, since the last record.
    pub loss_sum: f64,
    /// See `loss_sum`.
    pub loss_count: u64,
    /// Seconds spent in steps since the last record.
    pub seconds: f64,
    /// Seconds spent in steps in all.
    pub total_seconds: f64,
    /// The best validation so far.
    pub best: Option<Best>,
    /// The lowest validation loss at the end of an epoch, and epochs since.
    pub best_epoch_loss: Option<f64>,
    /// See `best_epoch_loss`.
    pub epochs_without_improvement: u64,
    /// One row for each validation.
    pub records: Vec<Record>,
}

/// The best validation of a run, and all that a model card says of it: the card of the same network stays the
/// same, however the run goes on.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Best {
    /// Steps done when it was measured.
    pub steps: u64,
    /// Mean training loss of the stretch before it.
    pub train_loss: f64,
    /// Over all pairs of the validation sample.
    pub score: Score,
    /// For each constraint.
    pub by_constraint: Vec<Score>,
    /// What made it.
    pub origin: Origin,
    /// What it says of games used for nothing else; measured when the run ends.
    pub test: Option<TestFigures>,
}

/// What made a network.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Origin {
    /// The recipe at that time.
    pub recipe: Recipe,
    /// What was run.
    pub command: String,
    /// The day, in UTC, as `2026-01-31`.
    pub date: String,
    /// Where it was computed.
    pub device: String,
    /// Threads of the network's arithmetic.
    pub threads: u64,
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

impl Progress {
    /// Checks that the run can go on with `recipe`.
    ///
    /// # Errors
    ///
    /// What differs that may not.
    pub fn check_recipe(&self, recipe: &Recipe) -> Result<(), String> {
        match self.recipe.incompatible_key(recipe) {
            Some(key) => Err(format!("the checkpoint was made with another `{key}`")),
            None => Ok(()),
        }
    }
}
