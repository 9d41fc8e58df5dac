//! `entente-trainer evaluations`: positions with an engine's evaluations, from games and tables.

use std::{
    fs,
    io::{self, Read},
    path::{Path, PathBuf},
    process,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    thread,
};

use anyhow::{Context as _, bail};
use entente_constraint::{counted, noun};

use super::{bars::Bars, interrupt};
use crate::{
    evaluations::{Builder, Choice, Description, EvaluationStore, Labelling, Labels, Purpose},
    files::file_name,
    games::{GameStore, Split, StoreError, open_text, report::grouped, same_file},
    progress::ProgressObserver,
    valuer::Judgement,
};

const EXAMPLES: &str = "\
Examples:
  entente-trainer evaluations games.store --output positions.evaluations
  entente-trainer evaluations games.store evaluations.csv.zst --output positions.evaluations
  entente-trainer evaluations games.store --engine stockfish --nodes 1000 --positions 5000000 --output more.evaluations
  entente-trainer evaluations positions.evaluations more.evaluations --output all.evaluations

Inputs may be game stores with evaluations ([%eval] comments in the PGN), stores that this command has written, and \
CSV tables, plain or compressed. A table has the columns FEN and Evaluation. Evaluations are from White's point of \
view: centipawns (+56), pawns (0.56) or mates (#-3, M5). Each position is kept once, as it was found first. Invalid \
rows are reported with their line numbers and left out.

With --engine, a UCI engine evaluates quiet positions of a game store: positions of the games, and as many that a \
random move and its punishment lead to, because a search visits such positions, too. After Ctrl-C, the finished labels \
are in OUTPUT.labels, and the same command resumes the run.

Exit status: 0 the store was written; 2 an error, and no store was written; 130 interrupted, and no store was written.";

/// Options of `evaluations`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Game stores (made by `import`), CSV tables, and stores of evaluations; the content decides which a file is
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// The store of positions to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    #[command(flatten)]
    engine: EngineArguments,
}

/// Options of labelling.
#[derive(clap::Args)]
#[command(next_help_heading = "Labelling by an engine")]
struct EngineArguments {
    /// The UCI engine: a path, or the name of a program in PATH
    #[arg(long, value_name = "PATH")]
    engine: Option<PathBuf>,

    /// Nodes that it searches for each position
    #[arg(long, value_name = "N", default_value_t = 1000, requires = "engine", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,

    /// Number of positions to label, approximately
    #[arg(long, value_name = "N", default_value_t = 1_000_000, requires = "engine")]
    positions: usize,

    /// Average number of positions drawn from a game
    #[arg(long, value_name = "N", default_value_t = 20, requires = "engine")]
    per_game: usize,

    /// The share of positions that are reached by a random move from a position of a game
    #[arg(long, value_name = "SHARE", default_value_t = 0.5, requires = "engine", value_parser = share)]
    stray: f64,

    /// Seed for the choice of positions and of random moves
    #[arg(long, value_name = "N", default_value_t = 1, requires = "engine", value_parser = clap::value_parser!(u64).range(..=u64::from(u32::MAX)))]
    seed: u64,

