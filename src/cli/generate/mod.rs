//! `entente generate`: from the command line to positions in a file or on standard output.

mod arguments;
mod summary;

use std::{
    io::{self, Write},
    num::NonZeroUsize,
    path::PathBuf,
    process,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use anyhow::{Context as _, anyhow, bail, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use shakmaty::Chess;

pub use arguments::Arguments;
use summary::{End, Summary};

use super::{FOUND, INTERRUPTED, UNDETERMINED, brief, position, sink::Sink};
use crate::{
    constraint::{Constraint, Goal, Situation, Target},
    evaluator::{DEFAULT_NETWORK, Network, Recipe},
    generation::{
        BackendChoice, Budget, Context, Distance, EvaluatorChoice, GenerationError, Method, Outcome, Plan,
        Settings, Statistics, generate_many,
    },
    guide::GuideError,
    search::{Effort, NegamaxSettings},
};

/// Runs `entente generate` and returns its exit status.
///
/// # Errors
/// Bad input, an impossible constraint, and results that cannot be written.
pub fn run(arguments: &Arguments) -> anyhow::Result<u8> {
    let constraint: Constraint = arguments.constraint.parse()?;
    let target = Target::new(constraint.clone())?;
    let root = arguments.from.as_deref().map_or(Ok(Chess::default()), |fen| position("--from", fen))?;
    match Distance::of(&target, Situation::root(&root)) {
        Err(GuideError::Impossible(reason)) => bail!("impossible: {}: {reason}", brief(&constraint)),
        distance => _ = distance?,
    }
    let fewest = target.fewest_plies(Situation::root(&root));
    ensure!(
        fewest <= arguments.max_plies,
        "--max-plies {}: the constraint asks for {fewest} plies at least",
        arguments.max_plies
    );
    ensure!(
        (0.0..=1.0).contains(&arguments.criterion),
        "--criterion {}: expected 0 to 1",
        arguments.criterion
    );
    let (method, recipe) = method(arguments, &target)?;
    let time = arguments.movetime.map(Duration::from_millis);
    let settings = Settings {
        root,
        ply: 0,
        target,
        method,
        max_plies: arguments.max_plies,
        budget: Budget::new(&method, arguments.nodes, time),
        opening_plies: Effort::OPENING,
        // Within the bounds of the UCI option, so that a seed seen here can be set there.
        seed: arguments.seed.unwrap_or_else(|| rand::random_range(1..=i32::MAX as u64)),
    };
    if constraint.has_ratings() {
        let _ = writeln!(
            io::stderr(),
            "note: no method of this version chooses moves by the players' ratings; elo has no effect"
        );
    }
    let context = Context {
        root: settings.root.clone(),
        constraint: constraint.to_string(),
        method: method.describe(&recipe),
        seed: settings.seed,
    };

    let stop = Arc::new(AtomicBool::new(false));
    let partial = Arc::new(OnceLock::new());
    watch_for_interrupts(Arc::clone(&stop), Arc::clone(&partial))?;
    let mut sink = Sink::open(arguments.output.as_deref())?;
    if let Some(path) = sink.partial() {
        partial.get_or_init(|| path.to_owned());
    }

    let Run { statistics, texts, end } =
        write_all(arguments, &settings, &recipe, &context, &stop, &mut sink)?;
    let output = arguments.output.as_ref().filter(|_| sink.partial().is_some() && end == End::Interrupted);
    let keep = end != End::Interrupted || texts > 0;
    if keep {
        sink.finish()?;
    }
    if end != End::ReaderGone {
        let summary = Summary { statistics: &statistics, count: arguments.count, seed: context.seed, end };
        let _ = write!(io::stderr(), "{summary}");
    }
    if let Some(path) = output.map(|path| path.display()) {
        let _ = if keep {
            writeln!(io::stderr(), "{path} holds what was generated")
        } else {
            writeln!(io::stderr(), "{path} was not written")
        };
    }
    Ok(if statistics.satisfied == arguments.count { FOUND } else { UNDETERMINED })
}

/// Lets the first Ctrl-C end the run in good order and the second one end the process.
fn watch_for_interrupts(stop: Arc<AtomicBool>, partial: Arc<OnceLock<PathBuf>>) -> anyhow::Result<()> {
    ctrlc::set_handler(move || {
        if stop.swap(true, Ordering::Relaxed) {
            if let Some(path) = partial.get() {
                let _ = std::fs::remove_file(path);
            }
            process::exit(INTERRUPTED.into());
        }
    })
    .context("cannot watch for Ctrl-C")
}

/// How moves are chosen, and what values positions for that.
fn method(arguments: &Arguments, target: &Target) -> anyhow::Result<(Method, Recipe)> {
    let search =
        |depth| NegamaxSettings { depth, criterion: arguments.criterion, faithful: arguments.faithful };
    let named = arguments.network.as_deref();
    let choice = arguments.evaluator;
    let method = arguments.method.method(target, search(1));
    if method == Method::BestFirst {
        let option = match () {
            () if arguments.faithful => Some("--faithful"),
            () if named.is_some() => Some("--network"),
            () if arguments.backend != BackendChoice::Tract => Some("--backend"),
            () if arguments.criterion != NegamaxSettings::DEFAULT_CRITERION => Some("--criterion"),
            () if choice == EvaluatorChoice::Network => Some("--evaluator network"),
            () if arguments.depth.is_some() => Some("--depth"),
            () => None,
        };
        if let Some(option) = option {
            bail!(
                "{option}: only the method negamax heeds it, which is for numbers of men; this is best-first"
            );
        }
        return Ok((method, Recipe::Material));
    }
    let Some(goal) = &target.goal else {
        ensure!(!arguments.faithful, "--faithful: the published algorithm knows nothing but numbers of men");
        return Err(GenerationError::NotCounted(target.constraint.to_string()).into());
    };
    let recipe = recipe(arguments, goal)?;
    let depth = arguments.depth.unwrap_or(recipe.default_depth());
    Ok((Method::Negamax(search(depth)), recipe))
}

fn recipe(arguments: &Arguments, goal: &Goal) -> anyhow::Result<Recipe> {
    let named = arguments.network.as_deref();
    let choice = arguments.evaluator;
    ensure!(
        choice != EvaluatorChoice::Material || named.is_none(),
        "--network: the material evaluator has none"
    );
    if !choice.wants_network(named.is_some(), goal) {
        ensure!(
            arguments.backend == BackendChoice::Tract,
            "--backend torch: the material evaluator has no network to run{}",
            if choice == EvaluatorChoice::Auto { "; --evaluator network asks for one" } else { "" }
        );
        return Ok(Recipe::Material);
    }
    let network = Arc::new(Network::open(named.unwrap_or(DEFAULT_NETWORK))?);
    arguments.backend.recipe(network).map_err(|reason| anyhow!("--backend torch: {reason}"))
}

/// What came of a run.
struct Run {
    statistics: Statistics,
    /// Results written; some formats leave out what was not found.
    texts: u64,
    end: End,
}

fn write_all(
    arguments: &Arguments,
    settings: &Settings,
    recipe: &Recipe,
    context: &Context,
    stop: &AtomicBool,
    sink: &mut Sink,
) -> anyhow::Result<Run> {
    let threads = arguments.threads.map(|threads| threads as usize);
    let cores = || thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let plan =
        Plan { count: arguments.count, distinct: arguments.distinct, threads: threads.unwrap_or_else(cores) };
    let style = ProgressStyle::with_template(
        "{bar:30} {pos}/{len} positions  {per_sec}  {elapsed} passed, {eta} left  {msg}",
    );
    let progress = ProgressBar::new(plan.count).with_style(style.context("progress bar")?);
    // One position may take a minute.
    progress.enable_steady_tick(Duration::from_millis(500));
    let mut statistics = Statistics::default();
    let mut texts = 0;
    let mut written = Ok(());
    let generated = generate_many(settings, recipe, plan, stop, |generation| {
        let undetermined = generation.outcome == Outcome::Undetermined;
        // What an interrupt cut short was given no fair chance.
        if written.is_err() || (undetermined && stop.load(Ordering::Relaxed)) {
            return;
        }
        let text = context.render(texts + 1, &generation, arguments.format);
        texts += u64::from(!text.is_empty());
        written = sink.write(&text);
        // Nobody reads on (`| head`): no reason to work on.
        stop.fetch_or(written.is_err(), Ordering::Relaxed);
        statistics.add(&generation);
        progress.inc(1);
        if undetermined {
            progress.set_message(format!("{} not found", statistics.generated - statistics.satisfied));
        }
    });
    progress.finish_and_clear();
    generated?;
    let end = match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => End::ReaderGone,
        Err(error) => return Err(error).context("cannot write the results"),
        Ok(()) if statistics.generated == plan.count => End::Complete,
        Ok(()) if stop.load(Ordering::Relaxed) => End::Interrupted,
        Ok(()) => End::NoMoreDistinct,
    };
    Ok(Run { statistics, texts, end })
}
