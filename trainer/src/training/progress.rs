use serde::{Deserialize, Serialize};

use super::{BestOf, Task, TaskRecipe};

/// The progress of a run: its state without the tensors.
#[derive(Deserialize, Serialize)]
#[serde(bound = "")]
pub struct Progress<T: Task> {
    /// The training data, in words. A run can be resumed only with the same data.
    pub data: String,
    /// The network with which the run began; `None` for random weights.
    pub start: Option<String>,
    /// Number of steps (batches) done.
    pub steps: u64,
    /// Seconds spent in steps.
    pub seconds: f64,
    /// Sums over the steps since the last validation.
    pub recent: Sums,
    /// The recipe.
    pub recipe: T::Recipe,
    /// The position in the order of samples.
    pub place: T::Place,
    /// The best network so far.
    pub best: Option<BestOf<T>>,
    /// One row for each validation.
    pub records: Vec<T::Record>,
}

impl<T: Task> Progress<T> {
    /// Number of samples used.
    pub fn samples(&self) -> u64 {
        self.steps * self.recipe.batch()
    }
}

/// Sums over some steps.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct Sums {
    /// The number of steps.
    pub steps: u64,
    /// Seconds spent in them.
    pub seconds: f64,
    /// The sums of the parts of the loss.
    pub losses: Vec<f64>,
}

impl Sums {
    /// Adds a step.
    pub fn add(&mut self, losses: &[f64], seconds: f64) {
        self.steps += 1;
        self.seconds += seconds;
        self.losses.resize(losses.len(), 0.0);
        self.losses.iter_mut().zip(losses).for_each(|(sum, loss)| *sum += loss);
    }

    /// The means of the parts of the loss; empty if there were no steps.
    pub fn means(&self) -> Vec<f64> {
        self.losses.iter().map(|sum| sum / self.steps as f64).collect()
    }
}
