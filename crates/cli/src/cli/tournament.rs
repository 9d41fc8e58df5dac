//! `entente tournament`: plays the games of a plan into a folder, and merges the shards of several machines.

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
use entente_constraint::counted;

use super::{FOUND, INTERRUPTED, UNDETERMINED, interrupts, progress, tables::TableFlags, words};
use crate::tournament::{
    Damages, Folder, Journal, Lock, Manifest, Plan, Shard, TournamentProgress, merge, publish, run as play,
};

/// Compare methods, networks and settings for generation in a tournament.
///
/// The plan names entrants (methods and settings), constraints, and a number of games for each pair;
/// docs/tournaments.md describes it. The tournament fills a folder with results.jsonl (one line per game), table.md,
/// table.csv, times.md, games.pgn, positions.epd and report.html. --resume continues a run that was stopped or killed.
/// The tables are the same as those of an uninterrupted run, with any number of threads.
///
/// The exit status is 0 if every position was found, 1 if some were not (but 0 with --shard, once all games of the
/// shard are played), 2 if the plan or the folder is wrong, 75 if another process is using the folder, and 130 if
/// Ctrl-C or SIGTERM stopped the run. See distribute/ for job schedulers.
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
      Share the games between two machines, and merge the results"
)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// The plan, a TOML file
    #[arg(required = true)]
    plan: Option<PathBuf>,
    /// The folder for all results; it must be new or empty, unless --resume is given
    #[arg(long, required = true, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Continue the tournament in the folder, or start it if there is none
    #[arg(long)]
    resume: bool,
    /// Play only every N-th game, starting with the I-th; auto takes I/N from an array job
    ///
    /// auto reads the environment variables of Slurm (SLURM_ARRAY_TASK_ID and related ones), Kubernetes
    /// (JOB_COMPLETION_INDEX, and JOB_COMPLETION_COUNT, which the manifest sets), Grid Engine, AWS Batch, Google Batch
    /// or Cloud Run.
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
    /// Merge the shards of a tournament into one folder, as a single run would have written it
    Merge {
        /// The folders of all shards, which must be finished
        #[arg(required = true, value_name = "FOLDER")]
        parts: Vec<PathBuf>,
        /// The folder for the merged results: new, empty, or left by a merge that was killed
        #[arg(long, value_name = "DIR")]
        output: PathBuf,
    },
    /// Write the tables and the report again, even if the tournament is unfinished
    Report {
        /// The folder of the tournament
        folder: PathBuf,
    },
}

/// Runs `entente tournament` and returns its exit status.
///
/// # Errors
/// A wrong plan, a folder that contains something else, and results that cannot be read or written.
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
        folder.manifest()?.ok_or_else(|| anyhow!("{}: the folder has no tournament", path.display()))?;
    let _lock = folder.lock()?;
    let (journal, damages) = Journal::open(&folder, &manifest)?;
    tell(&damages, "left out");
    publish(&folder, &manifest, &journal)?;
    say(&format!("{}: {}", path.display(), counted(journal.done, "game", "games")));
    Ok(FOUND)
}

/// Prints which lines are damaged, and the `consequence`.
fn tell(damages: &Damages, consequence: &str) {
    damages.first.iter().for_each(|damage| say(&format!("{damage}; {consequence}")));
    if damages.more > 0 {
        say(&format!("and {} more", damages.more));
    }
}

/// Starts or resumes a run in a folder. Returns the folder's lock, and the journal of everything generated so far.
/// `one` is the noun for one line of the journal.
///
/// # Errors
/// If another process is using the folder, if it contains something else, or if it cannot be read or written.
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
    tell(&damages, &format!("a damaged {one} is generated again; a damaged time stays unknown"));
    journal.tidy()?;
    Ok((lock, journal))
}

fn tournament(arguments: &Arguments, plan: &Path, output: &Path) -> anyhow::Result<u8> {
    let (plan, mut pairings) = Plan::read(plan)?;
    // While tables are made, Ctrl-C ends the program as usual.
    let endings = arguments.tables.give_to(pairings.iter_mut().map(|pairing| &mut pairing.job))?;
    let manifest = Manifest::new(plan, arguments.shard.unwrap_or(Shard::WHOLE)).judged_by(endings);
    let schedule = manifest.schedule();
    ensure!(schedule.here() > 0, "--shard {}: this shard has no games", manifest.shard);
    let stop = Arc::new(AtomicBool::new(false));
    interrupts::watch(Arc::clone(&stop), || ())?;

    let folder = Folder::new(output);
    let (_lock, mut journal) = enter(&folder, output, &manifest, arguments.resume, "game")?;

    let threads = arguments.threads.map_or_else(Quota::cores, |threads| threads as usize);
    let bar = progress::ProgressLine::new(schedule.here(), journal.done, "games");
    let advance = |TournamentProgress { done, satisfied, .. }: TournamentProgress| {
        let share = 100.0 * satisfied as f64 / done.max(1) as f64;
        bar.set(done, &format!("{share:.1}% found"));
    };
    let played = play(schedule, &pairings, &mut journal, threads, &stop, advance);
    bar.finish();
    played?;
    let (done, games, found) = (journal.done, schedule.here(), journal.satisfied);
    if stop.load(Ordering::Relaxed) && !journal.is_complete() {
        say(&format!("stopped: {done} of {} played; --resume continues", counted(games, "game", "games")));
        return Ok(INTERRUPTED);
    }
    journal.tidy()?;
    if arguments.shard.is_some() {
        // To a scheduler, any other status is a failure. A shard has no tables, because they are rarely needed, and no
        // PGN, because it would double the disk space of many shards.
        let shard = manifest.shard;
        say(&format!(
            "shard {shard}: {found} of {games} found; `entente tournament merge` merges the shards"
        ));
        return Ok(FOUND);
    }
    publish(&folder, &manifest, &journal)?;
    say(&format!("{found} of {games} found; {} has the tables", output.join("report.html").display()));
    Ok(if found == games { FOUND } else { UNDETERMINED })
}

/// Warns if the file system has no locks.
fn warn_without_lock(lock: &Lock, output: &Path) {
    if !lock.is_held() {
        let folder = output.display();
        say(&format!(
            "{folder}: the file system has no locks; make sure that no other process uses the folder"
        ));
    }
}

/// Prints a message for the user to standard error.
pub(super) fn say(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}
