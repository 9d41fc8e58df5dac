//! Writes networks as ONNX files, after a check that the engine computes the same outputs as the trainer.

mod date;
mod lc0;
mod onnx;
mod parity;
mod policy;
mod tower;
mod transformer;
mod writer;

use std::{fs, io::Read, path::Path};

pub use date::utc_date;
pub use lc0::{is_lc0, lc0_weights};
pub use onnx::{Metadata, onnx_bytes};
pub use parity::{ExportError, TOLERANCE, sample_inputs, write_model};
pub use policy::write_policy;
use sha2::{Digest, Sha256};
pub use tower::{policy_of, read_policy, tower_bytes, tower_weights};
pub use transformer::{transformer_bytes, write_transformer};

/// SHA-256 in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

/// SHA-256 of a file in hexadecimal.
///
/// # Errors
///
/// If the file cannot be read.
pub fn sha256_file(path: &Path) -> std::io::Result<String> {
    let mut file = fs::File::open(path)?;
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 20];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hexadecimal(&hash.finalize())),
            length => hash.update(&buffer[..length]),
        }
    }
}

/// The last component of a path, or the path itself if it has none.
pub fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
