//! Reads the packed game store. `docs/data.md` describes the format.

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
    sync::Mutex,
};

use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use super::game::StoredGame;
use super::{
    block::{self, BlockError, MAX_BYTES, MAX_GAMES, MovesOf},
    filter::Filter,
};

/// First bytes of every store. They are not text, and a transfer that changes line ends damages them.
pub const MAGIC: &[u8; 8] = b"\x89EGS\r\n\x1a\n";
/// The version of the format that this code writes and reads.
pub const VERSION: u32 = 2;
pub(super) const HEADER_BYTES: usize = 64;
pub(super) const BLOCK_HEADER_BYTES: usize = 12;
pub(super) const INDEX_ENTRY_BYTES: usize = 20;

/// Why a store cannot be read.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The file cannot be read.
    #[error("cannot read {}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file is not a store.
    #[error("{} is not a game store (made by `entente-trainer import`)", path.display())]
    NotAStore {
        /// The file.
        path: PathBuf,
    },
    /// The format has another version.
    #[error("{} is a game store of version {found}, but this program reads version {VERSION}: import the games again", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// The version of the file.
        found: u32,
    },
    /// The header, index or description is damaged.
    #[error("{} is damaged: {problem}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// A description of the problem.
        problem: String,
    },
    /// A block is damaged.
    #[error("{}, block {block} of {blocks} is damaged: {problem}", path.display())]
    Block {
        /// The file.
        path: PathBuf,
        /// The number of the block, counted from 1.
        block: usize,
        /// The number of blocks in the store.
        blocks: usize,
        /// A description of the problem.
        problem: String,
    },
    /// A block has an invalid game.
    #[error("{}, block {block} of {blocks} has an invalid game", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// The number of the block, counted from 1.
        block: usize,
        /// The number of blocks in the store.
        blocks: usize,
        /// Why.
        source: BlockError,
    },
    /// There is no such block.
    #[error("{} has {blocks} blocks, but none with index {index}", path.display())]
    NoSuchBlock {
        /// The file.
        path: PathBuf,
        /// The requested index.
        index: usize,
        /// The number of blocks in the store.
        blocks: usize,
    },
}

/// How a store was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Description {
    /// The program that wrote it, with its version.
    pub generator: String,
    /// The names of the imported files, in order.
    pub files: Vec<String>,
    /// The filter of the import.
    pub filter: Filter,
    /// Number of games read.
    pub read: u64,
    /// Number of games left out, by reason, in the order in which reasons are checked.
    pub dropped: Vec<(String, u64)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct IndexEntry {
    pub offset: u64,
    pub games: u32,
    pub content_bytes: u32,
    pub compressed_bytes: u32,
}

impl IndexEntry {
    pub(super) fn block_header(&self) -> [u8; BLOCK_HEADER_BYTES] {
        let mut header = [0; BLOCK_HEADER_BYTES];
        header[..4].copy_from_slice(&self.games.to_le_bytes());
        header[4..8].copy_from_slice(&self.content_bytes.to_le_bytes());
        header[8..].copy_from_slice(&self.compressed_bytes.to_le_bytes());
        header
    }

    pub(super) fn to_bytes(self) -> [u8; INDEX_ENTRY_BYTES] {
        let mut bytes = [0; INDEX_ENTRY_BYTES];
        bytes[..8].copy_from_slice(&self.offset.to_le_bytes());
        bytes[8..].copy_from_slice(&self.block_header());
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> IndexEntry {
        IndexEntry {
            offset: u64_at(bytes, 0),
            games: u32_at(bytes, 8),
            content_bytes: u32_at(bytes, 12),
            compressed_bytes: u32_at(bytes, 16),
        }
    }

    fn end(&self) -> u64 {
        self.offset + BLOCK_HEADER_BYTES as u64 + u64::from(self.compressed_bytes)
    }
}

/// The header of fixed size: the place of the tail (index and description), and the numbers of games, plies and blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Header {
    pub blocks: u32,
    pub games: u64,
    pub plies: u64,
    pub tail_offset: u64,
    pub tail_bytes: u64,
    pub tail_crc: u32,
}

