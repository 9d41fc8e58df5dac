use serde::{Deserialize, Serialize};

use super::{Task, TaskRecipe};

/// Where a run is, apart from its tensors.
#[derive(Deserialize, Serialize)]
#[serde(bound = "")]
pub struct Progress<T: Task> {
    /// What it learns from: it goes on with the same only.
    pub data: String,
    /// The network that it began with, if not with random weights.
    pub start: Option<String>,
    /// Steps (batches) done.
    pub steps: u64,
    /// Seconds spent in steps.
    pub seconds: f64,
    /// Sums over the steps since the last validation.
    pub recent: Sums,
    /// What is being trained.
    pub recipe: T::Recipe,
    /// Where in its samples it is.
    pub place: T::Place,
    /// The network that is kept.
    pub best: Option<Best<T>>,
    /// One row for each validation.
    pub records: Vec<T::Record>,
}

impl<T: Task> Progress<T> {
    /// Samples used.
    pub fn samples(&self) -> u64 {
        self.steps * self.recipe.batch()
    }
}

/// Sums over some steps.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct Sums {
    /// How many steps.
    pub steps: u64,
    /// Seconds spent in them.
    pub seconds: f64,
    /// Of the parts of their losses.
    pub losses: Vec<f64>,
}

impl Sums {
    /// Takes in a step.
    pub fn add(&mut self, losses: &[f64], seconds: f64) {
        self.steps += 1;
        self.seconds += seconds;
        self.losses.resize(losses.len(), 0.0);
        self.losses.iter_mut().zip(losses).for_each(|(sum, loss)| *sum += loss);
    }

    /// The mean of the losses; empty if there was no step.
    pub fn means(&self) -> Vec<f64> {
        self.losses.iter().map(|sum| sum / self.steps as f64).collect()
    }
}

/// The steps between two validations.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stretch {
    /// Samples used until its end.
    pub samples: u64,
    /// Means of the parts of its batches' losses.
    pub losses: Vec<f64>,
    /// Learning rate of its last step.
    pub learning_rate: f64,
    /// Its speed.
    pub samples_per_second: f64,
    /// Seconds spent in steps since the run began.
    pub seconds: f64,
}

/// The kept network of a run, and all that a card says of it: the card of the same network stays the same, however
/// the run goes on.
#[derive(Deserialize, Serialize)]
#[serde(bound = "")]
pub struct Best<T: Task> {
    /// Steps done when it was measured.
    pub steps: u64,
    /// Means of the parts of the loss in training, of the stretch before it.
    pub losses: Vec<f64>,
    /// What made it.
    pub origin: Origin<T::Recipe>,
    /// What its validation said.
    pub measures: T::Measures,
    /// What it says of games used for nothing else; measured when the run ends.
    pub test: Option<T::Test>,
}

/// What made a network.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Origin<R> {
    /// What was run.
    pub command: String,
    /// The day, in UTC, as `2026-01-31`.
    pub date: String,
    /// Where it was computed.
    pub device: String,
    /// Threads of the network's arithmetic.
    pub threads: u64,
    /// The recipe at that time.
    pub recipe: R,
}
