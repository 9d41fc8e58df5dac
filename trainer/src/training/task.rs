use std::path::Path;

use serde::{Serialize, de::DeserializeOwned};
use tch::{Device, Tensor};

use super::{Best, Inputs, Optimizer, Stretch, TomlRecipe};
use crate::progress::ProgressObserver;

/// A kind of network, with everything that the loop needs to train it.
///
/// A run consists of steps. Each step takes a batch of samples and moves the weights, a row of 32-bit numbers, against
/// the gradient of a loss. At intervals, the running average of the weights is validated on other games. The network of
/// one validation is kept as the best and exported. At the end, it is measured on the test split.
pub trait Task: Sized {
    /// The recipe.
    type Recipe: TaskRecipe;
    /// The position in the order of samples, as far as the number of steps does not determine it.
    type Place: Saved + Default;
    /// The measures of a validation.
    type Measures: Saved;
    /// A row of `metrics.csv`.
    type Record: Saved;
    /// The measures of the best network on the test split.
    type Test: Saved;
    /// Inputs on which an exported network is compared with the trained one.
    type Parity;

    /// Gradients with a greater norm are scaled to this norm; `None`: no clipping.
    const MAX_GRADIENT: Option<f64> = None;
    /// Whether the network with the lowest validation loss is kept; otherwise the network of the last validation.
    const KEEPS_LOWEST: bool;
    /// The extension of the networks' files.
    const EXTENSION: &'static str = "onnx";
    /// The labels of the axes in the plot of losses.
    const AXES: [&str; 2];

    /// Reads the inputs that the recipe needs.
    ///
    /// # Errors
    ///
    /// If an input cannot be read, there are no games, or an option does not apply to this kind of network.
    fn open(
        recipe: &Self::Recipe,
        inputs: &Inputs<'_>,
        observer: &dyn ProgressObserver,
    ) -> anyhow::Result<Self>;

    /// The training data, in words. A run can be resumed only with the same data.
    fn data(&self) -> String;

    /// The network with which the run begins, in words; `None` for random weights.
    fn start(&self) -> Option<&str> {
        None
    }

    /// The number of threads that compute the network.
    fn threads(&self) -> usize;

    /// The number of weights.
    fn count(recipe: &Self::Recipe) -> i64;

    /// The initial weights of a new run.
    fn weights(&self) -> Tensor;

    /// The optimizer for these weights.
    fn optimizer(&self, weights: &Tensor) -> Optimizer;

    /// Computes the gradient, at `weights`, of the loss of the batch of step `step`, counted from 0, and the parts of
    /// the loss in nats. Advances `place`. The next call may overwrite the gradient.
    fn gradient(&mut self, place: &mut Self::Place, step: u64, weights: &Tensor) -> (Tensor, Vec<f64>);

    /// Measures weights on the validation samples, in 32-bit arithmetic.
    fn measure(&self, weights: &Tensor) -> Self::Measures;

    /// The loss with which validations are compared.
    fn loss(measures: &Self::Measures) -> f64;

    /// The row of `metrics.csv` for a validation.
    fn record(&self, stretch: &Stretch, measures: &Self::Measures) -> Self::Record;

    /// The point of a row in the plot of losses: its position on the first axis, the training loss and the validation
    /// loss.
    fn point(record: &Self::Record) -> [f64; 3];

    /// The line that is printed for a new row. `kept` says whether its network is kept.
    fn line(record: &Self::Record, kept: bool) -> String;

    /// True if the run must end because it no longer improves.
    fn is_out_of_patience(_recipe: &Self::Recipe, _records: &[Self::Record]) -> bool {
        false
    }

    /// Measures the network with these bytes on the test split, as the engine runs it; `None` if the split has no
    /// games.
    ///
    /// # Errors
    ///
    /// If the games cannot be read or the network cannot be run.
    fn test(
        &self,
        recipe: &Self::Recipe,
        network: &[u8],
        observer: &dyn ProgressObserver,
    ) -> anyhow::Result<Option<Self::Test>>;

    /// Inputs from the beginning of the store at `store`, on which exported networks are checked.
    ///
    /// # Errors
    ///
    /// If the store has none or cannot be read.
    fn parity(recipe: &Self::Recipe, store: &Path) -> anyhow::Result<Self::Parity>;

    /// Writes the network with `weights`, which are on the CPU, after a check that the engine computes the same
    /// outputs. Returns the content of the file. The same weights, recipe and date give the same file.
    ///
    /// # Errors
    ///
    /// If the check fails or the file cannot be written.
    fn export(
        recipe: &Self::Recipe,
        weights: Tensor,
        date: &str,
        parity: &Self::Parity,
        path: &Path,
    ) -> anyhow::Result<Vec<u8>>;

    /// The card of the best network, in Markdown; `None` if it cannot be written yet. `start` is the network with which
    /// the run began, and `hash` is the SHA-256 of the best network's file.
    fn card(&self, best: &BestOf<Self>, start: Option<&str>, hash: &str) -> Option<String>;
}

/// The best network of a run of this kind.
pub type BestOf<T> = Best<<T as Task>::Recipe, <T as Task>::Measures, <T as Task>::Test>;

/// Data that can be saved in checkpoints.
pub trait Saved: Serialize + DeserializeOwned {}

impl<T: Serialize + DeserializeOwned> Saved for T {}

/// What the loop needs to know about a recipe.
pub trait TaskRecipe: TomlRecipe + Clone {
    /// The name of the network; also names the files.
    fn network(&self) -> &str;

    /// Samples per step.
    fn batch(&self) -> u64;

    /// Total number of steps.
    fn steps(&self) -> u64;

    /// The learning rate of step `step`, counted from 0.
    fn rate(&self, step: u64) -> f64;

    /// The share of the running average of the weights that each step keeps.
    fn averaging(&self) -> f64;

    /// The number of steps at the next validation after `steps` steps. It must depend only on the recipe, because every
    /// validation may select the network that is exported.
    fn next_validation(&self, steps: u64) -> u64;

    /// The progress after `steps` steps, as text before the loss.
    fn progress(&self, _steps: u64) -> String {
        String::new()
    }

    /// A key in which `self` and `other` differ and which must not change when a run is resumed.
    fn incompatible_key(&self, other: &Self) -> Option<&'static str>;
}

/// The name of a device, for cards.
pub(super) fn device_name(device: Device) -> String {
    match device {
        Device::Cpu => "CPU".to_owned(),
        Device::Cuda(number) => format!("CUDA device {number}"),
        other => format!("{other:?}"),
    }
}
