//! What several rooms need of files: they are replaced whole or not at all, and described by name, SHA-256 and date.

mod date;
mod replace;
mod sha256;

use std::path::Path;

pub use date::utc_date;
pub use replace::{replace_by, replace_file};
pub use sha256::{sha256, sha256_file};

/// The last component of a path, or the path itself if it has none.
pub fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
