//! `entente-trainer export`: a run's checkpoint into an ONNX file.

use std::{
    path::PathBuf,
    sync::Arc,
    time::{Instant, SystemTime},
};

use anyhow::{Context, bail};
use clap::ValueEnum;
use tch::Device;

use crate::{
    dataset::{SatisfactionSet, goal::Archive},
    export::{Metadata, TOLERANCE, sample_inputs, sha256, utc_date, write_model, write_policy},
    games::{GameStore, StoreError, same_file},
    network::{Parameters, tower},
    training::{
        Checkpoint, TomlRecipe as _,
        policy::{HeldOut, PolicyProgress, PolicyTrainer},
    },
};

/// Positions on which a policy is checked.
const PARITY: usize = 100;

const EXAMPLES: &str = "\
Example:
  entente-trainer export runs/thesis-1/checkpoint.safetensors -s games.store -o thesis-1.onnx

Before the file is written the network runs in tract on 100 positions of the store's games and must agree with \
libtorch; otherwise nothing is written. `train` exports by itself whenever the validation loss is the lowest so far.

Exit status: 0 the file was written, 2 an error.";

/// Options of `export`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The checkpoint of a run
    checkpoint: PathBuf,

    /// A game store, for positions on which the file is checked
    #[arg(short, long, value_name = "FILE")]
    store: PathBuf,

    /// The ONNX file to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// Which of the run's weights
    #[arg(long, value_enum, default_value = "best")]
    weights: Weights,
}

#[derive(Clone, Copy, ValueEnum)]
enum Weights {
    /// Those of the lowest validation loss, with the date and the recipe of that time
    Best,
    /// The running average as it is now
    Average,
    /// The weights themselves as they are now
    Last,
}

/// Exports.
pub fn run(arguments: Arguments) -> anyhow::Result<()> {
    let start = Instant::now();
    for input in [&arguments.checkpoint, &arguments.store] {
        if same_file(input, &arguments.output) {
            bail!("option --output: {} is an input", input.display());
        }
    }
    if let Ok((progress, [weights, average, ..])) = PolicyTrainer::read(&arguments.checkpoint, Device::Cpu) {
        let weights = if matches!(arguments.weights, Weights::Last) { weights } else { average };
        return policy(&arguments, &progress, weights);
    }
    let checkpoint = Checkpoint::read(&arguments.checkpoint, Device::Cpu)?;
    let recipe = &checkpoint.progress.recipe;
    let architecture = recipe.architecture()?;
    let store = GameStore::open(&arguments.store)?;
    let read = |block| {
        let games = store.read_block(block)?;
        Ok::<_, StoreError>(games.into_iter().map(|game| game.moves).collect())
    };
    let set =
        SatisfactionSet::build("first block", recipe.constraints.constraints(), 1, read, false, 1, || ())
            .with_context(|| arguments.store.display().to_string())?;
    let today = || Metadata { recipe: recipe.toml(), date: utc_date(SystemTime::now()) };
    let (flat, metadata) = match arguments.weights {
        Weights::Best => {
            let best = checkpoint.progress.best.as_ref().with_context(|| {
                let path = arguments.checkpoint.display();
                format!("{path}: no validation yet, so no best weights; give --weights average or last")
            })?;
            let metadata = Metadata { recipe: best.origin.recipe.toml(), date: best.origin.date.clone() };
            (checkpoint.best, metadata)
        }
        Weights::Average => (checkpoint.average, today()),
        Weights::Last => (checkpoint.parameters, today()),
    };
    let parameters = Parameters::zeros(&architecture, Device::Cpu).with(flat);
    let bytes = write_model(&architecture, &parameters, &metadata, &sample_inputs(&set), &arguments.output)?;
    println!("{} sha256 {}", arguments.output.display(), sha256(&bytes));
    let seconds = start.elapsed().as_secs_f64();
    eprintln!("tract agrees with libtorch within {TOLERANCE}; {} bytes, {seconds:.1} s", bytes.len());
    Ok(())
}

/// Exports a policy.
fn policy(arguments: &Arguments, progress: &PolicyProgress, weights: tch::Tensor) -> anyhow::Result<()> {
    let start = Instant::now();
    let recipe = &progress.recipe;
    let store = GameStore::open(&arguments.store)?;
    let games = store.read_block(0)?;
    let archive = Archive::stored(games.iter());
    let held_out = HeldOut::new(&Arc::new(archive), &recipe.sampler(), PARITY / 4, PARITY / 2, 1);
    let samples = &held_out.samples()[..held_out.samples().len().min(PARITY)];
    let metadata = Metadata { recipe: recipe.toml(), date: utc_date(SystemTime::now()) };
    let weights = tower::Weights::of(&recipe.tower, weights);
    let bytes =
        write_policy(recipe.network.name(), &recipe.tower, &weights, &metadata, samples, &arguments.output)?;
    println!("{} sha256 {}", arguments.output.display(), sha256(&bytes));
    let seconds = start.elapsed().as_secs_f64();
    eprintln!(
        "tract agrees with libtorch within {TOLERANCE} on {} positions; {} bytes, {seconds:.1} s",
        samples.len(),
        bytes.len()
    );
    Ok(())
}
