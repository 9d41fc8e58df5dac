use std::{
    fmt::Write as _,
    fs::{self, File, OpenOptions},
    io::{self, BufWriter, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context as _, bail};
use entente_cli::whole_file::replace_file;
use entente_network::encoding::transformer::vocabulary::Vocabulary;
use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Move, Position};

use super::Line;

/// Maximum number of lines in a split. A game is never divided.
pub const SPLIT_LINES: u64 = 20_000;

/// The file with the moves of each game.
const MOVES: &str = "2_uci_moves_dataset.txt";
/// The file with the lines of all games.
const LINES: &str = "3_uci_moves_with_board_state_and_index.txt";
/// The file with the progress of a run.
const PROGRESS: &str = "sequence.json";

/// The path of a split, numbered from 1.
pub fn split_path(folder: &Path, number: u64) -> PathBuf {
    folder.join("split").join(format!("castle_dataset_split_{number}.txt"))
}

/// The progress of a run: its purpose, and how much of its files is valid.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Progress {
    /// What is written, in words. A run can be resumed only with the same purpose.
    pub purpose: String,
    /// Number of blocks of the store that are done.
    pub blocks: u64,
    /// Number of games written.
    pub games: u64,
    /// Number of lines written.
    pub lines: u64,
    /// Size of the file of moves, in bytes.
    pub moves_bytes: u64,
    /// Size of the file of lines, in bytes.
    pub lines_bytes: u64,
    /// The number of the current split, from 1.
    pub split: u64,
    /// Number of lines in it.
    pub split_lines: u64,
    /// Its size in bytes.
    pub split_bytes: u64,
    /// True if everything is written.
    pub is_done: bool,
}

/// The text of a game: its moves and its lines.
pub struct GameText {
    moves: String,
    lines: String,
    count: u64,
}

impl GameText {
    /// The text of a game from the initial position.
    ///
    /// # Errors
    ///
    /// If the vocabulary lacks a move: the ply of the move, from 0.
    pub fn of(vocabulary: &Vocabulary, game: &[Move]) -> Result<GameText, usize> {
        let (mut moves, mut lines) =
            (String::with_capacity(5 * game.len()), String::with_capacity(170 * game.len()));
        let mut position = Chess::default();
        for (number, m) in game.iter().enumerate() {
            let line = Line::of(vocabulary, &position, *m).ok_or(number)?;
            let space = if number > 0 { " " } else { "" };
            let _ = write!(moves, "{space}{}", m.to_uci(shakmaty::CastlingMode::Standard));
            let _ = writeln!(lines, "{line}");
            position.play_unchecked(*m);
        }
        moves.push('\n');
        Ok(GameText { moves, lines, count: game.len() as u64 })
    }
}

/// Writes the files of a folder. A run can be resumed after any interruption.
pub struct SequenceWriter {
    folder: PathBuf,
    progress: Progress,
    moves: BufWriter<File>,
    lines: BufWriter<File>,
    split: BufWriter<File>,
}

impl SequenceWriter {
    /// Begins a run in `folder`, or resumes one with the same purpose.
    ///
    /// # Errors
    ///
    /// If the folder has other data, or files cannot be written.
    pub fn open(folder: &Path, purpose: &str) -> anyhow::Result<SequenceWriter> {
        let path = folder.join(PROGRESS);
        fs::create_dir_all(folder.join("split")).with_context(|| folder.display().to_string())?;
        let progress = match fs::read_to_string(&path) {
            Ok(text) => {
                let progress: Progress = serde_json::from_str(&text)
                    .with_context(|| format!("{}: not the progress of a run", path.display()))?;
                if progress.purpose != purpose {
                    bail!(
                        "{}: the folder has {}, which is not {purpose}; give another folder",
                        path.display(),
                        progress.purpose
                    );
                }
                progress
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let there = [MOVES, LINES].into_iter().find(|name| folder.join(name).exists());
                if let Some(name) = there {
                    bail!(
                        "{} exists, but {PROGRESS} does not; give another folder",
                        folder.join(name).display()
                    );
                }
                Progress { purpose: purpose.to_owned(), split: 1, ..Progress::default() }
            }
            Err(error) => return Err(error).with_context(|| path.display().to_string()),
        };
        let cut = |path: PathBuf, bytes: u64| cut(&path, bytes).with_context(|| path.display().to_string());
        let moves = cut(folder.join(MOVES), progress.moves_bytes)?;
        let lines = cut(folder.join(LINES), progress.lines_bytes)?;
        let split = cut(split_path(folder, progress.split), progress.split_bytes)?;
        let mut later = progress.split + 1;
        while fs::remove_file(split_path(folder, later)).is_ok() {
            later += 1;
        }
        Ok(SequenceWriter { folder: folder.to_owned(), progress, moves, lines, split })
    }