impl Header {
    pub(super) fn to_bytes(self) -> [u8; HEADER_BYTES] {
        let mut bytes = [0; HEADER_BYTES];
        bytes[..8].copy_from_slice(MAGIC);
        bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
        bytes[12..16].copy_from_slice(&self.blocks.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.games.to_le_bytes());
        bytes[24..32].copy_from_slice(&self.plies.to_le_bytes());
        bytes[32..40].copy_from_slice(&self.tail_offset.to_le_bytes());
        bytes[40..48].copy_from_slice(&self.tail_bytes.to_le_bytes());
        bytes[48..52].copy_from_slice(&self.tail_crc.to_le_bytes());
        let crc = crc32fast::hash(&bytes[..60]);
        bytes[60..].copy_from_slice(&crc.to_le_bytes());
        bytes
    }

    fn from_bytes(bytes: &[u8; HEADER_BYTES]) -> Header {
        Header {
            blocks: u32_at(bytes, 12),
            games: u64_at(bytes, 16),
            plies: u64_at(bytes, 24),
            tail_offset: u64_at(bytes, 32),
            tail_bytes: u64_at(bytes, 40),
            tail_crc: u32_at(bytes, 48),
        }
    }
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(std::array::from_fn(|i| bytes[at + i]))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(std::array::from_fn(|i| bytes[at + i]))
}

/// An open store. Blocks are read, checked and replayed one at a time, by any number of threads.
#[derive(Debug)]
pub struct GameStore {
    path: PathBuf,
    file: Mutex<File>,
    header: Header,
    index: Vec<IndexEntry>,
    description: Description,
}

impl GameStore {
    /// Opens a store and checks its header, its index and its length.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is not a store, has another version, or is damaged or truncated.
    pub fn open(path: &Path) -> Result<GameStore, StoreError> {
        let io = |source| StoreError::Io { path: path.to_owned(), source };
        let damaged = |problem: String| StoreError::Damaged { path: path.to_owned(), problem };
        let mut file = File::open(path).map_err(io)?;
        let length = file.metadata().map_err(io)?.len();

        let mut start = Vec::new();
        (&mut file).take(HEADER_BYTES as u64).read_to_end(&mut start).map_err(io)?;
        if !start.starts_with(MAGIC) {
            return Err(StoreError::NotAStore { path: path.to_owned() });
        }
        let bytes: [u8; HEADER_BYTES] = start.try_into().map_err(|start: Vec<u8>| {
            damaged(format!("truncated after {} bytes, within the header", start.len()))
        })?;
        let version = u32_at(&bytes, 8);
        if version != VERSION {
            return Err(StoreError::Version { path: path.to_owned(), found: version });
        }
        if crc32fast::hash(&bytes[..60]) != u32_at(&bytes, 60) {
            return Err(damaged("wrong checksum of the header".to_owned()));
        }
        let header = Header::from_bytes(&bytes);
        let expected = header.tail_offset.checked_add(header.tail_bytes);
        if expected != Some(length) {
            let expected = expected.map_or("an impossible number of".to_owned(), |bytes| bytes.to_string());
            return Err(damaged(format!(
                "{length} bytes long, expected {expected}; it may be truncated or have extra bytes"
            )));
        }

        file.seek(SeekFrom::Start(header.tail_offset)).map_err(io)?;
        let mut tail = Vec::new();
        (&mut file).take(header.tail_bytes).read_to_end(&mut tail).map_err(io)?;
        if crc32fast::hash(&tail) != header.tail_crc {
            return Err(damaged("wrong checksum of the index".to_owned()));
        }
        let blocks = header.blocks as usize;
        let index_bytes = blocks.saturating_mul(INDEX_ENTRY_BYTES);
        let Some((index, description)) = tail.split_at_checked(index_bytes) else {
            return Err(damaged(format!("the index is too short for {blocks} blocks")));
        };
        let index: Vec<IndexEntry> =
            index.chunks_exact(INDEX_ENTRY_BYTES).map(IndexEntry::from_bytes).collect();
        let description = serde_json::from_slice(description)
            .map_err(|error| damaged(format!("invalid description: {error}")))?;

        // The blocks must fill the space between header and index without gaps, and have as many games as the header
        // says.
        let mut end = HEADER_BYTES as u64;
        for (entry, block) in index.iter().zip(1..) {
            if entry.offset != end
                || entry.games as usize > MAX_GAMES
                || entry.content_bytes as usize > MAX_BYTES
            {
                return Err(damaged(format!("the index has an invalid entry for block {block}")));
            }
            end = entry.end();
        }
        let games: u64 = index.iter().map(|entry| u64::from(entry.games)).sum();
        if end != header.tail_offset || games != header.games {
            return Err(damaged("the index contradicts the header".to_owned()));
        }
        Ok(GameStore { path: path.to_owned(), file: Mutex::new(file), header, index, description })
    }

