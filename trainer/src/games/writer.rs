//! Writes the packed game store to a temporary file in the same folder, which gets the store's name only when it is
//! complete.

use std::{
    fs::{self, File},
    io::{self, Read, Seek, SeekFrom, Write},
    path::Path,
};

use entente_cli::whole_file::WholeFile;

use super::{
    block::BlockBuilder,
    store::{BLOCK_HEADER_BYTES, Description, HEADER_BYTES, Header, IndexEntry, MAGIC},
};

/// A compressed block, ready to be written.
#[derive(Debug)]
pub(super) struct PackedBlock {
    games: u32,
    plies: u64,
    content_bytes: u32,
    frame: Vec<u8>,
}

/// The zstd level; higher ones save less than 1% and cost much time.
const LEVEL: i32 = 19;

impl PackedBlock {
    /// Compresses the collected games; `None` if there are none.
    ///
    /// # Errors
    ///
    /// If zstd fails.
    pub(super) fn new(builder: BlockBuilder) -> io::Result<Option<PackedBlock>> {
        if builder.games() == 0 {
            return Ok(None);
        }
        let (games, plies) = (builder.games(), builder.plies());
        let content = builder.finish();
        let mut compressor = zstd::bulk::Compressor::new(LEVEL)?;
        compressor.include_checksum(true)?;
        let frame = compressor.compress(&content)?;
        let fits = |bytes: usize| u32::try_from(bytes).map_err(io::Error::other);
        Ok(Some(PackedBlock { games: fits(games)?, plies, content_bytes: fits(content.len())?, frame }))
    }
}

/// Writes a store block by block. If it is dropped before [`StoreWriter::finish`], nothing is left behind.
#[derive(Debug)]
pub(super) struct StoreWriter {
    file: WholeFile,
    end: u64,
    index: Vec<IndexEntry>,
    games: u64,
    plies: u64,
}

impl StoreWriter {
    /// Begins a store that will be named `target`. An existing store of that name is unchanged until the end.
    ///
    /// # Errors
    ///
    /// If the folder does not exist or is not writable, or if `target` exists and is not a store; a typing error must
    /// not destroy another file.
    pub(super) fn create(target: &Path) -> io::Result<StoreWriter> {
        refuse_foreign(target)?;
        let mut file = WholeFile::create(target)?;
        file.write_all(&[0; HEADER_BYTES])?;
        Ok(StoreWriter { file, end: HEADER_BYTES as u64, index: Vec::new(), games: 0, plies: 0 })
    }

    /// Adds a block.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub(super) fn write(&mut self, block: &PackedBlock) -> io::Result<()> {
        let entry = IndexEntry {
            offset: self.end,
            games: block.games,
            content_bytes: block.content_bytes,
            compressed_bytes: u32::try_from(block.frame.len()).map_err(io::Error::other)?,
        };
        self.file.write_all(&entry.block_header())?;
        self.file.write_all(&block.frame)?;
        self.end += (BLOCK_HEADER_BYTES + block.frame.len()) as u64;
        self.games += u64::from(block.games);
        self.plies += block.plies;
        self.index.push(entry);
        Ok(())
    }

    pub(super) fn plies(&self) -> u64 {
        self.plies
    }

    /// Writes index, description and header, and renames the file to the store's name. Returns the size in bytes.
    ///
    /// # Errors
    ///
    /// If the file cannot be written or renamed. The temporary file is then removed.
    pub(super) fn finish(mut self, description: &Description) -> io::Result<u64> {
        let mut tail: Vec<u8> = self.index.iter().flat_map(|entry| entry.to_bytes()).collect();
        tail.extend(serde_json::to_vec(description)?);
        let header = Header {
            blocks: u32::try_from(self.index.len()).map_err(io::Error::other)?,
            games: self.games,
            plies: self.plies,
            tail_offset: self.end,
            tail_bytes: tail.len() as u64,
            tail_crc: crc32fast::hash(&tail),
        };
        self.file.write_all(&tail)?;
        self.file.seek(SeekFrom::Start(0))?;
        self.file.write_all(&header.to_bytes())?;
        self.file.finish()?;
        Ok(self.end + tail.len() as u64)
    }
}

/// Returns an error if `path` exists and is not a store.
fn refuse_foreign(path: &Path) -> io::Result<()> {
    let metadata = match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        metadata => metadata?,
    };
    if metadata.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let mut start = Vec::new();
    if metadata.is_file() {
        File::open(path)?.take(MAGIC.len() as u64).read_to_end(&mut start)?;
    }
    if start == MAGIC {
        return Ok(());
    }
    let message = "it exists and is not a game store; give another name, or remove it first";
    Err(io::Error::new(io::ErrorKind::AlreadyExists, message))
}
