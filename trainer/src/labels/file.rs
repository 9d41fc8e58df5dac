//! The file of labels. It has a header, and then a frame for each block of the store, in order. A frame has a length, a
//! CRC-32 and zstd-compressed bytes: for each game the number of bytes (u32) and the bytes of
//! [`GameLabels`](super::GameLabels). All numbers are little-endian. When writing resumes, an incomplete frame at the
//! end is removed.

use std::{
    fs::{File, OpenOptions},
    io::{self, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use entente_cli::whole_file::replace_file;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::label;
use crate::games::Split;

/// First bytes of every file of labels.
const MAGIC: &[u8; 8] = b"\x89EML\r\n\x1a\n";
const LEVEL: i32 = 3;
/// Maximum size of a description, of a frame and of its content; a larger one means damage or another kind of file. The
/// labels of a block of 65,536 games of 80 plies have about a quarter of it.
const MAX_BYTES: u32 = 1 << 30;

/// Why labels cannot be read or written.
#[derive(Debug, Error)]
pub enum LabelError {
    /// The file cannot be read or written.
    #[error("{}: {reason}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The cause. It is not called `source`, because the message already contains it.
        reason: io::Error,
    },
    /// The file is not a file of labels.
    #[error("{} is not a file of labels (made by `entente-trainer label`)", path.display())]
    NotLabels {
        /// The file.
        path: PathBuf,
    },
    /// The file was made for other games, teachers or options.
    #[error("{} was made with another {what}", path.display())]
    Other {
        /// The file.
        path: PathBuf,
        /// What differs.
        what: &'static str,
    },
    /// A block is damaged.
    #[error("{}, block {block}: {problem}", path.display())]
    Block {
        /// The file.
        path: PathBuf,
        /// The number of the block, from 1.
        block: usize,
        /// A description of the problem.
        problem: String,
    },
}

/// A teacher in a description.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TeacherFile {
    /// The rating of the players that it predicts.
    pub rating: u16,
    /// The name of the file.
    pub name: String,
    /// The SHA-256 of the file.
    pub sha256: String,
}

/// How a file of labels was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Description {
    /// The SHA-256 of the store.
    pub store: String,
    /// The number of blocks of the store.
    pub blocks: usize,
    /// The splits whose games are labelled.
    pub splits: Vec<Split>,
    /// One in this number of plies is labelled.
    pub every: u32,
    /// The teachers.
    pub teachers: Vec<TeacherFile>,
}

/// An open file of labels.
#[derive(Debug)]
pub struct LabelFile {
    path: PathBuf,
    file: File,
    description: Description,
    /// For each block with labels: the offset of its compressed bytes, their length and their CRC-32.
    frames: Vec<(u64, u32, u32)>,
    end: u64,
}

impl LabelFile {
    /// Opens a file to continue writing, or creates it. An existing file must have the same description.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or written, or was made for another store, other teachers or other options.
    pub fn resume(path: &Path, description: &Description) -> Result<LabelFile, LabelError> {
        if !path.exists() {
            let io = |reason| LabelError::Io { path: path.to_owned(), reason };
            let text = serde_json::to_vec(description).map_err(|error| io(error.into()))?;
            let mut bytes = MAGIC.to_vec();
            bytes.extend((text.len() as u32).to_le_bytes());
            bytes.extend(text);
            replace_file(path, &bytes).map_err(io)?;
        }
        let file = LabelFile::open_with(path, OpenOptions::new().read(true).write(true))?;
        file.check(&description.store)?;
        let other = |what| Err(LabelError::Other { path: path.to_owned(), what });
        let Description { teachers, splits, every, .. } = description;
        match &file.description {
            found if found.teachers != *teachers => return other("set of teachers"),
            found if found.splits != *splits => return other("--split"),
            found if found.every != *every => return other("--every"),
            _ => {}
        }
        file.file.set_len(file.end).map_err(|reason| LabelError::Io { path: path.to_owned(), reason })?;
        Ok(file)
    }

