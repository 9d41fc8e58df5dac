use std::{
    fs::File,
    io::{self, BufReader, Read, Write},
    path::{Path, PathBuf},
};

use entente_cli::whole_file::WholeFile;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{
    Counts, Purpose,
    position::{BYTES, LabelledPosition},
};

/// First bytes of every such store. They are not text, and a transfer that changes line ends damages them.
const MAGIC: &[u8; 8] = b"\x89EES\r\n\x1a\n";
/// The version of the format that this code writes and reads.
const VERSION: u32 = 1;
/// The zstd level; higher ones take longer and save little.
const LEVEL: i32 = 9;

/// Why a store of evaluations cannot be read.
#[derive(Debug, Error)]
pub enum EvaluationStoreError {
    /// The file cannot be read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The cause.
        error: io::Error,
    },
    /// The file is not a store, has another version, or is damaged.
    #[error("{}: {reason}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// A description of the problem.
        reason: String,
    },
}

/// Labelled positions and their origin.
///
/// The file has eight bytes that identify the format, the version (four bytes, little-endian), and a zstd frame with a
/// checksum. The frame has the length of a description in JSON (four bytes), the description, and 28 bytes per
/// position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EvaluationStore {
    /// The origin of the positions.
    pub description: Description,
    /// The positions, in the order in which they were found.
    pub positions: Vec<LabelledPosition>,
}

/// The origin of positions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Description {
    /// The program that wrote the store, with its version.
    pub generator: String,
    /// The names of the inputs, in order.
    pub files: Vec<String>,
    /// The numbers of positions found and left out.
    pub counts: Counts,
    /// How an engine labelled the positions, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub labels: Option<Purpose>,
}

impl EvaluationStore {
    /// Writes the store to `path`, which is replaced atomically.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), EvaluationStoreError> {
        let description = serde_json::to_string(&self.description).expect("names and numbers");
        let write = || {
            let mut file = WholeFile::create(path)?;
            file.write_all(MAGIC)?;
            file.write_all(&VERSION.to_le_bytes())?;
            let mut frame = zstd::Encoder::new(file, LEVEL)?;
            frame.include_checksum(true)?;
            frame.write_all(&(description.len() as u32).to_le_bytes())?;
            frame.write_all(description.as_bytes())?;
            self.positions.iter().try_for_each(|position| frame.write_all(&position.to_bytes()))?;
            frame.finish()?.finish()
        };
        write().map_err(|error| EvaluationStoreError::Io { path: path.to_owned(), error })
    }

    /// True if the file begins like such a store.
    pub fn is_one(path: &Path) -> bool {
        let mut magic = [0; MAGIC.len()];
        File::open(path).is_ok_and(|mut file| file.read_exact(&mut magic).is_ok()) && magic == *MAGIC
    }

    /// Reads the store at `path`.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is not a store, or is damaged.
    pub fn read(path: &Path) -> Result<EvaluationStore, EvaluationStoreError> {
        let io = |error| EvaluationStoreError::Io { path: path.to_owned(), error };
        let format = |reason: String| EvaluationStoreError::Format { path: path.to_owned(), reason };
        let damaged = |error: io::Error| format(format!("damaged: {error}"));
        let mut file = BufReader::new(File::open(path).map_err(io)?);
        let mut head = [0; 12];
        let is_whole = file.read_exact(&mut head).is_ok();
        let ([magic @ .., _, _, _, _], version) = (&head, &head[8..]);
        if !is_whole || magic != MAGIC {
            return Err(format(
                "not a store of evaluations (made by `entente-trainer evaluations`)".to_owned(),
            ));
        }
        if version != VERSION.to_le_bytes() {
            return Err(format(format!("the version of the store is not {VERSION}: make it again")));
        }
        let mut frame = zstd::Decoder::new(file).map_err(io)?;
        let mut length = [0; 4];
        frame.read_exact(&mut length).map_err(damaged)?;
        let mut description = Vec::new();
        frame
            .by_ref()
            .take(u32::from_le_bytes(length).into())
            .read_to_end(&mut description)
            .map_err(damaged)?;
        let description = serde_json::from_slice(&description)
            .map_err(|error| format(format!("damaged: invalid description: {error}")))?;
        let (mut positions, mut frame) = (Vec::new(), BufReader::with_capacity(BYTES << 12, frame));
        loop {
            let mut bytes = [0; BYTES];
            match frame.read(&mut bytes[..1]).map_err(damaged)? {
                0 => return Ok(EvaluationStore { description, positions }),
                _ => frame.read_exact(&mut bytes[1..]).map_err(damaged)?,
            }
            let position = LabelledPosition::from_bytes(&bytes);
            let number = positions.len() + 1;
            positions.push(position.ok_or_else(|| format(format!("damaged: position {number} is invalid")))?);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use entente_search::position_from_fen;
    use shakmaty::{Chess, Position};

    use super::*;
    use crate::games::{Evaluation, Split};

    fn store() -> EvaluationStore {
        let positions = ["8/8/4k3/8/8/3K4/4P3/8 w - - 0 1", "8/8/4k3/8/8/3K4/4P3/8 b - - 0 1"].map(|fen| {
            let position: Chess = position_from_fen(fen).unwrap();
            let (board, turn) = (position.board(), position.turn());
            LabelledPosition::new(board, turn, Evaluation::Centipawns(77), None, Split::Test, true)
        });
        let description = Description { generator: "test".to_owned(), ..Description::default() };
        EvaluationStore { description, positions: positions.to_vec() }
    }

    #[test]
    fn reading_restores_the_store() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.evaluations");
        store().write(&path).unwrap();
        assert_eq!(EvaluationStore::read(&path).unwrap(), store());
    }

    #[test]
    fn incomplete_stores_and_other_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.evaluations");
        store().write(&path).unwrap();
        let sound = fs::read(&path).unwrap();
        let refusal = |bytes: &[u8]| {
            fs::write(&path, bytes).unwrap();
            EvaluationStore::read(&path).unwrap_err().to_string()
        };
        assert!(refusal(b"[Event]").contains("not a store of evaluations"));
        assert!(refusal(&sound[..sound.len() - 5]).contains("damaged"));
        let mut changed = sound.clone();
        changed[8] = 9;
        assert!(refusal(&changed).contains("version of the store is not 1"));
        let mut changed = sound.clone();
        *changed.last_mut().unwrap() ^= 1;
        assert!(refusal(&changed).contains("damaged"));
        assert!(EvaluationStore::read(&folder.path().join("none")).is_err());
    }
}
