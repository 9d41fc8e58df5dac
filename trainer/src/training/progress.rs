use serde::{Deserialize, Serialize};

use super::{Task, TaskRecipe};

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
    pub best: Option<Best<T>>,
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

/// The steps between two validations.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stretch {
    /// Number of samples used until the end of the stretch.
    pub samples: u64,
    /// The means of the parts of the loss over its batches.
    pub losses: Vec<f64>,
    /// The learning rate of its last step.
    pub learning_rate: f64,
    /// The training speed.
    pub samples_per_second: f64,
    /// Seconds spent in steps since the run began.
    pub seconds: f64,
}

/// The best network of a run, with everything that its card says. The card of a network does not change when the run
/// continues.
#[derive(Deserialize, Serialize)]
#[serde(bound = "")]
pub struct Best<T: Task> {
    /// The number of steps done when it was measured.
    pub steps: u64,
    /// The means of the parts of the training loss in the stretch before it.
    pub losses: Vec<f64>,
    /// How it was made.
    pub origin: Origin<T::Recipe>,
    /// The measures of its validation.
    pub measures: T::Measures,
    /// The measures on the test split, at the end of the run.
    pub test: Option<T::Test>,
}

/// How a network was made.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Origin<R> {
    /// The command.
    pub command: String,
    /// The date in UTC, such as `2026-01-31`.
    pub date: String,
    /// The device on which it was computed.
    pub device: String,
    /// The number of threads that computed the network.
    pub threads: u64,
    /// The recipe at that time.
    pub recipe: R,
}