    /// Opens a file for reading.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn open(path: &Path) -> Result<LabelFile, LabelError> {
        LabelFile::open_with(path, OpenOptions::new().read(true))
    }

    fn open_with(path: &Path, options: &OpenOptions) -> Result<LabelFile, LabelError> {
        let io = |reason| LabelError::Io { path: path.to_owned(), reason };
        let foreign = || LabelError::NotLabels { path: path.to_owned() };
        let mut file = options.open(path).map_err(io)?;
        let length = file.metadata().map_err(io)?.len();
        let mut start = [0; 12];
        file.read_exact(&mut start).map_err(|_| foreign())?;
        let described = u32_at(&start, 8);
        if !start.starts_with(MAGIC) || described > MAX_BYTES || u64::from(described) + 12 > length {
            return Err(foreign());
        }
        let mut text = vec![0; described as usize];
        file.read_exact(&mut text).map_err(io)?;
        let description: Description = serde_json::from_slice(&text).map_err(|_| foreign())?;
        let (mut end, mut frames) = (12 + u64::from(described), Vec::new());
        let mut header = [0; 8];
        while frames.len() < description.blocks && end + 8 <= length {
            file.seek(SeekFrom::Start(end)).and_then(|_| file.read_exact(&mut header)).map_err(io)?;
            let (bytes, crc) = (u32_at(&header, 0), u32_at(&header, 4));
            if end + 8 + u64::from(bytes) > length {
                break;
            }
            if bytes > MAX_BYTES {
                let problem = format!("a frame of {bytes} bytes, expected at most {MAX_BYTES}");
                return Err(LabelError::Block { path: path.to_owned(), block: frames.len() + 1, problem });
            }
            frames.push((end + 8, bytes, crc));
            end += 8 + u64::from(bytes);
        }
        Ok(LabelFile { path: path.to_owned(), file, description, frames, end })
    }

    /// Checks that the labels belong to the store with this SHA-256.
    ///
    /// # Errors
    ///
    /// [`LabelError::Other`] if they do not.
    pub fn check(&self, store: &str) -> Result<(), LabelError> {
        if self.description.store == store {
            return Ok(());
        }
        Err(LabelError::Other { path: self.path.clone(), what: "store of games" })
    }

    /// How the file was made.
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// The number of blocks with labels.
    pub fn blocks(&self) -> usize {
        self.frames.len()
    }

    /// Appends the labels of the games of the next block.
    ///
    /// # Errors
    ///
    /// If the labels cannot be written, or are larger than any block of labels may be.
    pub fn push(&mut self, games: &[super::GameLabels]) -> Result<(), LabelError> {
        let io = |reason| LabelError::Io { path: self.path.clone(), reason };
        let mut bytes = Vec::new();
        for game in games {
            bytes.extend((game.bytes().len() as u32).to_le_bytes());
            bytes.extend(game.bytes());
        }
        let compressed = zstd::bulk::compress(&bytes, LEVEL).map_err(io)?;
        if bytes.len().max(compressed.len()) > MAX_BYTES as usize {
            let problem = format!("{} bytes of labels, expected at most {MAX_BYTES}", bytes.len());
            return Err(LabelError::Block { path: self.path.clone(), block: self.frames.len() + 1, problem });
        }
        let (length, crc) = (compressed.len() as u32, crc32fast::hash(&compressed));
        let mut frame = length.to_le_bytes().to_vec();
        frame.extend(crc.to_le_bytes());
        frame.extend(compressed);
        self.file.seek(SeekFrom::Start(self.end)).map_err(io)?;
        self.file.write_all(&frame).and_then(|()| self.file.sync_data()).map_err(io)?;
        self.frames.push((self.end + 8, length, crc));
        self.end += frame.len() as u64;
        Ok(())
    }

    /// The packed labels of each game of a block; `None` if the block has no labels yet.
    ///
    /// # Errors
    ///
    /// If the labels cannot be read or are damaged.
    pub fn read_block(&self, index: usize) -> Result<Option<Vec<Vec<u8>>>, LabelError> {
        let Some(&(start, length, crc)) = self.frames.get(index) else { return Ok(None) };
        let damaged =
            |problem: String| LabelError::Block { path: self.path.clone(), block: index + 1, problem };
        let io = |reason| LabelError::Io { path: self.path.clone(), reason };
        // Open the file again, so that several threads can read at the same time.
        let mut file = File::open(&self.path).map_err(io)?;
        let mut compressed = vec![0; length as usize];
        file.seek(SeekFrom::Start(start)).and_then(|_| file.read_exact(&mut compressed)).map_err(io)?;
        if crc32fast::hash(&compressed) != crc {
            return Err(damaged("wrong checksum".to_owned()));
        }
        let bytes = decompressed(&compressed, MAX_BYTES).map_err(|error| damaged(error.to_string()))?;
        let (mut rest, mut games) = (&bytes[..], Vec::new());
        while !rest.is_empty() {
            let (length, after) =
                rest.split_at_checked(4).ok_or_else(|| damaged("it is incomplete".to_owned()))?;
            let (game, after) = after
                .split_at_checked(u32_at(length, 0) as usize)
                .filter(|(game, _)| label::plies(game).is_some())
                .ok_or_else(|| damaged("a game is incomplete".to_owned()))?;
            games.push(game.to_vec());
            rest = after;
        }
        Ok(Some(games))
    }
}

