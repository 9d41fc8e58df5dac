//! `entente-trainer label`: what teachers say of the positions of a store.

use std::{path::PathBuf, sync::atomic::Ordering, thread};

use anyhow::Context as _;

use super::{bars::Bars, interrupt};
use crate::{
    export::sha256_file,
    games::{GameStore, Split},
    labels::{Description, LabelFile, TeacherName, Teachers, label_store},
};

const EXAMPLES: &str = "\
Examples:
  entente-trainer label games.store -o games.labels \\
      -t 1100=maia-1100.onnx -t 1300=maia-1300.onnx -t 1500=maia-1500.onnx -t 1700=maia-1700.onnx -t 1900=maia-1900.onnx
  entente-trainer train models/recipes/goal-policy.toml -s games.store --labels games.labels -o runs/goal-policy

Each teacher is a policy that knows people of one rating on Lichess's scale: a network in the format of Leela Chess Zero, \
such as Maia's, or any other policy that `entente` reads. A position's label has the probability of each likely move, \
averaged over the teachers: the nearer a teacher's rating to the mover's, the more it counts. Games on other scales, bullet games and \
players whom no teacher knows have no labels.

Ctrl-C stops after the games that are being labelled; the same command resumes where it stopped.

Exit status: 0 all blocks are labelled, 1 stopped before, 2 an error.";

/// Options of `label`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The game store (made by `import`)
    store: PathBuf,

    /// A teacher and the rating of the people that it knows; once for each
    #[arg(short, long, value_name = "RATING=FILE", required = true)]
    teacher: Vec<TeacherName>,

    /// The file of labels to write, or to go on with
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// The splits whose games are labelled
    #[arg(long, value_name = "SPLIT,SPLIT…", value_delimiter = ',', default_values = ["training", "validation"])]
    split: Vec<Split>,

    /// Label one of so many plies, chosen at random: labels of many games teach more than those of every ply of a few
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
            "stopped after {} of {} blocks; the same command goes on",
            file.blocks(),
            store.block_count()
        );
    }
    println!("{} blocks labelled in {}", file.blocks(), arguments.output.display());
    Ok(())
}
