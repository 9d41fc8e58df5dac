use std::{
    fs::File,
    io::BufReader,
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, bail};
use entente::parallel::{self, in_order};
use entente_network::encoding::{goal_policy::RatingScale, sequence::vocabulary};
use shakmaty::Move;

use crate::{
    files::{file_name, sha256, sha256_file},
    games::{GameStore, Split},
    progress::ProgressObserver,
    samples::goal::{Archive, GameInfo},
    sequence::{Fault, read_games, text_files},
    training::output::first_games,
};

/// What a card says about the games.
#[derive(Clone, Debug, Default)]
pub(super) struct Data {
    /// The file name of the store.
    pub store: String,
    /// The SHA-256 of the store.
    pub hash: String,
    /// The files from which the store was made.
    pub files: Vec<String>,
    /// The number of games in the training data.
    pub games: usize,
}

/// The games from which a transformer learns: a store, or text files written by `entente-trainer sequence`.
pub(super) enum Games {
    Store(PathBuf, Box<GameStore>),
    Text(PathBuf, Vec<PathBuf>),
}

impl Games {
    /// Opens a folder of text files, a text file (with the extension `.txt`), or otherwise a store.
    ///
    /// # Errors
    ///
    /// If the folder has no text files, or the store cannot be opened.
    pub(super) fn open(path: &Path) -> anyhow::Result<Games> {
        if path.is_dir() || path.extension().is_some_and(|extension| extension == "txt") {
            return Ok(Games::Text(path.to_owned(), text_files(&[path])?));
        }
        Ok(Games::Store(path.to_owned(), Box::new(GameStore::open(path)?)))
    }

    /// Reads the games of each of `splits`.
    ///
    /// # Errors
    ///
    /// If the games cannot be read, a line is invalid, or a split has no games.
    pub(super) fn read<const SPLITS: usize>(
        &self,
        splits: [Split; SPLITS],
        threads: usize,
        observer: &dyn ProgressObserver,
    ) -> anyhow::Result<[Archive; SPLITS]> {
        match self {
            Games::Store(_, store) => Ok(Archive::read(store, splits, threads, observer)?),
            Games::Text(path, files) => {
                let archives = of_texts(files, splits, threads, observer)?;
                match archives.iter().zip(splits).find(|(archive, _)| archive.is_empty()) {
                    None => Ok(archives),
                    Some((_, split)) => bail!(
                        "{}: no games of the {split} split; `entente-trainer sequence --part all` writes the games of \
                         all splits",
                        path.display()
                    ),
                }
            }
        }
    }

    /// The first games: the first block of the store, or the first text file.
    ///
    /// # Errors
    ///
    /// If the games cannot be read.
    pub(super) fn first(&self) -> anyhow::Result<Archive> {
        match self {
            Games::Store(path, _) => Ok(Archive::stored(first_games(path)?.iter())),
            Games::Text(_, files) => {
                let mut archive = Archive::default();
                of_text(&files[0], |moves| archive.add(&unknown(), moves))?;
                Ok(archive)
            }
        }
    }

    /// What a card says about the games, except for their number.
    ///
    /// # Errors
    ///
    /// If the games cannot be read.
    pub(super) fn description(&self) -> anyhow::Result<Data> {
        let hash = |path: &Path| sha256_file(path).with_context(|| format!("cannot read {}", path.display()));
        match self {
            Games::Store(path, store) => {
                let files = store.description().files.clone();
                Ok(Data { store: file_name(path), hash: hash(path)?, files, games: 0 })
            }
            Games::Text(path, files) => {
                let hashes: Vec<String> = files.iter().map(|path| hash(path)).collect::<Result<_, _>>()?;
                let [first, last] = [&files[0], &files[files.len() - 1]].map(|path| file_name(path));
                let files = vec![format!("{} files, {first} to {last}", files.len())];
                let hash = sha256(hashes.concat().as_bytes());
                Ok(Data { store: file_name(path), hash, files, games: 0 })
            }
        }
    }
}

/// The information about a game in a text file, which has only moves.
fn unknown() -> GameInfo {
    GameInfo::generated([0; 2], RatingScale::Online)
}

/// For each thread, the number of files whose games may wait for an earlier file.
const FILES_AHEAD: usize = 4;

/// Reads the games of each of `splits` from text files. Their order does not depend on the number of threads.
fn of_texts<const SPLITS: usize>(
    files: &[PathBuf],
    splits: [Split; SPLITS],
    threads: usize,
    observer: &dyn ProgressObserver,
) -> anyhow::Result<[Archive; SPLITS]> {
    observer.begin("reading games", files.len() as u64, "files");
    let read = |(): &mut (), path: &PathBuf| -> anyhow::Result<[Archive; SPLITS]> {
        let mut archives = [(); SPLITS].map(|()| Archive::default());
        of_text(path, |moves| {
            let split = Split::of_moves(moves);
            if let Some(place) = splits.iter().position(|wanted| *wanted == split) {
                archives[place].add(&unknown(), moves);
            }
        })?;
        observer.done(1);
        Ok(archives)
    };
    let mut all = [(); SPLITS].map(|()| Archive::default());
    let mut threads = parallel::threads(threads);
    let window = FILES_AHEAD * threads.len();
    in_order(files, &mut threads, window, read, |part| {
        all.iter_mut().zip(&part).for_each(|(archive, part)| archive.append(part));
        Ok(ControlFlow::Continue(()))
    })?;
    observer.end();
    Ok(all)
}

/// Calls `game` with each game of a file. The first fault is returned as an error.
fn of_text(path: &Path, game: impl FnMut(&[Move])) -> anyhow::Result<()> {
    let name = || path.display().to_string();
    let file = File::open(path).with_context(name)?;
    let mut first: Option<Fault> = None;
    read_games(BufReader::new(file), vocabulary(), game, |fault| _ = first.get_or_insert(fault))
        .with_context(name)?;
    match first {
        Some(Fault { line, reason }) => bail!("{}: line {line}: {reason}", path.display()),
        None => Ok(()),
    }
}
