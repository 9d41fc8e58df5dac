//! `entente-trainer sequence`: games as text files for the transformer.

use std::{
    fs::{self, File},
    io::BufReader,
    path::{Path, PathBuf},
    process,
    sync::atomic::Ordering,
    thread,
    time::Instant,
};

use anyhow::Context as _;
use entente::parallel::{self, map_in_order};
use entente_network::encoding::vocabulary::Vocabulary;

use super::{bars::Bars, import::import_all, interrupt};
use crate::{
    games::{GameStore, Split, StoreError, StoredGame, report::grouped},
    progress::ProgressObserver as _,
    sequence::{Checked, Fault, GameText, SequenceWriter, read_games, text_files},
};

const EXAMPLES: &str = "\
Examples:
  entente-trainer sequence games.store --output dataset
  entente-trainer sequence games.store --output held-out --part validation --games 20000
  entente-trainer sequence club.pgn.zst --output dataset
  entente-trainer sequence --check dataset/split

Writes 2_uci_moves_dataset.txt (one game per line), 3_uci_moves_with_board_state_and_index.txt (one move per line), \
and the lines of the latter again as split/castle_dataset_split_N.txt, with up to 20,000 lines each. A line is \
move_index|board|rights. The move index is the number of the move in all_legal_moves.json. The board, before the move, \
has 64 numbers, a1, b1 … h8: 1 to 6 are White's pawn, knight, bishop, rook, queen and king, -1 to -6 are Black's, and \
0 is an empty square. The rights are six digits: whether White can castle kingside and queenside, the same for Black, \
the file of a pawn that can be captured en passant (0: none), and 1 if White is to move.

After Ctrl-C, the files written so far are kept, and the same command resumes the run. --check replays the games of \
such files and reports invalid lines.

Exit status: 0 everything was written or is valid, 1 a game is invalid, 2 an error, 130 interrupted.";

/// Options of `sequence`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// A game store (made by `import`), or PGN files, plain or compressed; with --check, text files or folders of them
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// The folder to write to
    #[arg(short, long, value_name = "DIR", required_unless_present = "check")]
    output: Option<PathBuf>,

    /// Check files instead of writing them
    #[arg(long, conflicts_with_all = ["output", "games", "part"])]
    check: bool,

    /// The part of the data from which the games are taken
    #[arg(long, value_enum, default_value = "training")]
    part: Part,

    /// Maximum number of games [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,

    /// The moves in the order of their numbers, as a JSON list, in the format of `vocabulary` [default: all moves of
    /// chess]
    #[arg(long, value_name = "FILE")]
    vocabulary: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Part {
    /// Games from which networks learn
    Training,
    /// Games from which the reference policy learns
    Reference,
    /// Games with which the best network of a run is chosen
    Validation,
    /// Games that are used for nothing else
    Test,
    /// All games
    All,
}

impl Part {
    fn has(self, game: &StoredGame) -> bool {
        let split = match self {
            Part::Training => Split::Training,
            Part::Reference => Split::Reference,
            Part::Validation => Split::Validation,
            Part::Test => Split::Test,
            Part::All => return true,
        };
        game.split() == split
    }
}

/// Writes or checks.
pub(super) fn run(arguments: Arguments) -> anyhow::Result<()> {
    let vocabulary = match &arguments.vocabulary {
        Some(path) => read_vocabulary(path)?,
        None => Vocabulary::of_chess(),
    };
    match &arguments.output {
        Some(folder) => write(&arguments, folder, &vocabulary),
        None => check_all(&arguments.files, &vocabulary),
    }
}

fn read_vocabulary(path: &Path) -> anyhow::Result<Vocabulary> {
    let name = || path.display().to_string();
    let text = fs::read_to_string(path).with_context(name)?;
    let names: Vec<String> = serde_json::from_str(&text)
        .with_context(|| format!("{}: expected a list of moves", path.display()))?;
    Vocabulary::new(&names).with_context(name)
}

