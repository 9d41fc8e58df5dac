//! `entente dataset`: generates the positions of a plan into a folder, and merges the shards of several machines.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, atomic::AtomicBool},
};

use anyhow::{bail, ensure};
use clap::{Args, Subcommand};
use entente::generation::Quota;
use entente_constraint::counted;

use super::{
    FOUND, INTERRUPTED, UNDETERMINED, interrupts, progress,
    tables::TableFlags,
    tournament::{enter, say},
    words,
};
use crate::{
    dataset::{DATASET, DatasetProgress, Ended, Merged, Selection, generate, merge, publish, read_plan},
    tournament::{Folder, Manifest, Shard},
};

/// Generate a data set: N positions for each constraint and rating, all different.
///
/// The plan names the number of positions, the constraints, the ratings and the settings; docs/datasets.md describes
/// it. The folder gets positions.jsonl, positions.parquet with the same columns, and README.md, a data card. --resume
/// continues a run that was stopped or killed. The files are byte for byte the same as those of an uninterrupted run,
/// with any number of threads.
///
/// The exit status is 0 if there are as many positions as the plan asks for (with --shard, if all candidates of the
/// shard are generated), 1 if some are missing, 2 if the plan or the folder is wrong, 75 if another process is using
/// the folder, and 130 if Ctrl-C or SIGTERM stopped the run. See distribute/ for job schedulers.
#[derive(Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "\
Examples:
  entente dataset datasets/endgames.toml --output runs/endgames
      Generate the positions of a plan
  entente dataset datasets/endgames.toml --output runs/endgames --resume
      Continue after Ctrl-C
  entente dataset plan.toml --output runs/first --shard 1/2
  entente dataset plan.toml --output runs/second --shard 2/2
  entente dataset merge runs/first runs/second --output runs/both
      Share the work between two machines, and merge the results"
)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// The plan, a TOML file
    #[arg(required = true)]
    plan: Option<PathBuf>,
    /// The folder for the data set; it must be new or empty, unless --resume is given
    #[arg(long, required = true, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Continue the data set in the folder, or start it if there is none
    #[arg(long)]
    resume: bool,
    /// Generate only every N-th candidate, starting with the I-th; auto takes I/N from an array job
    ///
    /// auto reads the environment variables of Slurm (SLURM_ARRAY_TASK_ID and related ones), Kubernetes
    /// (JOB_COMPLETION_INDEX, and JOB_COMPLETION_COUNT, which the manifest sets), Grid Engine, AWS Batch, Google Batch
    /// or Cloud Run. "entente dataset merge" merges the shards.
    #[arg(long, value_name = "I/N", value_parser = Shard::given)]
    shard: Option<Shard>,
    #[arg(long, help = format!("Threads, 1 to {} [default: all cores]", Quota::MAX_THREADS),
        value_parser = words::number::<u32>(1..=Quota::MAX_THREADS.into()))]
    threads: Option<u32>,
    #[command(flatten)]
    tables: TableFlags,
}

#[derive(Subcommand)]
enum Command {
    /// Merge the shards of a data set into one folder, as a single run would have written it
    Merge {
        /// The folders of all shards, which must be finished
        #[arg(required = true, value_name = "FOLDER")]
        parts: Vec<PathBuf>,
        /// The folder for the merged data set: new, empty, or left by a merge that was killed
        #[arg(long, value_name = "DIR")]
        output: PathBuf,
    },
}

/// Runs `entente dataset` and returns its exit status.
///
/// # Errors
/// A wrong plan, a folder that contains something else, and candidates that cannot be read or written.
pub(super) fn run(arguments: &Arguments) -> anyhow::Result<u8> {
    match (&arguments.command, &arguments.plan, &arguments.output) {
        (Some(Command::Merge { parts, output }), ..) => match merge(parts, output)? {
            Merged::Whole(selection) => Ok(finished(&selection, output)),
            Merged::Short(missing) => {
                let folder = output.display();
                say(&format!(
                    "{folder}: {missing} of the shards' candidates were not found or are duplicates; `entente \
                     dataset PLAN --output {folder} --resume` replaces them"
                ));
                Ok(UNDETERMINED)
            }
        },
        (None, Some(plan), Some(output)) => dataset(arguments, plan, output),
        (None, ..) => bail!("expected a plan and --output DIR"),
    }
}

fn dataset(arguments: &Arguments, plan: &Path, output: &Path) -> anyhow::Result<u8> {
    let (plan, mut pairings) = read_plan(plan)?;
    // While tables are made, Ctrl-C ends the program as usual.
    let endings = arguments.tables.give_to(pairings.iter_mut().map(|pairing| &mut pairing.job))?;
    let manifest = Manifest::new(plan, arguments.shard.unwrap_or(Shard::WHOLE)).judged_by(endings);
    let schedule = manifest.schedule();
    ensure!(schedule.here() > 0, "--shard {}: this shard has no candidates", manifest.shard);
    let stop = Arc::new(AtomicBool::new(false));
    interrupts::watch(Arc::clone(&stop), || ())?;

    let folder = Folder::of(output, &DATASET);
    let (_lock, mut journal) = enter(&folder, output, &manifest, arguments.resume, "candidate")?;

    let threads = arguments.threads.map_or_else(Quota::cores, |threads| threads as usize);
    let mut bar: Option<progress::ProgressLine> = None;
    let mut last = (0, 0);
    let advance = |DatasetProgress { round, candidates, done }: DatasetProgress| {
        last = (done, candidates);
        let bar = bar.get_or_insert_with(|| progress::ProgressLine::new(candidates, done, "candidates"));
        bar.set_total(candidates);
        bar.set(done, if round > 0 { "replacing duplicates and those not found" } else { "" });
    };
    let is_shard = arguments.shard.is_some();
    let ended = generate(schedule, is_shard, &pairings, &mut journal, threads, &stop, advance);
    bar.into_iter().for_each(progress::ProgressLine::finish);
    match ended? {
        Ended::Stopped => {
            let (done, candidates) = last;
            say(&format!(
                "stopped: {done} of {} generated; --resume continues",
                counted(candidates, "candidate", "candidates")
            ));
            Ok(INTERRUPTED)
        }
        Ended::Shard => {
            journal.tidy()?;
            let (here, shard) = (schedule.here(), manifest.shard);
            say(&format!(
                "shard {shard}: {}; `entente dataset merge` merges the shards",
                counted(here, "candidate", "candidates")
            ));
            Ok(FOUND)
        }
        Ended::Whole(selection) => {
            journal.tidy()?;
            publish(&folder, &manifest, &journal, &selection)?;
            Ok(finished(&selection, output))
        }
    }
}

/// Prints the result, and returns the exit status.
fn finished(selection: &Selection, output: &Path) -> u8 {
    let (positions, wanted) = (selection.positions(), selection.all_wanted());
    say(&format!(
        "{positions} of {}, all different; {} describes them",
        counted(wanted, "position", "positions"),
        output.join("README.md").display()
    ));
    if positions == wanted { FOUND } else { UNDETERMINED }
}
