//! The file with the labels of an unfinished run, so that the run can be resumed.

use std::{
    collections::HashMap,
    ffi::OsString,
    fs::{File, OpenOptions},
    io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context as _, bail};
use serde::{Deserialize, Serialize};

use super::{LabelledPosition, position::BYTES};

/// What a run does. Only a run with the same purpose can continue with its labels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Purpose {
    /// The engine's name.
    pub engine: String,
    /// Number of nodes per search.
    pub nodes: u64,
    /// Number of games in the store.
    pub games: usize,
    /// Number of plies in the store.
    pub plies: u64,
    /// Average number of positions drawn from a game.
    pub per_game: usize,
    /// The share from which a random move is played.
    pub stray: f64,
    /// The seed with which positions are drawn.
    pub seed: u64,
}

/// The labels so far. The file has a line with the purpose in JSON. Each finished block of the game store follows with
/// its number and its number of positions (four bytes each, little-endian), the positions, and the CRC-32 of these.
pub struct Labels {
    path: PathBuf,
    file: File,
    blocks: HashMap<u32, Vec<LabelledPosition>>,
}

impl Labels {
    /// The path of the file of labels for `output`.
    pub fn path(output: &Path) -> PathBuf {
        let mut name: OsString = output.as_os_str().to_owned();
        name.push(".labels");
        name.into()
    }

    /// Opens or creates the file at `path`. An incomplete block at the end is removed.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or written, is not a file of labels, or has another purpose.
    pub fn open(path: &Path, purpose: &Purpose) -> anyhow::Result<Labels> {
        let name = || path.display().to_string();
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .with_context(name)?;
        let mut blocks = HashMap::new();
        if file.metadata().with_context(name)?.len() == 0 {
            let mut line = serde_json::to_string(purpose)?;
            line.push('\n');
            file.write_all(line.as_bytes()).with_context(name)?;
        } else {
            let mut reader = BufReader::new(&mut file);
            let mut line = String::new();
            // Another kind of file without line ends must not fill the memory.
            const LONGEST: u64 = 1 << 16;
            reader.by_ref().take(LONGEST).read_line(&mut line).with_context(name)?;
            let found: Purpose = serde_json::from_str(&line)
                .with_context(|| format!("{}: not a file of labels; move it away", name()))?;
            if found != *purpose {
                bail!(
                    "{}: labels of another run ({}); use its options, or move the file away",
                    name(),
                    line.trim_end()
                );
            }
            let mut end = line.len() as u64;
            while let Some((block, positions)) = read_block(&mut reader).with_context(name)? {
                end += block_bytes(positions.len());
                blocks.insert(block, positions);
            }
            file.set_len(end).with_context(name)?;
        }
        file.seek(SeekFrom::End(0)).with_context(name)?;
        Ok(Labels { path: path.to_owned(), file, blocks })
    }

    /// True if this block is done.
    pub fn has(&self, block: u32) -> bool {
        self.blocks.contains_key(&block)
    }

    /// True if there are no positions.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.blocks.values().map(Vec::len).sum()
    }

    /// Adds a finished block.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn add(&mut self, block: u32, positions: Vec<LabelledPosition>) -> anyhow::Result<()> {
        let mut bytes = Vec::with_capacity(block_bytes(positions.len()) as usize);
        bytes.extend(block.to_le_bytes());
        bytes.extend((positions.len() as u32).to_le_bytes());
        positions.iter().for_each(|position| bytes.extend(position.to_bytes()));
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        self.file.write_all(&bytes).with_context(|| self.path.display().to_string())?;
        self.blocks.insert(block, positions);
        Ok(())
    }

    /// The positions of all blocks, in the `order` of the blocks.
    pub fn into_positions(mut self, order: Vec<u32>) -> impl Iterator<Item = LabelledPosition> {
        order.into_iter().filter_map(move |block| self.blocks.remove(&block)).flatten()
    }
}

/// The size of a block in bytes.
fn block_bytes(positions: usize) -> u64 {
    (12 + positions * BYTES) as u64
}

/// Reads the next block; `None` if it is incomplete or damaged.
fn read_block(reader: &mut impl Read) -> io::Result<Option<(u32, Vec<LabelledPosition>)>> {
    let mut head = [0; 8];
    let mut whole = |bytes: &mut [u8]| match reader.read_exact(bytes) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        read => read.map(|()| true),
    };
    if !whole(&mut head)? {
        return Ok(None);
    }
    let word = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
    let mut hash = crc32fast::Hasher::new();
    hash.update(&head);
    let mut positions = Vec::new();
    for _ in 0..word(4) {
        let mut bytes = [0; BYTES];
        if !whole(&mut bytes)? {
            return Ok(None);
        }
        hash.update(&bytes);
        let Some(position) = LabelledPosition::from_bytes(&bytes) else { return Ok(None) };
        positions.push(position);
    }
    let mut sum = [0; 4];
    let is_sound = whole(&mut sum)? && hash.finalize().to_le_bytes() == sum;
    Ok(is_sound.then(|| (word(0), positions)))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use shakmaty::{Chess, Color, Position};

    use super::*;
    use crate::games::{Evaluation, Split};

    fn purpose() -> Purpose {
        Purpose { engine: "E".to_owned(), nodes: 9, games: 4, plies: 200, per_game: 3, stray: 0.5, seed: 1 }
    }

    fn position(centipawns: i16) -> LabelledPosition {
        let board = Chess::default().board().clone();
        LabelledPosition::new(
            &board,
            Color::White,
            Evaluation::Centipawns(centipawns),
            None,
            Split::Test,
            true,
        )
    }

    #[test]
    fn a_run_is_resumed_after_its_last_complete_block() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("labels");
        let mut labels = Labels::open(&path, &purpose()).unwrap();
        labels.add(7, vec![position(1), position(2)]).unwrap();
        let whole = fs::metadata(&path).unwrap().len();
        labels.add(3, vec![position(3)]).unwrap();
        drop(labels);
        let all = fs::read(&path).unwrap();
        for cut in whole as usize..=all.len() {
            fs::write(&path, &all[..cut]).unwrap();
            let mut labels = Labels::open(&path, &purpose()).unwrap();
            assert_eq!((labels.has(7), labels.has(3)), (true, cut == all.len()));
            if cut < all.len() {
                labels.add(3, vec![position(3)]).unwrap();
                assert_eq!(fs::read(&path).unwrap(), all);
            }
            let scores: Vec<i16> = labels.into_positions(vec![3, 5, 7]).map(|p| p.score()).collect();
            assert_eq!(scores, [3, 1, 2]);
        }
        // A block that was changed is not read.
        let mut changed = all.clone();
        changed[whole as usize - 6] ^= 1;
        fs::write(&path, changed).unwrap();
        assert_eq!(Labels::open(&path, &purpose()).unwrap().len(), 0);
    }

    #[test]
    fn labels_of_another_run_and_other_files_are_refused_and_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("labels");
        drop(Labels::open(&path, &purpose()).unwrap());
        let other = Purpose { nodes: 10, ..purpose() };
        let refusal = |purpose| format!("{:#}", Labels::open(&path, &purpose).err().unwrap());
        assert!(refusal(other).contains("labels of another run ({\"engine\":\"E\",\"nodes\":9"));
        fs::write(&path, "[Event \"?\"]\n").unwrap();
        assert!(refusal(purpose()).contains("not a file of labels"));
        assert_eq!(fs::read_to_string(&path).unwrap(), "[Event \"?\"]\n");
    }
}
