use serde::{Deserialize, Serialize};

/// The best network of a run, with everything that its card says. The card of a network does not change when the run
/// continues.
#[derive(Deserialize, Serialize)]
pub struct Best<Recipe, Measures, Test> {
    /// The number of steps done when it was measured.
    pub steps: u64,
    /// The means of the parts of the training loss in the stretch before it.
    pub losses: Vec<f64>,
    /// How it was made.
    pub origin: Origin<Recipe>,
    /// The measures of its validation.
    pub measures: Measures,
    /// The measures on the test split, at the end of the run.
    pub test: Option<Test>,
}

/// How a network was made.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Origin<Recipe> {
    /// The command.
    pub command: String,
    /// The date in UTC, such as `2026-01-31`.
    pub date: String,
    /// The device on which it was computed.
    pub device: String,
    /// The number of threads that computed the network.
    pub threads: u64,
    /// The recipe at that time.
    pub recipe: Recipe,
}