/// Decompresses zstd bytes, whose content has at most `most` bytes.
fn decompressed(compressed: &[u8], most: u32) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let decoder = zstd::stream::read::Decoder::new(compressed)?;
    decoder.take(u64::from(most) + 1).read_to_end(&mut bytes)?;
    if bytes.len() > most as usize {
        return Err(io::Error::other(format!("its content has more than {most} bytes")));
    }
    Ok(bytes)
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(std::array::from_fn(|index| bytes[at + index]))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::labels::GameLabels;

    fn description() -> Description {
        Description {
            store: "ab".to_owned(),
            blocks: 3,
            splits: vec![Split::Training],
            every: 4,
            teachers: vec![],
        }
    }

    /// The labels of a game of `plies` plies, none of which has a label.
    fn unlabelled(plies: usize) -> GameLabels {
        let mut labels = GameLabels::new();
        (0..plies).for_each(|_| labels.push(None));
        labels
    }

    #[test]
    fn an_incomplete_frame_is_written_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.labels");
        let mut file = LabelFile::resume(&path, &description()).unwrap();
        file.push(&[unlabelled(2), unlabelled(5)]).unwrap();
        file.push(&[unlabelled(7)]).unwrap();
        let whole = fs::read(&path).unwrap();
        fs::write(&path, &whole[..whole.len() - 1]).unwrap();
        let mut file = LabelFile::resume(&path, &description()).unwrap();
        assert_eq!(file.blocks(), 1);
        file.push(&[unlabelled(7)]).unwrap();
        assert_eq!(fs::read(&path).unwrap(), whole);
        assert_eq!(file.read_block(0).unwrap(), Some(vec![vec![0; 2], vec![0; 5]]));
        assert_eq!(file.read_block(2).unwrap(), None);
    }

    #[test]
    fn sizes_in_a_damaged_file_are_limited() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.labels");
        LabelFile::resume(&path, &description()).unwrap();
        let mut bytes = fs::read(&path).unwrap();
        bytes.extend((MAX_BYTES + 1).to_le_bytes());
        bytes.extend([0; 4]);
        fs::write(&path, &bytes).unwrap();
        // The remaining bytes of the file are a hole.
        let longer = OpenOptions::new().write(true).open(&path).unwrap();
        longer.set_len(bytes.len() as u64 + u64::from(MAX_BYTES) + 1).unwrap();
        let error = LabelFile::open(&path).unwrap_err().to_string();
        assert!(
            error.ends_with("block 1: a frame of 1073741825 bytes, expected at most 1073741824"),
            "{error}"
        );
        let compressed = zstd::bulk::compress(&[0; 100], LEVEL).unwrap();
        assert_eq!(decompressed(&compressed, 100).unwrap(), [0; 100]);
        let error = decompressed(&compressed, 99).unwrap_err().to_string();
        assert_eq!(error, "its content has more than 99 bytes");
    }
}
