//! `entente-trainer export`: writes the network of a checkpoint as a file.

use std::{
    path::PathBuf,
    time::{Instant, SystemTime},
};

use anyhow::{Context, bail};
use clap::ValueEnum;
use tch::Device;

use crate::{
    export::TOLERANCE,
    files::{sha256, utc_date},
    games::same_file,
    training::{
        Checkpoint, Kind, Rows, Task, checkpoint_kind, evaluation::Evaluation, policy::Policy,
        satisfaction::Satisfaction,
    },
    transformer::training::MovePrediction,
};

const EXAMPLES: &str = "\
Example:
  entente-trainer export runs/thesis-1/checkpoint.safetensors -s games.store -o thesis-1.onnx

Before the file is written, the network runs in the engine on 100 positions of the store's games and must agree with \
libtorch; otherwise nothing is written. `train` itself exports the network whenever the validation loss is the lowest \
so far.

Exit status: 0 the file was written, 2 an error.";

/// Options of `export`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The checkpoint of a run
    checkpoint: PathBuf,

    /// A game store; the file is checked on its positions
    #[arg(short, long, value_name = "FILE")]
    store: PathBuf,

    /// The ONNX file to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// The weights to export
    #[arg(long, value_enum, default_value = "best")]
    weights: Weights,
}

#[derive(Clone, Copy, ValueEnum)]
enum Weights {
    /// The weights with the lowest validation loss (for a policy, those of the last validation), with their date and
    /// recipe
    Best,
    /// The current running average
    Average,
    /// The current weights
    Last,
}

/// Exports.
pub(super) fn run(arguments: Arguments) -> anyhow::Result<()> {
    for input in [&arguments.checkpoint, &arguments.store] {
        if same_file(input, &arguments.output) {
            bail!("option --output: {} is an input", input.display());
        }
    }
    match checkpoint_kind(&arguments.checkpoint)? {
        Kind::Satisfaction => export::<Satisfaction>(&arguments),
        Kind::Policy => export::<Policy>(&arguments),
        Kind::Evaluation => export::<Evaluation>(&arguments),
        Kind::Transformer => export::<MovePrediction>(&arguments),
    }
}

fn export<T: Task>(arguments: &Arguments) -> anyhow::Result<()> {
    let start = Instant::now();
    let Checkpoint { progress, rows } = Checkpoint::<T>::read(&arguments.checkpoint, Device::Cpu)?;
    let parity = T::parity(&progress.recipe, &arguments.store)?;
    let Rows { weights, average, best, .. } = rows;
    let (mut recipe, mut date) = (&progress.recipe, utc_date(SystemTime::now()));
    let row = match arguments.weights {
        Weights::Best => {
            let kept = progress.best.as_ref().with_context(|| {
                let path = arguments.checkpoint.display();
                format!("{path}: no best weights, because the run has not been validated yet; use --weights average or \
                         last")
            })?;
            (recipe, date) = (&kept.origin.recipe, kept.origin.date.clone());
            best
        }
        Weights::Average => average,
        Weights::Last => weights,
    };
    let bytes = T::export(recipe, row, &date, &parity, &arguments.output)?;
    println!("{} sha256 {}", arguments.output.display(), sha256(&bytes));
    let seconds = start.elapsed().as_secs_f64();
    eprintln!("the engine agrees with libtorch within {TOLERANCE}; {} bytes, {seconds:.1} s", bytes.len());
    Ok(())
}
