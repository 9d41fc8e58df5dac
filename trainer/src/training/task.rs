use std::path::Path;

use serde::{Serialize, de::DeserializeOwned};
use tch::{Device, Tensor};

use super::{Best, Inputs, Optimizer, Stretch, TomlRecipe, Watch};

/// A kind of network, with all that the loop must know to train one.
///
/// A run is made of steps. Each takes a batch of samples and moves the weights, a row of 32-bit numbers, against the
/// gradient of a loss. Now and then the running average of the weights is validated on other games, and the network of one
/// validation is kept, exported and, at the end, measured on the test split.
pub trait Task: Sized {
    /// How it is trained.
    type Recipe: TaskRecipe;
    /// Where in the order of its samples a run is, beside the number of steps.
    type Place: Saved + Default;
    /// What a validation says.
    type Measures: Saved;
    /// A row of `metrics.csv`.
    type Record: Saved;
    /// What the kept network says of the test split.
    type Test: Saved;
    /// Inputs on which an exported network is compared with the trained one.
    type Parity;

    /// Gradients longer than this are shortened to it.
    const MOST_GRADIENT: Option<f64> = None;
    /// Whether the network of the lowest loss of all validations is kept; otherwise that of the last one is.
    const KEEPS_LOWEST: bool;
    /// What the names of its networks' files end with.
    const EXTENSION: &'static str = "onnx";
    /// What the axes of the plot of losses say.
    const AXES: [&str; 2];

    /// Reads what the recipe needs of the inputs.
    ///
    /// # Errors
    ///
    /// If something cannot be read, there are no games, or an input is one that such networks do not take.
    fn open(recipe: &Self::Recipe, inputs: &Inputs<'_>, watch: &dyn Watch) -> anyhow::Result<Self>;

    /// What it learns from, in words: a run goes on with the same only.
    fn data(&self) -> String;

    /// The network that it begins with, in words, if not with random weights.
    fn start(&self) -> Option<&str> {
        None
    }

    /// Threads of the network's arithmetic.
    fn threads(&self) -> usize;

    /// The number of weights.
    fn count(recipe: &Self::Recipe) -> i64;

    /// The weights that a new run begins with.
    fn weights(&self) -> Tensor;

    /// What moves such weights.
    fn optimizer(&self, weights: &Tensor) -> Optimizer;

    /// The gradient of the loss of the batch of step `step`, counted from 0, at `weights`, and the parts of the loss in nats;
    /// `place` goes on. The next call may write to the same gradient.
    fn gradient(&mut self, place: &mut Self::Place, step: u64, weights: &Tensor) -> (Tensor, Vec<f64>);

    /// Measures weights on the validation's samples, in 32-bit arithmetic.
    fn measure(&self, weights: &Tensor) -> Self::Measures;

    /// The loss, in nats, by which validations are compared.
    fn loss(measures: &Self::Measures) -> f64;

    /// The row of a validation.
    fn record(&self, stretch: &Stretch, measures: &Self::Measures) -> Self::Record;

    /// Where a row stands in the plot of losses: along the first axis, then training's and the validation's loss.
    fn point(record: &Self::Record) -> [f64; 3];

    /// What is shown of a row when it is new; `kept`: its network is.
    fn line(record: &Self::Record, kept: bool) -> String;

    /// True if the run ends because nothing improves.
    fn gives_up(_recipe: &Self::Recipe, _records: &[Self::Record]) -> bool {
        false
    }

    /// What the network of these bytes says of the test split, as the engine runs it; `None` if that has no games.
    ///
    /// # Errors
    ///
    /// If the games cannot be read or the network cannot be run.
    fn test(
        &self,
        recipe: &Self::Recipe,
        network: &[u8],
        watch: &dyn Watch,
    ) -> anyhow::Result<Option<Self::Test>>;

    /// Inputs, of the first part of the store at `store`, on which exported networks are checked.
    ///
    /// # Errors
    ///
    /// If there are none, or the store cannot be read.
    fn parity(recipe: &Self::Recipe, store: &Path) -> anyhow::Result<Self::Parity>;

    /// Writes the network of `weights`, which are on the CPU, after a check that it computes the same in the engine, and
    /// returns the file's content. The same weights, recipe and date give the same file.
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

    /// The card of the kept network, in Markdown; `None` while there is too little to say. `start` is the network that the
    /// run began with, `hash` the SHA-256 of its file.
    fn card(&self, best: &Best<Self>, start: Option<&str>, hash: &str) -> Option<String>;
}

/// What checkpoints can hold.
pub trait Saved: Serialize + DeserializeOwned {}

impl<T: Serialize + DeserializeOwned> Saved for T {}

/// What the loop must know of a recipe.
pub trait TaskRecipe: TomlRecipe + Clone {
    /// The name of the network; also names the files.
    fn network(&self) -> &str;

    /// Samples a step.
    fn batch(&self) -> u64;

    /// Steps in all.
    fn steps(&self) -> u64;

    /// The learning rate of step `step`, counted from 0.
    fn rate(&self, step: u64) -> f64;

    /// How much of the running average of the weights a step keeps.
    fn averaging(&self) -> f64;

    /// The step, after `steps` of them, at whose end the next validation is due. It depends on the recipe alone, for each
    /// validation may choose the network that is exported.
    fn next_validation(&self, steps: u64) -> u64;

    /// How far `steps` steps are, in words that stand before the loss.
    fn progress(&self, _steps: u64) -> String {
        String::new()
    }

    /// The key in which `self` and `other` differ such that a run of one cannot go on with the other.
    fn incompatible_key(&self, other: &Self) -> Option<&'static str>;
}

/// A device in words, as cards have it.
pub(super) fn device_name(device: Device) -> String {
    match device {
        Device::Cpu => "CPU".to_owned(),
        Device::Cuda(number) => format!("CUDA device {number}"),
        other => format!("{other:?}"),
    }
}
