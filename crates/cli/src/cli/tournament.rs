//! `entente tournament`: a plan's games into a folder, and the parts of several machines into one.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use anyhow::{anyhow, bail, ensure};
use clap::{Args, Subcommand};
use entente::generation::Quota;

use super::{FOUND, INTERRUPTED, UNDETERMINED, interrupts, progress, words};
use crate::tournament::{
    Damages, Folder, Journal, Lock, Manifest, Plan, Progress, Shard, merge, publish, run as play,
};

/// Compare methods, networks and settings in a tournament of generation.
///
/// The plan names entrants (methods and settings), constraints, and a number of games for each pair;
/// docs/tournaments.md describes it. The tournament fills a folder with results.jsonl (one line a game), table.md,
/// table.csv, times.md, games.pgn, positions.epd and report.html. --resume continues a run that was stopped or killed;
/// the tables are the same as without the stop, and the same for any number of threads. The exit status is 0 if every
/// position was found, 1 if some were not (with --shard 0, too: all its games are played), 2 if the plan or the folder is
/// wrong, 75 if another process works in the folder, and 130 if Ctrl-C or SIGTERM ended the run, which --resume continues.
/// See distribute/ for schedulers.
#[derive(Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "\
Examples:
  entente tournament tournaments/everything.toml --output runs/everything
      Every method for every constraint of the thesis
  entente tournament tournaments/everything.toml --output runs/everything --resume
      Continue after Ctrl-C
  entente tournament plan.toml --output runs/first --shard 1/2
  entente tournament plan.toml --output runs/second --shard 2/2
  entente tournament merge runs/first runs/second --output runs/both
      Share the games between two machines, and join the results"
)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// The plan, in TOML
    #[arg(required = true)]
    plan: Option<PathBuf>,
    /// The folder for all results; it must be new or empty, unless --resume is given
    #[arg(long, required = true, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Continue the tournament in the folder, or begin it
    #[arg(long)]
    resume: bool,
    /// Play every N-th game only, from the I-th on; auto takes I/N from an array job
    ///
    /// auto reads SLURM_ARRAY_TASK_ID and its COUNT and MIN, JOB_COMPLETION_INDEX with JOB_COMPLETION_COUNT
    /// (Kubernetes; the manifest sets the second one), or those of Grid Engine, AWS Batch, Google Batch and Cloud Run.
    #[arg(long, value_name = "I/N", value_parser = Shard::given)]
    shard: Option<Shard>,
    #[arg(long, help = format!("Threads, 1 to {} [default: all cores]", Quota::MAX_THREADS),
        value_parser = words::number::<u32>(1..=Quota::MAX_THREADS.into()))]
    threads: Option<u32>,
}

#[derive(Subcommand)]
enum Command {
    /// Join the shards of a tournament into one folder, as one run would have left it
    Merge {
        /// The folders of all shards, each finished
        #[arg(required = true)]
        parts: Vec<PathBuf>,
        /// The folder for the joined results: new, empty, or one in which a merge was killed
        #[arg(long, value_name = "DIR")]
        output: PathBuf,
    },
    /// Write the tables and the report of a folder again, finished or not
    Report {
        /// The folder
        folder: PathBuf,
    },
}

/// Runs `entente tournament` and returns its exit status.
///
/// # Errors
/// A bad plan, a folder that holds something else, and results that cannot be read or written.
pub(super) fn run(arguments: &Arguments) -> anyhow::Result<u8> {
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
    let _lock = folder.lock()?;
    let (journal, damages) = Journal::open(&folder, &manifest)?;
    tell(&damages, "left out");
    publish(&folder, &manifest, &journal)?;
    say(&format!("{}: {} games", path.display(), journal.done));
    Ok(FOUND)
}

/// Says which lines are damaged, and what is done about it.
fn tell(damages: &Damages, what: &str) {
    damages.first.iter().for_each(|damage| say(&format!("{damage}; {what}")));
    if damages.more > 0 {
        say(&format!("and {} more", damages.more));
    }
}

/// Begins in a folder, or goes on: what holds it against others, and what was generated before. `one` is what a line of it
/// stands for.
pub(super) fn enter(
    folder: &Folder,
    output: &Path,
    manifest: &Manifest,
    resume: bool,
    one: &str,
) -> anyhow::Result<(Lock, Journal)> {
    let lock = folder.enter(manifest, resume)?;
    warn_without_lock(&lock, output);
    let (mut journal, damages) = Journal::open(folder, manifest)?;
    tell(&damages, &format!("if it is a {one} it is generated again, if it is a time that stays unknown"));
    journal.tidy()?;
    Ok((lock, journal))
}

fn tournament(arguments: &Arguments, plan: &Path, output: &Path) -> anyhow::Result<u8> {
    let (plan, pairings) = Plan::read(plan)?;
    let manifest = Manifest::new(plan, arguments.shard.unwrap_or(Shard::WHOLE));
    let schedule = manifest.schedule();
    ensure!(schedule.here() > 0, "--shard {}: no game is left for it", manifest.shard);
    let stop = Arc::new(AtomicBool::new(false));
    interrupts::watch(Arc::clone(&stop), || ())?;

    let folder = Folder::new(output);
    let (_lock, mut journal) = enter(&folder, output, &manifest, arguments.resume, "game")?;

    let threads = arguments.threads.map_or_else(Quota::cores, |threads| threads as usize);
    let mut bar = progress::Progress::new(schedule.here(), journal.done, "games");
    let advance = |Progress { done, satisfied, .. }: Progress| {
        let share = 100.0 * satisfied as f64 / done.max(1) as f64;
        bar.set(done, &format!("{share:.1}% found"));
    };
    let played = play(schedule, &pairings, &mut journal, threads, &stop, advance);
    bar.finish();
    played?;
    let (done, games, found) = (journal.done, schedule.here(), journal.satisfied);
    if stop.load(Ordering::Relaxed) && !journal.is_complete() {
        say(&format!("stopped: {done} of {games} games played; --resume goes on"));
        return Ok(INTERRUPTED);
    }
    journal.tidy()?;
    if arguments.shard.is_some() {
        // Its work is done when its games are played: to a scheduler, every other status is a failure. Tables of a part
        // are seldom looked at, and games as PGN would double what many shards take on a disk.
        let shard = manifest.shard;
        say(&format!("shard {shard}: {found} of {games} found; entente tournament merge joins the shards"));
        return Ok(FOUND);
    }
    publish(&folder, &manifest, &journal)?;
    say(&format!("{found} of {games} found; {} has the tables", output.join("report.html").display()));
    Ok(if found == games { FOUND } else { UNDETERMINED })
}

/// Says so where the file system has no locks.
fn warn_without_lock(lock: &Lock, output: &Path) {
    if !lock.is_held() {
        let folder = output.display();
        say(&format!("{folder}: the file system has no locks; see that no other process works there"));
    }
}

/// Tells the user something that is no result.
pub(super) fn say(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}
