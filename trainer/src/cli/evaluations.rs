//! `entente-trainer evaluations`: positions and what an engine says of them, from games and tables.

use std::{
    fs,
    io::{self, Read},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use anyhow::{Context as _, bail};

use super::bars::Bars;
use crate::{
    evaluations::{Builder, Description, EvaluationStore},
    export::file_name,
    games::{GameStore, Split, StoreError, open_text, report::grouped, same_file},
    training::Watch,
};

const EXAMPLES: &str = "\
Examples:
  entente-trainer evaluations games.store --output positions.evaluations
  entente-trainer evaluations games.store evaluations.csv.zst --output positions.evaluations

Inputs are game stores, whose games' moves may have evaluations ([%eval] comments in their PGN), and tables in CSV, plain \
or compressed, with the columns FEN and Evaluation, seen from White: centipawns (+56), pawns (0.56) or mates (#-3, M5). \
Each position is kept once, as it was found first. Rows that say nothing are reported with their lines and left out.

Exit status: 0 the store was written, 2 an error, no store written.";

/// Options of `evaluations`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// Game stores (made by `import`) and tables in CSV, told by content
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// The store of positions to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

/// Rows at fault that are named for each table.
const FAULTS_SHOWN: u64 = 20;

/// Collects the positions and prints how many there are.
pub fn run(arguments: Arguments) -> anyhow::Result<()> {
    let Arguments { files, output } = arguments;
    if let Some(input) = files.iter().find(|input| same_file(input, &output)) {
        bail!("option --output: {} is an input", input.display());
    }
    let (mut builder, bars) = (Builder::default(), Bars::default());
    for path in &files {
        match GameStore::open(path) {
            Ok(store) => add_games(&mut builder, path, &store, &bars)?,
            Err(StoreError::NotAStore { .. }) => add_table(&mut builder, path, &bars)?,
            Err(error) => return Err(error.into()),
        }
    }
    let counts = builder.counts();
    let description = Description {
        generator: format!("entente-trainer {}", env!("CARGO_PKG_VERSION")),
        files: files.iter().map(|path| file_name(path)).collect(),
        counts,
    };
    let store = EvaluationStore { description, positions: builder.into_positions() };
    if store.positions.is_empty() {
        bail!(
            "no evaluations in {}; no store written",
            files.iter().map(|path| file_name(path)).collect::<Vec<_>>().join(", ")
        );
    }
    store.write(&output)?;
    let of = |split| store.positions.iter().filter(|position| position.split() == split).count();
    for (what, count) in [
        ("evaluations", counts.found),
        ("rows at fault", counts.faulty),
        ("repeated positions", counts.repeated),
        ("positions", store.positions.len() as u64),
        ("quiet ones", counts.quiet),
    ] {
        println!("{:>12} {what}", grouped(count));
    }
    for split in [Split::Training, Split::Reference, Split::Validation, Split::Test] {
        println!("{:>12} of the {split} split", grouped(of(split) as u64));
    }
    Ok(())
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
        eprintln!("{name}: {} more rows at fault", faults - FAULTS_SHOWN);
    }
    read.with_context(|| name.to_string())
}

/// Shows how much of a file has been read.
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
