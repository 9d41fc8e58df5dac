//! `entente-trainer evaluate`: how well a network predicts games on which it was not trained.

use std::{path::PathBuf, sync::Arc, thread};

use anyhow::Context;
use clap::ValueEnum;
use entente_constraint::thesis::constraint;
use entente_network::{NetworkKind as _, Policy, SatisfactionNetwork};

use super::bars::Bars;
use crate::{
    games::{GameStore, Split},
    progress::ProgressObserver as _,
    samples::goal::{Archive, Sampler},
    training::{
        Score,
        policy::{measured, tables},
        satisfaction::{
            ConstraintSet, GameSelection, Measured, Sampling, Validation, measure_as_played, split_set,
        },
    },
};

const EXAMPLES: &str = "\
Examples:
  entente-trainer evaluate models/thesis-1.onnx games.store --constraints thesis-7
  entente-trainer evaluate models/thesis-2.onnx games.store --constraints thesis-17 --split test \\
      --games club --sampling stratified --pairs 300000
  entente-trainer evaluate models/goal-policy.onnx games.store --split test
  entente-trainer evaluate models/goal-policy.onnx games.store --split test --alone
  entente-trainer evaluate models/transformer.onnx games.store --split test

For a policy, the tables of its card are printed, in Markdown. All policies are measured on the same positions, so a \
transformer can be compared with a policy that reads goals.

The network runs as in the engine. loss: mean binary cross-entropy in nats. AUC: area under the ROC curve \
for \"the label is at least one half\"; – if that holds for all labels or for none.

Exit status: 0 the network was measured, 2 an error.";

/// Options of `evaluate`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The network (ONNX)
    model: PathBuf,

    /// The game store (made by `import`)
    store: PathBuf,

    /// The constraints of the pairs; required for satisfaction networks, and not for policies
    #[arg(long, value_enum)]
    constraints: Option<ConstraintSet>,

    /// The split from which the games are taken
    #[arg(long, value_enum, default_value = "validation")]
    split: Part,

    /// Which games of this split
    #[arg(long, value_enum, default_value = "all")]
    games: GameSelection,

    /// How the pairs are drawn
    #[arg(long, value_enum, default_value = "uniform")]
    sampling: Sampling,

    /// The range of the labels of positions in which White has surplus men and no missing ones, as in the network's
    /// recipe
    #[arg(long, num_args = 2, value_names = ["LOW", "HIGH"], default_values_t = [0.0, 1.0], value_parser = share)]
    ahead: Vec<f32>,

    /// Number of (position, constraint) pairs in the sample, which is the same in every run
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pairs: u64,

    /// For a policy: measure the network alone, without the short search of its skill
    #[arg(long)]
    alone: bool,

    /// Threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Part {
    /// The games with which the best network of a run was chosen
    Validation,
    /// Games that are used for nothing else
    Test,
}

/// Measures and prints a table.
pub(super) fn run(arguments: Arguments) -> anyhow::Result<()> {
    let [low, high] = arguments.ahead[..] else { unreachable!("two values") };
    anyhow::ensure!(
        low <= high,
        "option --ahead: expected LOW and a HIGH that is not lower, found {low} {high}"
    );
    let threads =
        arguments.threads.map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from);
    let store = GameStore::open(&arguments.store)?;
    let split = match arguments.split {
        Part::Validation => Split::Validation,
        Part::Test => Split::Test,
    };
    let bars = Bars::default();
    let Some(constraints) = arguments.constraints else {
        let policy = Policy::load(&arguments.model)
            .context("without --constraints, only policies can be measured, and this is not a policy")?;
        let policy = if arguments.alone { policy.with_skill(None) } else { policy };
        let [archive] = Archive::read(&store, [split], threads, &bars)?.map(Arc::new);
        let (measures, matrix) = measured(&policy, &Sampler::default(), &archive, threads, &bars)?;
        print!("{}", tables(&measures, &matrix));
        return Ok(());
    };
    let network = SatisfactionNetwork::load(&arguments.model)?;
    let set = split_set(&store, split, arguments.games, false, constraints.constraints(), threads, &bars)?;
    let set = Arc::new(set.with_ahead([low, high]));
    let sample = Validation::new(&set, arguments.sampling, arguments.pairs);
    bars.begin("measuring", sample.pairs(), "pairs");
    let Measured { score, by_constraint } = measure_as_played(&network, &sample, threads, &bars)?;
    bars.end();
    println!("{:<14}{:>9}{:>9}{:>9}", "constraint", "pairs", "loss", "AUC");
    for (counts, score) in set.constraints().iter().zip(by_constraint) {
        print_row(&constraint(*counts).to_string(), score);
    }
    print_row("all", score);
    Ok(())
}

fn share(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

fn print_row(name: &str, score: Score) {
    let auc = score.auc.map_or("–".to_owned(), |auc| format!("{auc:.4}"));
    println!("{name:<14}{:>9}{:>9.4}{auc:>9}", score.samples, score.loss);
}