    /// Number of engines that run at the same time [default: one for each core]
    #[arg(long, value_name = "N", requires = "engine", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

/// Hash memory of an engine, in mebibytes: enough for a few thousand nodes, and quickly cleared.
const MEMORY: u32 = 1;

/// Number of invalid rows that are reported for each table.
const FAULTS_SHOWN: u64 = 20;

/// Collects the positions and prints how many there are.
pub(super) fn run(arguments: Arguments) -> anyhow::Result<()> {
    let Arguments { files, output, engine } = arguments;
    if let Some(input) = files.iter().find(|input| same_file(input, &output)) {
        bail!("option --output: {} is an input", input.display());
    }
    let (mut builder, bars) = (Builder::default(), Bars::default());
    let labels = match &engine.engine {
        Some(path) => Some(label(&mut builder, &files, &output, path, &engine, &bars)?),
        None => {
            files.iter().try_for_each(|path| add(&mut builder, path, &bars))?;
            None
        }
    };
    let counts = builder.counts();
    let description = Description {
        generator: format!("entente-trainer {}", env!("CARGO_PKG_VERSION")),
        files: files.iter().map(|path| file_name(path)).collect(),
        counts,
        labels: labels.as_ref().map(|(purpose, _)| purpose.clone()),
    };
    let store = EvaluationStore { description, positions: builder.into_positions() };
    if store.positions.is_empty() {
        bail!(
            "no evaluations in {}; no store written",
            files.iter().map(|path| file_name(path)).collect::<Vec<_>>().join(", ")
        );
    }
    store.write(&output)?;
    if let Some((_, labels)) = labels {
        fs::remove_file(&labels).with_context(|| labels.display().to_string())?;
    }
    let of = |split| store.positions.iter().filter(|position| position.split() == split).count();
    for (what, count) in [
        ("evaluations", counts.found),
        ("invalid rows", counts.faulty),
        ("repeated positions", counts.repeated),
        ("positions", store.positions.len() as u64),
        ("quiet positions", counts.quiet),
    ] {
        println!("{:>12} {what}", grouped(count));
    }
    for split in [Split::Training, Split::Reference, Split::Validation, Split::Test] {
        println!("{:>12} in the {split} split", grouped(of(split) as u64));
    }
    Ok(())
}

/// Has the engine at `path` label positions of the games, and adds them to `builder`. Returns the file that keeps the
/// labels until the store is written.
fn label(
    builder: &mut Builder,
    files: &[PathBuf],
    output: &Path,
    path: &Path,
    arguments: &EngineArguments,
    bars: &Bars,
) -> anyhow::Result<(Purpose, PathBuf)> {
    let [games] = files else {
        bail!("option --engine: expected one game store, found {} files", files.len())
    };
    let &EngineArguments { nodes, positions, per_game, stray, seed, threads, .. } = arguments;
    let store = GameStore::open(games)?;
    let judgement = Judgement { memory: Some(MEMORY), ..Judgement::new(Some(path.to_owned()), nodes) };
    let purpose = Purpose {
        // Start an engine now, so that one that does not work is reported before anything is written.
        engine: judgement.open()?.name().to_owned(),
        nodes,
        games: store.len(),
        plies: store.plies(),
        per_game,
        stray,
        seed,
    };
    let path = Labels::path(output);
    let mut labels = Labels::open(&path, &purpose)?;
    let threads = threads.map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from);
    let choice = Choice { per_game, stray };
    let labelling = Labelling { store: &store, choice, seed, judgement: &judgement, threads };
    let stop = interrupt::flag();
    labelling.run(&mut labels, positions, stop, bars)?;
    if stop.load(Ordering::Relaxed) {
        let kept = labels.len() as u64;
        let (count, are) = (grouped(kept), noun(kept, "position is", "positions are"));
        eprintln!("interrupted: {count} {are} kept in {}; the same command resumes the run", path.display());
        process::exit(130);
    }
    builder.add_labelled(labels.into_positions(labelling.order()));
    Ok((purpose, path))
}

/// Adds the positions of a file of any kind.
fn add(builder: &mut Builder, path: &Path, bars: &Bars) -> anyhow::Result<()> {
    if EvaluationStore::is_one(path) {
        builder.add_labelled(EvaluationStore::read(path)?.positions);
        return Ok(());
    }
    match GameStore::open(path) {
        Ok(store) => add_games(builder, path, &store, bars),
        Err(StoreError::NotAStore { .. }) => add_table(builder, path, bars),
        Err(error) => Err(error.into()),
    }
}

fn add_games(builder: &mut Builder, path: &Path, store: &GameStore, bars: &Bars) -> anyhow::Result<()> {
    bars.begin(&format!("reading {}", file_name(path)), store.block_count() as u64, "blocks");
    for block in 0..store.block_count() {
        store.read_block(block)?.iter().for_each(|game| builder.add_game(game));
        bars.done(1);
    }
    bars.end();
    Ok(())
}

fn add_table(builder: &mut Builder, path: &Path, bars: &Bars) -> anyhow::Result<()> {
    let name = path.display();
    let length = fs::metadata(path).with_context(|| name.to_string())?.len();
    let count = Arc::new(AtomicU64::new(0));
    let text = open_text(path, Arc::clone(&count)).with_context(|| name.to_string())?;
    bars.begin(&format!("reading {}", file_name(path)), length, "bytes");
    let mut faults = 0;
    let watched = Watched { text, count, bars };
    let read = builder.add_table(watched, |line, reason| {
        faults += 1;
        if faults <= FAULTS_SHOWN {
            eprintln!("{name}: line {line}: {reason}");
        }
    });
    bars.end();
    if faults > FAULTS_SHOWN {
        eprintln!("{name}: {}", counted(faults - FAULTS_SHOWN, "more invalid row", "more invalid rows"));
    }
    read.with_context(|| name.to_string())
}

/// A reader that shows on the progress bar how much of the file has been read.
struct Watched<'a> {
    text: Box<dyn Read + Send>,
    count: Arc<AtomicU64>,
    bars: &'a Bars,
}

impl Read for Watched<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.bars.done(self.count.swap(0, Ordering::Relaxed));
        self.text.read(buffer)
    }
}