    /// The progress of the run.
    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// Writes a game.
    ///
    /// # Errors
    ///
    /// If a file cannot be written, or the game has more lines than fit into a split.
    pub fn add(&mut self, game: &GameText) -> anyhow::Result<()> {
        let GameText { moves, lines, count } = game;
        let progress = &mut self.progress;
        anyhow::ensure!(
            *count <= SPLIT_LINES,
            "a game of {count} plies does not fit into a split of {SPLIT_LINES} lines"
        );
        if progress.split_lines + count > SPLIT_LINES {
            self.split.flush()?;
            (progress.split, progress.split_lines, progress.split_bytes) = (progress.split + 1, 0, 0);
            let path = split_path(&self.folder, progress.split);
            self.split = cut(&path, 0).with_context(|| path.display().to_string())?;
        }
        self.moves
            .write_all(moves.as_bytes())
            .with_context(|| self.folder.join(MOVES).display().to_string())?;
        self.lines
            .write_all(lines.as_bytes())
            .with_context(|| self.folder.join(LINES).display().to_string())?;
        self.split
            .write_all(lines.as_bytes())
            .with_context(|| split_path(&self.folder, progress.split).display().to_string())?;
        progress.games += 1;
        progress.lines += count;
        progress.moves_bytes += moves.len() as u64;
        progress.lines_bytes += lines.len() as u64;
        progress.split_lines += count;
        progress.split_bytes += lines.len() as u64;
        Ok(())
    }

    /// Records that a block is done, or with `is_done` that all are. A resumed run continues from here.
    ///
    /// # Errors
    ///
    /// If the files cannot be written.
    pub fn save(&mut self, is_done: bool) -> anyhow::Result<()> {
        self.progress.blocks += u64::from(!is_done);
        self.progress.is_done = is_done;
        for file in [&mut self.moves, &mut self.lines, &mut self.split] {
            file.flush()?;
            file.get_ref().sync_data()?;
        }
        let path = self.folder.join(PROGRESS);
        let text = serde_json::to_string_pretty(&self.progress)?;
        replace_file(&path, text.as_bytes()).with_context(|| path.display().to_string())
    }
}

/// Opens a file for appending after its first `bytes` bytes. The rest of the file is removed.
fn cut(path: &Path, bytes: u64) -> io::Result<BufWriter<File>> {
    let mut file = OpenOptions::new().write(true).create(true).truncate(false).open(path)?;
    let there = file.metadata()?.len();
    if there < bytes {
        let reason = format!("it has {there} bytes, but the run wrote {bytes}; give another folder");
        return Err(io::Error::new(io::ErrorKind::InvalidData, reason));
    }
    file.set_len(bytes)?;
    file.seek(SeekFrom::End(0))?;
    Ok(BufWriter::new(file))
}

#[cfg(test)]
pub(super) mod tests {
    use shakmaty::uci::UciMove;

    use super::*;

    fn game(ucis: &str) -> GameText {
        let mut position = Chess::default();
        let moves: Vec<Move> = ucis
            .split(' ')
            .map(|uci| {
                let m = uci.parse::<UciMove>().unwrap().to_move(&position).unwrap();
                position.play_unchecked(m);
                m
            })
            .collect();
        GameText::of(&Vocabulary::of_chess(), &moves).unwrap()
    }

    /// The lines of a game.
    pub(crate) fn lines_of(ucis: &str) -> String {
        game(ucis).lines
    }

    #[test]
    fn an_interrupted_run_gives_the_same_files() {
        let games = [game("e2e4 e7e5 g1f3"), game("d2d4 d7d5"), game("c2c4")];
        let folder = tempfile::tempdir().unwrap();
        let paths = ["whole", "cut"].map(|name| folder.path().join(name));
        let mut whole = SequenceWriter::open(&paths[0], "three games").unwrap();
        let mut cut = SequenceWriter::open(&paths[1], "three games").unwrap();
        for game in &games {
            whole.add(game).unwrap();
        }
        whole.save(true).unwrap();
        cut.add(&games[0]).unwrap();
        cut.save(false).unwrap();
        // This game is not saved, so it is lost and written again.
        cut.add(&games[2]).unwrap();
        drop(cut);
        let mut cut = SequenceWriter::open(&paths[1], "three games").unwrap();
        assert_eq!((cut.progress().blocks, cut.progress().games, cut.progress().lines), (1, 1, 3));
        games[1..].iter().for_each(|game| cut.add(game).unwrap());
        cut.save(true).unwrap();
        let read = |path: &Path| {
            [path.join(MOVES), path.join(LINES), split_path(path, 1)]
                .map(|path| fs::read_to_string(path).unwrap())
        };
        assert_eq!(read(&paths[0]), read(&paths[1]));
        assert_eq!(read(&paths[0])[0], "e2e4 e7e5 g1f3\nd2d4 d7d5\nc2c4\n");
        let other = SequenceWriter::open(&paths[0], "four games").err().unwrap().to_string();
        assert!(other.contains("three games, which is not four games"), "{other}");
        fs::write(paths[0].join(LINES), "").unwrap();
        let shorter = format!("{:#}", SequenceWriter::open(&paths[0], "three games").err().unwrap());
        assert!(shorter.contains("it has 0 bytes"), "{shorter}");
    }

    #[test]
    fn a_split_has_a_limited_number_of_lines_and_only_whole_games() {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = SequenceWriter::open(folder.path(), "many").unwrap();
        let game = game("e2e4 e7e5 g1f3");
        let games = SPLIT_LINES / 3 + 10;
        (0..games).for_each(|_| writer.add(&game).unwrap());
        writer.save(true).unwrap();
        let lines =
            |number| fs::read_to_string(split_path(folder.path(), number)).unwrap().lines().count() as u64;
        assert_eq!((lines(1), lines(2)), (SPLIT_LINES / 3 * 3, 30));
    }
}
