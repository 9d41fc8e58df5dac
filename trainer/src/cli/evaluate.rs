//! `entente-trainer evaluate`: how well a network predicts what happens in games it was not trained on.

use std::{path::PathBuf, thread};

use anyhow::{Context, anyhow};
use clap::ValueEnum;
use entente::{constraint::thesis::constraint, encoding::thesis::LENGTH};

use super::train::{bar, read_set};
use crate::{
    export::Runner,
    games::{GameStore, Split},
    training::{ConstraintSet, GameSelection, Measured, Sampling, Score, Validation},
};

const EXAMPLES: &str = "\
Examples:
  entente-trainer evaluate models/thesis-1.onnx games.store --constraints thesis-7
  entente-trainer evaluate models/thesis-2.onnx games.store --constraints thesis-17 --split test --pairs 300000

The network runs in tract, as in the engine. loss: mean binary cross-entropy in nats. AUC: area under the ROC curve for
\"at least half of the games through the position satisfy the constraint there or later\"; – if all do or none does.

Exit status: 0 measured, 2 an error.";

/// Options of `evaluate`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The network (ONNX)
    model: PathBuf,

    /// The game store (made by `import`)
    store: PathBuf,

    /// The constraints asked for
    #[arg(long, value_enum)]
    constraints: ConstraintSet,

    /// The games asked about
    #[arg(long, value_enum, default_value = "validation")]
    split: Part,

    /// Measure on a fixed sample of so many (position, constraint) pairs
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pairs: u64,

    /// Threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Part {
    /// The games that chose the best network
    Validation,
    /// Games used for nothing else
    Test,
}

/// Measures and prints a table.
pub fn run(arguments: Arguments) -> anyhow::Result<()> {
    let threads =
        arguments.threads.map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from);
    let runners = (0..threads)
        .map(|_| Runner::open(&arguments.model).map_err(|error| anyhow!("{error:#}")))
        .collect::<Result<Vec<_>, _>>()
        .with_context(|| arguments.model.display().to_string())?;
    let store = GameStore::open(&arguments.store)?;
    let (split, name) = match arguments.split {
        Part::Validation => (Split::Validation, "validation"),
        Part::Test => (Split::Test, "test"),
    };
    let set = read_set(
        &store,
        split,
        GameSelection::All,
        false,
        name,
        arguments.constraints.constraints(),
        threads,
    )?;
    let sample = Validation::new(&set, Sampling::Uniform, arguments.pairs);
    let probabilities = predict(&sample, runners)?;
    let Measured { score, by_constraint } = sample.score(&probabilities);
    println!("{:<14}{:>9}{:>9}{:>9}", "constraint", "pairs", "loss", "AUC");
    for (counts, score) in set.constraints().iter().zip(by_constraint) {
        print_row(&constraint(*counts).to_string(), score);
    }
    print_row("all", score);
    Ok(())
}

fn predict(sample: &Validation<'_>, runners: Vec<Runner>) -> anyhow::Result<Vec<f32>> {
    let bar = bar(sample.pairs(), "{bar:32} {pos}/{len} pairs, {per_sec}, {eta} left");
    let share = sample.pairs().div_ceil(runners.len() as u64);
    let parts = thread::scope(|scope| {
        let workers: Vec<_> = runners
            .into_iter()
            .zip(0..)
            .map(|(mut runner, part)| {
                let bar = &bar;
                let pairs = share * part..(share * (part + 1)).min(sample.pairs());
                scope.spawn(move || {
                    let mut probabilities = Vec::new();
                    sample.for_each_batch(pairs, |planes, labels| {
                        for planes in planes.chunks_exact(LENGTH) {
                            probabilities.push(runner.run(planes)?);
                        }
                        bar.inc(labels.len() as u64);
                        anyhow::Ok(())
                    })?;
                    Ok(probabilities)
                })
            })
            .collect();
        workers
            .into_iter()
            .map(|worker| worker.join().map_err(|_| anyhow!("a thread of the evaluation failed"))?)
            .collect::<anyhow::Result<Vec<Vec<f32>>>>()
    })?;
    bar.finish_and_clear();
    Ok(parts.concat())
}

fn print_row(name: &str, score: Score) {
    let auc = score.auc.map_or("–".to_owned(), |auc| format!("{auc:.4}"));
    println!("{name:<14}{:>9}{:>9.4}{auc:>9}", score.samples, score.loss);
}
