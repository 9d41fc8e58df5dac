//! What several rooms say of files: their names, their SHA-256 and the date.

mod date;
mod sha256;

use std::path::Path;

pub use date::utc_date;
pub use sha256::{sha256, sha256_file};

/// The last component of a path, or the path itself if it has none.
pub fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
