//! `entente tournament`: a plan's games into a folder, and the parts of several machines into one.

use std::{
    io::{self, Write},
    num::NonZeroUsize,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use anyhow::{Context as _, anyhow, bail, ensure};
use clap::{Args, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};

use super::{FOUND, INTERRUPTED, UNDETERMINED, interrupts};
use crate::{
    generation::Plan as Generating,
    tournament::{Folder, Journal, Manifest, Plan, Progress, Shard, merge, publish, run as play},
};

/// Play a tournament of generation: who satisfies which constraints best, and how fast; or a large set of positions.
///
/// The plan says which entrants generate for which constraints, and how often; docs/tournaments.md describes it. The
/// folder then holds results.jsonl (a line a game), table.md, table.csv, times.md, games.pgn, positions.epd and
/// report.html. A run that was stopped, or killed, goes on with --resume; the tables are the same as without a stop, and
/// with any number of threads. The exit status is 0 if all positions were found, 1 if some were not, 2 if the plan or the
/// folder is bad.
#[derive(Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "\
Examples:
  entente tournament tournaments/everything.toml --output runs/everything
      Every method for every constraint of the thesis
  entente tournament tournaments/everything.toml --output runs/everything --resume
      Go on after Ctrl-C
  entente tournament plan.toml --output runs/first --shard 1/2
  entente tournament plan.toml --output runs/second --shard 2/2
  entente tournament merge runs/first runs/second --output runs/both
      The same on two machines"
)]
pub struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// The plan, in TOML
    #[arg(required = true)]
    plan: Option<PathBuf>,
    /// The folder that takes everything; new or empty, unless with --resume
    #[arg(long, required = true, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Go on with what is in the folder; begin if nothing is
    #[arg(long)]
    resume: bool,
    /// Play only every N-th game, beginning with the I-th
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    #[arg(long, help = format!("Threads, 1 to {} [default: all cores]", Generating::MAX_THREADS),
        value_parser = clap::value_parser!(u32).range(1..=i64::from(Generating::MAX_THREADS)))]
    threads: Option<u32>,
}

#[derive(Subcommand)]
enum Command {
    /// Join the shards of a tournament into what one run would have left
    Merge {
        /// The folders of all shards, finished
        #[arg(required = true)]
        parts: Vec<PathBuf>,
        /// The folder that takes everything; new or empty
        #[arg(long, value_name = "DIR")]
        output: PathBuf,
    },
    /// Make tables and report again from a folder's results, finished or not
    Report {
        /// The folder
        folder: PathBuf,
    },
}

/// Runs `entente tournament` and returns its exit status.
///
/// # Errors
/// A bad plan, a folder that holds something else, and results that cannot be read or written.
pub fn run(arguments: &Arguments) -> anyhow::Result<u8> {
    match (&arguments.command, &arguments.plan, &arguments.output) {
        (Some(Command::Merge { parts, output }), ..) => {
            merge(parts, output)?;
            say(&format!("{} holds the whole tournament", output.display()));
            Ok(FOUND)
        }
        (Some(Command::Report { folder }), ..) => report(folder),
        (None, Some(plan), Some(output)) => tournament(arguments, plan, output),
        (None, ..) => bail!("expected a plan and --output DIR"),
    }
}

fn report(path: &Path) -> anyhow::Result<u8> {
    let folder = Folder::new(path);
    let manifest =
        folder.manifest()?.ok_or_else(|| anyhow!("{}: no tournament was begun there", path.display()))?;
    let (journal, damages) = Journal::open(&folder, &manifest)?;
    damages.iter().for_each(|damage| say(&format!("{damage}; left out")));
    publish(&folder, &manifest, &journal)?;
    say(&format!("{}: {} games", path.display(), journal.done));
    Ok(FOUND)
}

fn tournament(arguments: &Arguments, plan: &Path, output: &Path) -> anyhow::Result<u8> {
    let (plan, pairings) = Plan::read(plan)?;
    let manifest = Manifest::new(plan, arguments.shard.unwrap_or(Shard::WHOLE));
    let schedule = manifest.schedule();
    ensure!(schedule.here() > 0, "--shard {}: no game is left for it", manifest.shard);
    let stop = Arc::new(AtomicBool::new(false));
    interrupts::watch(Arc::clone(&stop), || ())?;

    let folder = Folder::new(output);
    folder.enter(&manifest, arguments.resume)?;
    let _lock = folder.lock()?;
    let (mut journal, damages) = Journal::open(&folder, &manifest)?;
    for damage in &damages {
        say(&format!("{damage}; what it was about is done again"));
    }
    journal.tidy(&damages)?;

    let threads = arguments.threads.map(|threads| threads as usize);
    let cores = || thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let style = ProgressStyle::with_template(
        "{bar:30} {pos}/{len} games  {per_sec}  {elapsed} passed, {eta} left  {msg}",
    );
    let bar = ProgressBar::new(schedule.here()).with_style(style.context("progress bar")?);
    bar.set_position(journal.done);
    bar.reset_eta();
    bar.enable_steady_tick(Duration::from_millis(500));
    let advance = |Progress { done, satisfied, .. }: Progress| {
        bar.set_position(done);
        if done > 0 {
            bar.set_message(format!("{:.1}% found", 100.0 * satisfied as f64 / done as f64));
        }
    };
    let played = play(schedule, &pairings, &mut journal, threads.unwrap_or_else(cores), &stop, advance);
    bar.finish_and_clear();
    played?;
    let (done, games, found) = (journal.done, schedule.here(), journal.satisfied);
    if stop.load(Ordering::Relaxed) && !journal.is_complete() {
        say(&format!("stopped: {done} of {games} games played; --resume goes on"));
        return Ok(INTERRUPTED);
    }
    journal.tidy(&[])?;
    publish(&folder, &manifest, &journal)?;
    say(&format!("{found} of {games} found; {} has the tables", output.join("report.html").display()));
    Ok(if found == games { FOUND } else { UNDETERMINED })
}

/// Tells the user something that is no result.
fn say(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}