    /// The number of games.
    pub fn len(&self) -> usize {
        self.header.games as usize
    }

    /// True for a store without games, which `import` never writes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of plies of all games.
    pub fn plies(&self) -> u64 {
        self.header.plies
    }

    /// The number of blocks.
    pub fn block_count(&self) -> usize {
        self.index.len()
    }

    /// The number of games in a block, without reading it; 0 if there is no such block.
    pub fn block_len(&self, index: usize) -> usize {
        self.index.get(index).map_or(0, |entry| entry.games as usize)
    }

    /// How the store was made.
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// Reads a block and replays its games, in the order of import.
    ///
    /// # Errors
    ///
    /// If there is no such block, the file cannot be read, or the block is damaged.
    pub fn read_block(&self, index: usize) -> Result<Vec<StoredGame>, StoreError> {
        self.read_block_by(index, &mut |_, ranks| ranks.moves())
    }

    /// The same, but `moves_of` replays the games and returns the moves that each game keeps; see [`block::decode`].
    ///
    /// # Errors
    ///
    /// As [`GameStore::read_block`].
    pub fn read_block_by(
        &self,
        index: usize,
        moves_of: &mut MovesOf<'_>,
    ) -> Result<Vec<StoredGame>, StoreError> {
        let path = || self.path.clone();
        let blocks = self.index.len();
        let entry =
            self.index.get(index).ok_or_else(|| StoreError::NoSuchBlock { path: path(), index, blocks })?;
        let damaged = |problem: String| StoreError::Block { path: path(), block: index + 1, blocks, problem };

        let mut bytes = vec![0; BLOCK_HEADER_BYTES + entry.compressed_bytes as usize];
        {
            // A thread that panicked while reading only left the file position changed, and `seek` sets it again.
            let mut file = self.file.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            file.seek(SeekFrom::Start(entry.offset))
                .and_then(|_| file.read_exact(&mut bytes))
                .map_err(|source| StoreError::Io { path: path(), source })?;
        }
        let (header, frame) = bytes.split_at(BLOCK_HEADER_BYTES);
        if header != entry.block_header() {
            return Err(damaged("its header contradicts the index".to_owned()));
        }
        let content_bytes = entry.content_bytes as usize;
        let content =
            zstd::bulk::decompress(frame, content_bytes).map_err(|error| damaged(error.to_string()))?;
        if content.len() != content_bytes {
            return Err(damaged(format!("{} bytes of content, expected {content_bytes}", content.len())));
        }
        block::decode(&content, entry.games as usize, moves_of).map_err(|source| StoreError::Content {
            path: path(),
            block: index + 1,
            blocks,
            source,
        })
    }
}
