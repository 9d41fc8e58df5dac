use std::{
    fs::File,
    io::{self, BufReader, BufWriter, Read, Write},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{
    Counts, Purpose,
    position::{BYTES, LabelledPosition},
};
use crate::training::replace_by;

/// First bytes of every such store: no text, and damaged by a transfer that changes line ends.
const MAGIC: &[u8; 8] = b"\x89EES\r\n\x1a\n";
/// The version of the format that this code writes and reads.
const VERSION: u32 = 1;
/// Of zstd: smaller files take longer, and are hardly smaller.
const LEVEL: i32 = 9;

/// Why a store of evaluations cannot be read.
#[derive(Debug, Error)]
pub enum EvaluationStoreError {
    /// It cannot be read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// Which file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// It is something else, or of another version, or damaged.
    #[error("{}: {reason}", path.display())]
    Format {
        /// Which file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
}

/// Labelled positions and where they come from.
///
/// The file has eight bytes that tell what it is, the version (four bytes, little-endian), and a zstd frame with a
/// checksum: the length of a description in JSON (four bytes), the description, and 28 bytes a position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EvaluationStore {
    /// Where the positions come from.
    pub description: Description,
    /// In the order in which they were found.
    pub positions: Vec<LabelledPosition>,
}

/// Where positions come from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Description {
    /// Program and version that wrote it.
    pub generator: String,
    /// The files' names, in order.
    pub files: Vec<String>,
    /// How many positions were found, and left out.
    pub counts: Counts,
    /// Whose word they have, where an engine was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub labels: Option<Purpose>,
}

impl EvaluationStore {
    /// Writes the store to `path`, replacing it at once or not at all.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), EvaluationStoreError> {
        let description = serde_json::to_string(&self.description).expect("names and numbers");
        replace_by(path, |part| {
            let mut file = BufWriter::new(File::create(part)?);
            file.write_all(MAGIC)?;
            file.write_all(&VERSION.to_le_bytes())?;
            let mut frame = zstd::Encoder::new(file, LEVEL)?;
            frame.include_checksum(true)?;
            frame.write_all(&(description.len() as u32).to_le_bytes())?;
            frame.write_all(description.as_bytes())?;
            self.positions.iter().try_for_each(|position| frame.write_all(&position.to_bytes()))?;
            frame.finish()?.flush()
        })
        .map_err(|error| EvaluationStoreError::Io { path: path.to_owned(), error })
    }

    /// True if the file begins as such a store does.
    pub fn is_one(path: &Path) -> bool {
        let mut magic = [0; MAGIC.len()];
        File::open(path).is_ok_and(|mut file| file.read_exact(&mut magic).is_ok()) && magic == *MAGIC
    }

    /// Reads the store at `path`.
    ///
    /// # Errors
    ///
    /// If it cannot be read, is something else, or is damaged.
    pub fn read(path: &Path) -> Result<EvaluationStore, EvaluationStoreError> {
        let io = |error| EvaluationStoreError::Io { path: path.to_owned(), error };
        let format = |reason: String| EvaluationStoreError::Format { path: path.to_owned(), reason };
        let damaged = |error: io::Error| format(format!("damaged: {error}"));
        let mut file = BufReader::new(File::open(path).map_err(io)?);
        let mut head = [0; 12];
        let is_whole = file.read_exact(&mut head).is_ok();
        let ([magic @ .., _, _, _, _], version) = (&head, &head[8..]);
        if !is_whole || magic != MAGIC {
            return Err(format("no store of evaluations (made by `entente-trainer evaluations`)".to_owned()));
        }
        if version != VERSION.to_le_bytes() {
            return Err(format(format!("a store of another version than {VERSION}: make it again")));
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
            .map_err(|error| format(format!("damaged: its description: {error}")))?;
        let (mut positions, mut frame) = (Vec::new(), BufReader::with_capacity(BYTES << 12, frame));
        loop {
            let mut bytes = [0; BYTES];
            match frame.read(&mut bytes[..1]).map_err(damaged)? {
                0 => return Ok(EvaluationStore { description, positions }),
                _ => frame.read_exact(&mut bytes[1..]).map_err(damaged)?,
            }
            let position = LabelledPosition::from_bytes(&bytes);
            let number = positions.len() + 1;
            positions
                .push(position.ok_or_else(|| format(format!("damaged: position {number} is impossible")))?);
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
    fn a_store_comes_back_as_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.evaluations");
        store().write(&path).unwrap();
        assert_eq!(EvaluationStore::read(&path).unwrap(), store());
    }

    #[test]
    fn what_is_no_whole_store_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.evaluations");
        store().write(&path).unwrap();
        let sound = fs::read(&path).unwrap();
        let refusal = |bytes: &[u8]| {
            fs::write(&path, bytes).unwrap();
            EvaluationStore::read(&path).unwrap_err().to_string()
        };
        assert!(refusal(b"[Event]").contains("no store of evaluations"));
        assert!(refusal(&sound[..sound.len() - 5]).contains("damaged"));
        let mut changed = sound.clone();
        changed[8] = 9;
        assert!(refusal(&changed).contains("another version"));
        let mut changed = sound.clone();
        *changed.last_mut().unwrap() ^= 1;
        assert!(refusal(&changed).contains("damaged"));
        assert!(EvaluationStore::read(&folder.path().join("none")).is_err());
    }
}