fn write(arguments: &Arguments, folder: &Path, vocabulary: &Vocabulary) -> anyhow::Result<()> {
    let store = open(&arguments.files, folder)?;
    let most = arguments.games.unwrap_or(u64::MAX);
    let purpose = format!(
        "{:?} games, {} at most, of a store of {} games and {} plies, with the vocabulary {}",
        arguments.part,
        if most == u64::MAX { "all".to_owned() } else { grouped(most) },
        grouped(store.len() as u64),
        grouped(store.plies()),
        vocabulary.fingerprint()
    );
    let mut writer = SequenceWriter::open(folder, &purpose)?;
    let (start, before) = (Instant::now(), writer.progress().clone());
    let (bars, stop) = (Bars::default(), interrupt::flag());
    if !before.is_done {
        bars.begin("writing", store.block_count() as u64, "blocks");
        bars.done(before.blocks);
        for block in before.blocks as usize..store.block_count() {
            if stop.load(Ordering::Relaxed) || writer.progress().games >= most {
                break;
            }
            let mut games = store.read_block(block)?;
            games.retain(|game| arguments.part.has(game));
            games.truncate((most - writer.progress().games) as usize);
            for text in texts(vocabulary, &games, writer.progress().games)? {
                writer.add(&text)?;
            }
            writer.save(false)?;
            bars.done(1);
        }
        bars.end();
        if stop.load(Ordering::Relaxed) {
            let games = grouped(writer.progress().games);
            eprintln!("interrupted: {games} games are written; the same command resumes the run");
            process::exit(130);
        }
        writer.save(true)?;
    }
    let progress = writer.progress();
    for (count, what) in [(progress.games, "games"), (progress.lines, "lines"), (progress.split, "splits")] {
        println!("{:>12} {what}", grouped(count));
    }
    let seconds = start.elapsed().as_secs_f64().max(1e-3);
    let rate = |now: u64, then: u64| grouped(((now - then) as f64 / seconds) as u64);
    eprintln!(
        "{seconds:.1} s, {} games/s, {} lines/s",
        rate(progress.games, before.games),
        rate(progress.lines, before.lines)
    );
    Ok(())
}

/// Opens the store, if `files` is a single store. Otherwise imports the PGN files `files` into a store in `folder`.
fn open(files: &[PathBuf], folder: &Path) -> anyhow::Result<GameStore> {
    if let [path] = files {
        match GameStore::open(path) {
            Err(StoreError::NotAStore { .. }) => {}
            store => return Ok(store?),
        }
    }
    let path = folder.join("games.store");
    if !path.exists() {
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        import_all(files, &path)?;
    }
    Ok(GameStore::open(&path)?)
}

/// The texts of games, computed on all cores. `first` is the number of games before them.
fn texts(vocabulary: &Vocabulary, games: &[StoredGame], first: u64) -> anyhow::Result<Vec<GameText>> {
    const TOGETHER: usize = 64;
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let numbered: Vec<(u64, &StoredGame)> = (first + 1..).zip(games).collect();
    let text = |(number, game): &(u64, &StoredGame)| {
        GameText::of(vocabulary, &game.moves).map_err(|ply| {
            let uci = game.moves[ply].to_uci(shakmaty::CastlingMode::Standard);
            let ply = ply + 1;
            anyhow::anyhow!("game {number} ({}), ply {ply}: the vocabulary lacks {uci}", game.source)
        })
    };
    let texts = map_in_order(numbered.chunks(TOGETHER), &mut parallel::threads(cores), |(), games| {
        games.iter().map(text).collect::<anyhow::Result<Vec<GameText>>>()
    })?;
    Ok(texts.into_iter().flatten().collect())
}

/// Number of faults that are reported for each file.
const FAULTS_SHOWN: u64 = 20;

fn check_all(paths: &[PathBuf], vocabulary: &Vocabulary) -> anyhow::Result<()> {
    let files = text_files(paths)?;
    let (start, bars) = (Instant::now(), Bars::default());
    bars.begin("checking", files.len() as u64, "files");
    let (mut all, mut faults) = (Checked::default(), 0);
    for path in &files {
        let name = path.display();
        let file = File::open(path).with_context(|| name.to_string())?;
        let mut faults_here = 0;
        let fault = |fault: Fault| {
            faults_here += 1;
            if faults_here <= FAULTS_SHOWN {
                println!("{name}: line {}: {}", fault.line, fault.reason);
            }
        };
        let checked = read_games(BufReader::new(file), vocabulary, |_| (), fault);
        let checked = checked.with_context(|| name.to_string())?;
        if faults_here > FAULTS_SHOWN {
            println!("{name}: {} more invalid games", grouped(faults_here - FAULTS_SHOWN));
        }
        faults += faults_here;
        all.lines += checked.lines;
        all.games += checked.games;
        bars.done(1);
    }
    bars.end();
    for (count, what) in
        [(files.len() as u64, "files"), (all.games, "games"), (all.lines, "lines"), (faults, "invalid games")]
    {
        println!("{:>12} {what}", grouped(count));
    }
    let seconds = start.elapsed().as_secs_f64().max(1e-3);
    eprintln!("{seconds:.1} s, {} lines/s", grouped((all.lines as f64 / seconds) as u64));
    if faults > 0 {
        process::exit(1);
    }
    Ok(())
}
