//! Opens a text file, plain or compressed.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
    sync::{Arc, atomic::AtomicU64},
};

use entente_cli::pgn::{Counting, decoded};

/// Opens a text file: plain, zstd, gzip or bzip2, also in UTF-16. `count` grows by the number of bytes read from the
/// file.
///
/// # Errors
///
/// If the file cannot be read, or its first bytes show another format.
pub fn open(path: &Path, count: Arc<AtomicU64>) -> io::Result<Box<dyn Read + Send>> {
    decoded(Counting { inner: File::open(path)?, count })
}

/// True if both paths lead to the same file.
pub fn same_file(a: &Path, b: &Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}
