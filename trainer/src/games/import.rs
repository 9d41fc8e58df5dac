//! Imports PGN files into a store. One thread reads and cuts the text, several threads parse, replay and compress the
//! games, and one thread writes the blocks in file order.
//!
//! Each chunk of the text becomes one block, so the store's bytes do not depend on the number of threads.

use std::{
    fs, io,
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
        mpsc::{SyncSender, sync_channel},
    },
    thread,
};

use entente::parallel::{self, in_order};
use entente_cli::pgn::{Chunk, Chunks};
use entente_constraint::counted;
use thiserror::Error;

use super::{
    block::BlockBuilder,
    fault::{Fault, Reason},
    filter::Filter,
    game::{RatingScale, StoredGame},
    input::{self, same_file},
    parse::{self, ParsedGame},
    player::Player,
    report::{Counts, Report},
    store::Description,
    writer::{PackedBlock, StoreWriter},
};
use crate::files::file_name;

/// Options of an import.
#[derive(Clone, Debug)]
pub struct ImportOptions {
    /// The PGN files.
    pub files: Vec<PathBuf>,
    /// The store to write. A store of the same name is replaced at the end; any other existing file is an error.
    pub output: PathBuf,
    /// Which games are left out.
    pub filter: Filter,
    /// The scale of all ratings; `None`: the Site tag of each game determines it.
    pub scale: Option<RatingScale>,
    /// Number of threads that parse and compress.
    pub threads: usize,
}

/// Why an import did not write a store.
#[derive(Debug, Error)]
pub enum ImportError {
    /// A PGN file cannot be read.
    #[error("cannot read {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// A file has no games.
    #[error("no games in {}{}", path.display(), reason.as_ref().map_or(String::new(), |reason| format!(": {reason}")))]
    NoGames {
        /// The file.
        path: PathBuf,
        /// The reason, if known.
        reason: Option<String>,
    },
    /// Every game was left out.
    #[error("read {}, kept none: {dropped}; no store was written", counted(*.read, "game", "games"))]
    NoneLeft {
        /// Games read.
        read: u64,
        /// The number of games left out, by reason.
        dropped: String,
    },
    /// The store cannot be written.
    #[error("cannot write {}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The output is also one of the inputs.
    #[error("{} is both an input and the output", path.display())]
    OutputIsInput {
        /// The file.
        path: PathBuf,
    },
    /// The import was interrupted.
    #[error("interrupted; no store was written")]
    Interrupted,
}

/// Receives the events of a running import, in file order.
pub trait Observer {
    /// Called before anything is read, with the total size of all files in bytes.
    fn begin(&mut self, _total_bytes: u64) {}
    /// The number of games processed and of compressed bytes read so far.
    fn progress(&mut self, _games: u64, _bytes: u64) {}
    /// A damaged game is left out. Games count from 1 in each file.
    fn fault(&mut self, _file: &Path, _game: u64, _fault: &Fault) {}
    /// A file has been read. `damage` says why its compressed stream ended early, if it did.
    fn file_done(&mut self, _file: &Path, _counts: &Counts, _damage: Option<&str>) {}
}

/// Ignores all events.
impl Observer for () {}

/// For each thread, the number of blocks that may wait in memory for an earlier one.
const BLOCKS_AHEAD: usize = 4;

/// What the reading thread sends to the workers.
enum Work {
    /// `bytes` is the number of bytes of all files read so far.
    Chunk {
        file: usize,
        chunk: Chunk,
        bytes: u64,
    },
    FileEnd {
        file: usize,
        damage: Option<String>,
    },
}

enum Done {
    Chunk {
        file: usize,
        bytes: u64,
        counts: Counts,
        faults: Vec<(u64, Fault)>,
        block: io::Result<Option<PackedBlock>>,
    },
    FileEnd {
        file: usize,
        damage: Option<String>,
    },
}

