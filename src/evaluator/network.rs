use std::{
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
};

use thiserror::Error;

use super::{Session, model::Model};
use crate::encoding::thesis;

/// A network file larger than this is not read: no network of this kind comes near it.
const MAX_FILE_BYTES: u64 = 256 << 20;

/// The networks in the program, by name.
pub const EMBEDDED: [(&str, &[u8]); 2] = [
    ("thesis-1", include_bytes!("../../models/thesis-1.onnx")),
    ("thesis-2", include_bytes!("../../models/thesis-2.onnx")),
];

/// Why a network cannot be used.
#[derive(Debug, Error)]
pub enum NetworkError {
    /// The file cannot be read.
    #[error("network {}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said. Part of the text, and so no source of it besides.
        error: io::Error,
    },
    /// The file is too large to be a network.
    #[error("network {}: more than {MAX_FILE_BYTES} bytes, as no network here has", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
    },
    /// It is no ONNX model, or one that tract cannot run.
    #[error("network {name}: not a usable ONNX model: {reason}")]
    Model {
        /// The network.
        name: String,
        /// What tract said.
        reason: String,
    },
    /// Its input or output has the wrong shape.
    #[error("network {name}: expected {expected}, found {found}")]
    Shape {
        /// The network.
        name: String,
        /// What it should be.
        expected: String,
        /// What it is.
        found: String,
    },
    /// The constraint says more than the network's input can.
    #[error(
        "network {name} reads only exact counts of White, such as (1,2,1,1,7); use the material evaluator"
    )]
    Unreadable {
        /// The network.
        name: String,
    },
}

impl NetworkError {
    /// What a panic within tract means for a user.
    pub(super) fn gave_up(name: &str) -> NetworkError {
        let reason = "tract gave up on a part of it that makes no sense".to_owned();
        NetworkError::Model { name: name.to_owned(), reason }
    }
}

/// A satisfaction network, optimised by tract for batches of one.
///
/// Input `[1, 17, 8, 8]` (see [`crate::encoding::thesis`]), output `[1, 1]`: the
/// satisfaction value, which grows with the probability that the constraint will be satisfied.
#[derive(Debug)]
pub struct Network {
    model: Model,
    #[cfg(feature = "torch")]
    bytes: Vec<u8>,
}

impl Network {
    /// The embedded network of that name, or else the file at that path.
    ///
    /// # Errors
    /// [`NetworkError`] if there is no such file, or it is not a network of this kind.
    pub fn open(name_or_path: &str) -> Result<Network, NetworkError> {
        match EMBEDDED.iter().find(|(name, _)| *name == name_or_path) {
            Some((name, bytes)) => Network::from_bytes(name, bytes),
            None => Network::load(Path::new(name_or_path)),
        }
    }

    /// Loads an ONNX file.
    ///
    /// # Errors
    /// [`NetworkError`] if it cannot be read or is not a network of this kind.
    pub fn load(path: &Path) -> Result<Network, NetworkError> {
        Network::from_bytes(&path.display().to_string(), &Network::read_file(path)?)
    }

    /// The bytes of a file that may hold a network.
    ///
    /// # Errors
    /// [`NetworkError::File`] if it cannot be read, [`NetworkError::TooLarge`].
    pub fn read_file(path: &Path) -> Result<Vec<u8>, NetworkError> {
        let file_error = |error| NetworkError::File { path: path.to_owned(), error };
        File::open(path)
            .and_then(|file| read_at_most(file, MAX_FILE_BYTES))
            .map_err(file_error)?
            .ok_or_else(|| NetworkError::TooLarge { path: path.to_owned() })
    }

    /// Reads an ONNX model and runs it once, so that a network that loads also evaluates.
    ///
    /// # Errors
    /// [`NetworkError::Model`] or [`NetworkError::Shape`].
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<Network, NetworkError> {
        let [planes, rows, columns] = thesis::SHAPE;
        Ok(Network {
            model: Model::new(name, bytes, &[&[1, planes, rows, columns]], &[&[1, 1]])?,
            #[cfg(feature = "torch")]
            bytes: bytes.to_owned(),
        })
    }

    /// A session, which runs the network on one input after another; every thread needs its own.
    pub fn session(&self) -> Session {
        Session(self.model.session())
    }

    /// The embedded name or the path.
    pub fn name(&self) -> &str {
        self.model.name()
    }

    /// The ONNX file.
    #[cfg(feature = "torch")]
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// All that `source` gives; `None` if that is more than `most` bytes. Devices and pipes have no size to ask for.
fn read_at_most(source: impl Read, most: u64) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    let read = source.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok((read as u64 <= most).then_some(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_networks_load() {
        for (name, _) in EMBEDDED {
            assert_eq!(Network::open(name).expect(name).name(), name);
        }
    }

    #[test]
    fn a_stride_of_zero_is_an_error_and_no_panic() {
        let mut bytes = EMBEDDED[0].1.to_vec();
        let places: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at..].starts_with(b"strides")).collect();
        assert!(!places.is_empty());
        // Behind the name stand the two integers, packed: tag 0x42, length 2.
        for at in places.into_iter().map(|at| at + b"strides".len()) {
            assert_eq!(bytes[at..at + 2], [0x42, 2]);
            bytes[at + 2..at + 4].fill(0);
        }
        assert!(matches!(Network::from_bytes("zero", &bytes), Err(NetworkError::Model { .. })));
    }

    #[test]
    fn no_more_is_read_than_a_network_may_have() {
        assert_eq!(read_at_most(&b"abc"[..], 3).unwrap().unwrap(), b"abc");
        assert_eq!(read_at_most(&b"abcd"[..], 3).unwrap(), None);
        assert_eq!(read_at_most(io::repeat(0), 3).unwrap(), None, "an endless device");
    }

    #[test]
    fn missing_cut_and_foreign_files_are_clear_errors() {
        let missing = Network::open("no/such/file.onnx").unwrap_err().to_string();
        assert!(missing.contains("no/such/file.onnx"), "{missing}");
        let chain = format!("{:#}", anyhow::Error::from(Network::open("no/such/file.onnx").unwrap_err()));
        assert_eq!(chain, missing, "a cause is said once");
        for bytes in [&b"abc"[..], b"", &EMBEDDED[0].1[..EMBEDDED[0].1.len() / 2]] {
            let error = Network::from_bytes("cut.onnx", bytes).unwrap_err().to_string();
            assert!(error.starts_with("network cut.onnx: "), "{error}");
        }
    }
}
