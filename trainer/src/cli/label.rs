//! `entente-trainer label`: labels the positions of a store with the move probabilities of teachers.

use std::{path::PathBuf, sync::atomic::Ordering, thread};

use anyhow::Context as _;

use super::{bars::Bars, interrupt};
use crate::{
    files::sha256_file,
    games::{GameStore, Split},
    labelling::{TeacherName, Teachers, label_store},
    labels::{Description, LabelFile},
};

const EXAMPLES: &str = "\
Examples:
  entente-trainer label games.store -o games.labels \\
      -t 1100=maia-1100.onnx -t 1300=maia-1300.onnx -t 1500=maia-1500.onnx -t 1700=maia-1700.onnx -t 1900=maia-1900.onnx
  entente-trainer train models/recipes/goal-policy.toml -s games.store --labels games.labels -o runs/goal-policy

Each teacher is a policy that predicts players of one rating on Lichess's scale: a network in the format of Leela \
Chess Zero, such as those of Maia, or any other policy that `entente` reads. A label holds the probability of each \
likely move, averaged over the teachers. A teacher counts the more, the nearer its rating is to the mover's. Games on \
other scales, bullet games, and players whose rating is far from every teacher's get no labels.

Ctrl-C stops after the games that are being labelled; the same command resumes the run.

Exit status: 0 all blocks are labelled, 2 an error or interrupted.";

/// Options of `label`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The game store (made by `import`)
    store: PathBuf,

    /// The rating of the players that a teacher predicts, and the teacher's file; may be given more than once
    #[arg(short, long, value_name = "RATING=FILE", required = true)]
    teacher: Vec<TeacherName>,

    /// The file of labels to write or to resume
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// The splits of the games to label
    #[arg(long, value_name = "SPLIT,SPLIT…", value_delimiter = ',', default_values = ["training", "validation"])]
    split: Vec<Split>,

    /// Label one in N plies, chosen at random; a network learns more from a few plies of many games than from all plies
    /// of a few
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    every: u32,

    /// Threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
}

/// Labels.
pub(super) fn run(arguments: Arguments) -> anyhow::Result<()> {
    let threads =
        arguments.threads.map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from);
    let teachers = Teachers::open(&arguments.teacher)?;
    let hash = sha256_file(&arguments.store).with_context(|| arguments.store.display().to_string())?;
    let store = GameStore::open(&arguments.store)?;
    let description = Description {
        store: hash,
        blocks: store.block_count(),
        splits: arguments.split,
        every: arguments.every,
        teachers: teachers.files().to_vec(),
    };
    let mut file = LabelFile::resume(&arguments.output, &description)?;
    let (bars, stop) = (Bars::default(), interrupt::flag());
    label_store(&store, &teachers, &mut file, threads, stop, &bars)?;
    if stop.load(Ordering::Relaxed) {
        anyhow::bail!(
            "interrupted after {} of {} blocks; the same command resumes the run",
            file.blocks(),
            store.block_count()
        );
    }
    println!("{} blocks labelled in {}", file.blocks(), arguments.output.display());
    Ok(())
}