/// Imports PGN files into a store. `interrupted` is checked between chunks.
///
/// # Errors
///
/// If a file cannot be read or has no games, no game is kept, the store cannot be written or would replace another kind
/// of file, or the import was interrupted. In all these cases, no store is written or replaced.
pub fn import(
    options: &ImportOptions,
    observer: &mut dyn Observer,
    interrupted: &AtomicBool,
) -> Result<Report, ImportError> {
    let mut total = 0;
    for path in &options.files {
        let metadata = fs::File::open(path).and_then(|file| file.metadata());
        total += metadata.map_err(|source| ImportError::Read { path: path.clone(), source })?.len();
        if same_file(path, &options.output) {
            return Err(ImportError::OutputIsInput { path: path.clone() });
        }
    }
    let failed = |source| ImportError::Write { path: options.output.clone(), source };
    let mut writer = StoreWriter::create(&options.output).map_err(failed)?;
    observer.begin(total);

    let mut threads = parallel::threads(options.threads);
    let window = BLOCKS_AHEAD * threads.len();
    let (sender, work) = sync_channel(threads.len());
    let mut collector = Collector {
        options,
        observer,
        writer: &mut writer,
        counts: Counts::default(),
        file_counts: Counts::default(),
        blocks: 0,
        damaged_files: 0,
    };
    thread::scope(|scope| {
        scope.spawn(move || read_files(&options.files, sender));
        // The reader ends when `in_order` returns and drops the receiver.
        let done = |(): &mut (), work: Result<Work, ImportError>| {
            Ok(match work? {
                Work::Chunk { file, chunk, bytes } => pack(options, file, &chunk, bytes),
                Work::FileEnd { file, damage } => Done::FileEnd { file, damage },
            })
        };
        in_order(work, &mut threads, window, done, |done| {
            if interrupted.load(Ordering::Relaxed) {
                return Err(ImportError::Interrupted);
            }
            collector.take(done)?;
            Ok(ControlFlow::Continue(()))
        })
    })?;

    let (counts, blocks, damaged_files) = (collector.counts, collector.blocks, collector.damaged_files);
    if counts.left() == 0 {
        let dropped: Vec<String> = Reason::ALL
            .into_iter()
            .filter(|&reason| counts.dropped_for(reason) > 0)
            .map(|reason| format!("{} {}", counts.dropped_for(reason), reason.label()))
            .collect();
        return Err(ImportError::NoneLeft { read: counts.read, dropped: dropped.join(", ") });
    }
    let description = Description {
        generator: concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION")).to_owned(),
        files: options.files.iter().map(|path| file_name(path)).collect(),
        filter: options.filter.clone(),
        read: counts.read,
        dropped: Reason::ALL
            .into_iter()
            .map(|reason| (reason.label().to_owned(), counts.dropped_for(reason)))
            .collect(),
    };
    let plies = writer.plies();
    let bytes = writer.finish(&description).map_err(failed)?;
    Ok(Report { counts, plies, bytes, blocks, damaged_files })
}

/// The source of a file's games: its name without `.pgn` and the extension of the compression.
fn source_name(path: &Path) -> Arc<str> {
    let mut name = file_name(path);
    for extension in [".zst", ".gz", ".bz2", ".pgn"] {
        if let Some(stem) = name.strip_suffix(extension)
            && !stem.is_empty()
        {
            name = stem.to_owned();
        }
    }
    name.into()
}

/// Sends the chunks of all files, or the first error. Ends early if the receivers are gone.
fn read_files(files: &[PathBuf], work: SyncSender<Result<Work, ImportError>>) {
    let bytes = Arc::new(AtomicU64::new(0));
    let send = |item| work.send(item).is_ok();
    for (file, path) in files.iter().enumerate() {
        let failed = |source| Err(ImportError::Read { path: path.clone(), source });
        let mut chunks = match input::open(path, Arc::clone(&bytes)) {
            Ok(stream) => Chunks::new(stream),
            Err(error) => {
                send(failed(error));
                return;
            }
        };
        loop {
            let item = match chunks.next_chunk() {
                Ok(Some(chunk)) => Work::Chunk { file, chunk, bytes: bytes.load(Ordering::Relaxed) },
                Ok(None) => break,
                Err(error) => {
                    send(failed(error));
                    return;
                }
            };
            if !send(Ok(item)) {
                return;
            }
        }
        if !send(Ok(Work::FileEnd { file, damage: chunks.damage().map(io::Error::to_string) })) {
            return;
        }
    }
}

