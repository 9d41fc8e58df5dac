use std::{io, path::PathBuf};

use thiserror::Error;

use super::{NetworkKind, Session, kind::MAX_FILE_BYTES, model::Model};
use crate::encoding::thesis;

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

impl NetworkKind for Network {
    const EMBEDDED: &'static [(&'static str, &'static [u8])] = &[
        ("thesis-1", include_bytes!("../../models/thesis-1.onnx")),
        ("thesis-2", include_bytes!("../../models/thesis-2.onnx")),
    ];
    const DEFAULT: &'static str = "thesis-2";

    fn from_bytes(name: &str, bytes: &[u8]) -> Result<Network, NetworkError> {
        let [planes, rows, columns] = thesis::SHAPE;
        Ok(Network {
            model: Model::new(name, bytes, &[&[1, planes, rows, columns]], &[&[1, 1]])?,
            #[cfg(feature = "torch")]
            bytes: bytes.to_owned(),
        })
    }
}

impl Network {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_networks_load() {
        for (name, _) in Network::EMBEDDED {
            assert_eq!(Network::open(name).expect(name).name(), *name);
        }
    }

    #[test]
    fn a_stride_of_zero_is_an_error_and_no_panic() {
        let mut bytes = Network::EMBEDDED[0].1.to_vec();
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
    fn missing_cut_and_foreign_files_are_clear_errors() {
        let missing = Network::open("no/such/file.onnx").unwrap_err().to_string();
        assert!(missing.contains("no/such/file.onnx"), "{missing}");
        let chain = format!("{:#}", anyhow::Error::from(Network::open("no/such/file.onnx").unwrap_err()));
        assert_eq!(chain, missing, "a cause is said once");
        let (_, whole) = Network::EMBEDDED[0];
        for bytes in [&b"abc"[..], b"", &whole[..whole.len() / 2]] {
            let error = Network::from_bytes("cut.onnx", bytes).unwrap_err().to_string();
            assert!(error.starts_with("network cut.onnx: "), "{error}");
        }
    }
}
