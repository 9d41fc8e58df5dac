use std::{
    fs::File,
    io::{self, BufWriter, Write},
    num::NonZeroUsize,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use anyhow::{Context as _, bail, ensure};
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use shakmaty::{CastlingMode, Chess, Position, fen::Fen};

use super::{FOUND, UNDETERMINED};
use crate::{
    constraint::{Constraint, Goal, Men},
    evaluator::{DEFAULT_NETWORK, Network, Recipe, is_default_network_trained_on},
    generation::{Budget, Context, Format, Generation, Outcome, Plan, Settings, Statistics, generate_many},
    search::NegamaxSettings,
};

/// Generate legal positions that satisfy a constraint, each with its proof game.
///
/// Results go to standard output, progress and a summary to standard error. The exit status is 0 if all
/// positions were found, 1 if some were not, 2 if the constraint is impossible or the input is bad.
#[derive(Args)]
#[command(after_help = "\
Examples:
  entente generate \"(1,2,1,1,7)\" --count 5
      White has a queen, two rooks, a bishop, a knight and seven pawns
  entente generate \"Q=0 q=0 R-r=1\" --format fen --count 100 > positions.fen
      No queens, White a rook ahead
  entente generate \"P<=3 p<=3 (N=2 | n=2)\" --distinct --count 20 --format pgn --output games.pgn
      Few pawns and a side with both knights
  entente generate \"(0,2,2,2,7)\" --faithful --depth 2 --network thesis-2 --seed 7
      The published algorithm")]
pub struct Arguments {
    /// The constraint, such as "(1,2,1,1,7)" or "Q=1 q=0 P>=5"; see docs/constraints.md
    constraint: String,
    /// Positions to generate
    #[arg(long, short = 'n', default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    count: u64,
    /// Generate only positions that differ in the placement of their men
    #[arg(long)]
    distinct: bool,
    /// How moves are chosen [auto: negamax]
    #[arg(long, value_enum, default_value_t = Method::Auto)]
    method: Method,
    /// Plies to look ahead [default: 1 with a network, 2 without]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=8))]
    depth: Option<u32>,
    /// Search exactly as the thesis did: no pruning, no table, no retries
    #[arg(long)]
    faithful: bool,
    /// How far below the best a move's value may be, from 0 to 1
    #[arg(long, default_value_t = 0.1)]
    criterion: f32,
    /// What values positions [auto: network where one was trained on the constraint, else material]
    #[arg(long, value_enum, default_value_t = EvaluatorChoice::Auto)]
    evaluator: EvaluatorChoice,
    /// An embedded network (thesis-1, thesis-2) or an ONNX file [default: thesis-2]
    #[arg(long, value_name = "NAME|FILE")]
    network: Option<String>,
    /// What runs the network; torch needs a build with `--features torch`
    #[arg(long, value_enum, default_value_t = Backend::Tract)]
    backend: Backend,
    /// Start from this position instead of the initial one
    #[arg(long, value_name = "FEN")]
    from: Option<String>,
    /// The same seed gives the same positions, with any number of threads [default: a random one]
    #[arg(long)]
    seed: Option<u64>,
    /// Threads [default: all cores]
    #[arg(long)]
    threads: Option<NonZeroUsize>,
    /// The longest proof game, in plies
    #[arg(long, default_value_t = 101)]
    max_plies: u32,
    /// Positions searched for each position generated, at most
    #[arg(long)]
    nodes: Option<u64>,
    /// Milliseconds for each position, at most
    #[arg(long, value_name = "MS")]
    movetime: Option<u64>,
    /// How positions are written
    #[arg(long, value_enum, default_value_t = FormatChoice::Text)]
    format: FormatChoice,
    /// Write to this file instead of standard output; it appears only when complete
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Method {
    /// The best that exists for the job
    Auto,
    /// Cooperative negamax
    Negamax,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum EvaluatorChoice {
    /// Network where one was trained on the constraint, else material
    Auto,
    /// A trained network
    Network,
    /// Counts men; no network
    Material,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Backend {
    /// On the CPU, one position at a time
    Tract,
    /// libtorch, in batches, on a GPU where there is one
    Torch,
}

#[derive(Clone, Copy, ValueEnum)]
enum FormatChoice {
    /// Board, FEN and game
    Text,
    /// Games with tags
    Pgn,
    /// One FEN a line
    Fen,
    /// One EPD a line
    Epd,
    /// One JSON object a line
    Jsonl,
}

impl From<FormatChoice> for Format {
    fn from(choice: FormatChoice) -> Format {
        match choice {
            FormatChoice::Text => Format::Text,
            FormatChoice::Pgn => Format::Pgn,
            FormatChoice::Fen => Format::Fen,
            FormatChoice::Epd => Format::Epd,
            FormatChoice::Jsonl => Format::JsonLines,
        }
    }
}

/// Runs `entente generate` and returns its exit status.
pub fn run(arguments: &Arguments) -> anyhow::Result<u8> {
    let constraint: Constraint = arguments.constraint.parse()?;
    let goal = Goal::new(&constraint)?;
    let root = root(arguments.from.as_deref())?;
    if let Some(reason) = goal.impossible_from(&Men::on(root.board())) {
        bail!("impossible: {constraint}: {reason}");
    }
    ensure!(
        (0.0..=1.0).contains(&arguments.criterion),
        "--criterion {}: expected 0 to 1",
        arguments.criterion
    );

    let recipe = recipe(arguments, &goal)?;
    let search = NegamaxSettings {
        depth: arguments.depth.unwrap_or(recipe.default_depth()),
        criterion: arguments.criterion,
        faithful: arguments.faithful,
    };
    let settings = Settings {
        root,
        goal,
        search,
        max_plies: arguments.max_plies,
        budget: Budget::new(
            arguments.faithful,
            arguments.nodes,
            arguments.movetime.map(Duration::from_millis),
        ),
        seed: arguments.seed.unwrap_or_else(rand::random),
    };
    let context = Context {
        root: settings.root.clone(),
        constraint: constraint.to_string(),
        method: method_name(&search, &recipe),
        seed: settings.seed,
    };

    let stop = Arc::new(AtomicBool::new(false));
    let on_interrupt = Arc::clone(&stop);
    ctrlc::set_handler(move || on_interrupt.store(true, Ordering::Relaxed))
        .context("cannot watch for Ctrl-C")?;

    let mut sink = Sink::open(arguments.output.as_deref())?;
    let statistics = write_all(arguments, &settings, &recipe, &context, &stop, &mut sink)?;
    sink.finish()?;
    summarise(&statistics, arguments, &context);
    let all = statistics.satisfied == arguments.count;
    Ok(if all { FOUND } else { UNDETERMINED })
}

fn root(fen: Option<&str>) -> anyhow::Result<Chess> {
    let Some(text) = fen else { return Ok(Chess::default()) };
    let fen: Fen = text.parse().with_context(|| format!("--from {text:?}: expected a FEN"))?;
    fen.into_position(CastlingMode::Standard)
        .with_context(|| format!("--from {text:?}: not a legal position"))
}

fn recipe(arguments: &Arguments, goal: &Goal) -> anyhow::Result<Recipe> {
    let named = arguments.network.as_deref();
    let network = match arguments.evaluator {
        EvaluatorChoice::Material => {
            ensure!(named.is_none(), "--network: the material evaluator has none");
            false
        }
        EvaluatorChoice::Network => true,
        EvaluatorChoice::Auto => named.is_some() || is_default_network_trained_on(goal),
    };
    if !network {
        return Ok(Recipe::Material);
    }
    let network = Arc::new(Network::open(named.unwrap_or(DEFAULT_NETWORK))?);
    match arguments.backend {
        Backend::Tract => Ok(Recipe::Network(network)),
        #[cfg(feature = "torch")]
        Backend::Torch => Ok(Recipe::Torch(network)),
        #[cfg(not(feature = "torch"))]
        Backend::Torch => bail!("--backend torch: this build has no libtorch; build with --features torch"),
    }
}

fn method_name(search: &NegamaxSettings, recipe: &Recipe) -> String {
    let faithful = if search.faithful { " faithful" } else { "" };
    format!("negamax depth {} {}{faithful}", search.depth, recipe.name())
}

fn write_all(
    arguments: &Arguments,
    settings: &Settings,
    recipe: &Recipe,
    context: &Context,
    stop: &AtomicBool,
    sink: &mut Sink,
) -> anyhow::Result<Statistics> {
    let plan = Plan {
        count: arguments.count,
        distinct: arguments.distinct,
        threads: arguments
            .threads
            .or_else(|| thread::available_parallelism().ok())
            .map_or(1, NonZeroUsize::get),
    };
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} positions  {per_sec}  {eta} left  {msg}");
    let progress = ProgressBar::new(plan.count).with_style(style.context("progress bar")?);
    let mut statistics = Statistics::default();
    let mut written = Ok(());
    generate_many(settings, recipe, plan, stop, |generation: Generation| {
        // What an interrupt cut short was given no fair chance.
        if stop.load(Ordering::Relaxed) && generation.outcome == Outcome::Undetermined {
            return;
        }
        statistics.add(&generation);
        progress.inc(1);
        if generation.outcome == Outcome::Undetermined {
            progress.set_message(format!("{} not found", statistics.generated - statistics.satisfied));
        }
        if written.is_ok() {
            written = sink.write(&context.render(&generation, arguments.format.into()));
            // Nobody reads on (`| head`): no reason to work on.
            stop.fetch_or(written.is_err(), Ordering::Relaxed);
        }
    })?;
    progress.finish_and_clear();
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(statistics),
        Err(error) => Err(error).context("cannot write the results"),
        Ok(()) => Ok(statistics),
    }
}

/// One line about the run on standard error, so that standard output stays the results alone.
fn summarise(statistics: &Statistics, arguments: &Arguments, context: &Context) {
    let generated = statistics.generated;
    let plies = statistics.median_plies().map_or(String::new(), |plies| format!(", median {plies} plies"));
    let _ = writeln!(
        io::stderr(),
        "{} of {} found ({} at the first attempt), {} different{plies}, seed {}",
        statistics.satisfied,
        arguments.count,
        statistics.satisfied_at_first_attempt,
        statistics.unique(),
        context.seed
    );
    if generated < arguments.count {
        let _ = writeln!(
            io::stderr(),
            "{} not generated: stopped, or no more distinct positions were met",
            arguments.count - generated
        );
    }
}

/// Standard output, or a file that appears under its name only when it is complete.
enum Sink {
    Stdout(io::StdoutLock<'static>),
    File { file: BufWriter<File>, partial: PathBuf, path: PathBuf },
}

impl Sink {
    fn open(path: Option<&Path>) -> anyhow::Result<Sink> {
        let Some(path) = path else { return Ok(Sink::Stdout(io::stdout().lock())) };
        let mut partial = path.as_os_str().to_owned();
        partial.push(".partial");
        let partial = PathBuf::from(partial);
        let file = File::create(&partial).with_context(|| format!("--output {}", path.display()))?;
        Ok(Sink::File { file: BufWriter::new(file), partial, path: path.to_owned() })
    }

    fn write(&mut self, text: &str) -> io::Result<()> {
        match self {
            Sink::Stdout(stdout) => stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()),
            Sink::File { file, .. } => file.write_all(text.as_bytes()),
        }
    }

    fn finish(&mut self) -> anyhow::Result<()> {
        if let Sink::File { file, partial, path } = self {
            file.flush()
                .and_then(|()| std::fs::rename(&*partial, &*path))
                .with_context(|| format!("--output {}", path.display()))?;
        }
        Ok(())
    }
}

impl Drop for Sink {
    fn drop(&mut self) {
        if let Sink::File { partial, .. } = self {
            // Gone already if the file was finished.
            let _ = std::fs::remove_file(partial);
        }
    }
}