/// Parses, replays, filters and compresses the games of a chunk.
fn pack(options: &ImportOptions, file: usize, chunk: &Chunk, bytes: u64) -> Done {
    let mut counts = Counts::default();
    let mut faults = Vec::new();
    let mut builder = BlockBuilder::default();
    let source = source_name(&options.files[file]);
    for text in chunk.games() {
        counts.read += 1;
        let game = match parse::parse(&text, options.scale) {
            Ok(game) => game,
            Err(fault) => {
                counts.leave_out(fault.reason());
                faults.push((text.number, fault));
                continue;
            }
        };
        counts.unreadable_evaluations += game.unreadable_evaluations;
        match stored(game, &options.filter, &source) {
            Ok((game, ranks)) => builder.push(&game, &ranks),
            Err(reason) => counts.leave_out(reason),
        }
    }
    Done::Chunk { file, bytes, counts, faults, block: PackedBlock::new(builder) }
}

/// The game as it is stored and the ranks of its moves, or the reason to leave it out.
fn stored(game: ParsedGame, filter: &Filter, source: &Arc<str>) -> Result<(StoredGame, Vec<u8>), Reason> {
    let result = game.result.ok_or(Reason::NoResult)?;
    if let Some(reason) = filter.reject(game.ratings, game.time_control, game.moves.len()) {
        return Err(reason);
    }
    let (Some(white_rating), Some(black_rating)) = game.ratings else { return Err(Reason::RatingUnknown) };
    let game_without_ranks = StoredGame {
        white_rating,
        black_rating,
        players: game.players.map(|name| name.map(|name| Player::named(source, &name))),
        scale: game.scale,
        result,
        time_class: game.time_class,
        time_control: game.time_control,
        eco: game.eco.map(Arc::from),
        opening: game.opening.map(Arc::from),
        source: Arc::clone(source),
        moves: game.moves,
        evaluations: game.evaluations,
        clocks: game.clocks,
    };
    Ok((game_without_ranks, game.ranks))
}

/// Writes the results in file order.
struct Collector<'a> {
    options: &'a ImportOptions,
    observer: &'a mut dyn Observer,
    writer: &'a mut StoreWriter,
    counts: Counts,
    file_counts: Counts,
    blocks: usize,
    damaged_files: usize,
}

impl Collector<'_> {
    fn take(&mut self, item: Done) -> Result<(), ImportError> {
        match item {
            Done::Chunk { file, bytes, counts, faults, block } => {
                for (game, fault) in &faults {
                    self.observer.fault(&self.options.files[file], *game, fault);
                }
                self.file_counts.add(&counts);
                let written = block.and_then(|block| match &block {
                    Some(block) => self.writer.write(block).map(|()| 1),
                    None => Ok(0),
                });
                let path = || self.options.output.clone();
                self.blocks += written.map_err(|source| ImportError::Write { path: path(), source })?;
                let games = self.counts.read + self.file_counts.read;
                self.observer.progress(games, bytes);
                Ok(())
            }
            Done::FileEnd { file, damage } => {
                let path = &self.options.files[file];
                if self.file_counts.read == 0 {
                    return Err(ImportError::NoGames { path: path.clone(), reason: damage });
                }
                self.damaged_files += usize::from(damage.is_some());
                self.observer.file_done(path, &self.file_counts, damage.as_deref());
                self.counts.add(&std::mem::take(&mut self.file_counts));
                Ok(())
            }
        }
    }
}
