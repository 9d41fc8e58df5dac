use std::{io, path::Path};

use entente_cli::whole_file::replace_file;
use serde::Serialize;

/// Writes all rows to `path` as CSV, which is replaced atomically.
///
/// # Errors
///
/// If it cannot be written.
pub fn write_csv<T: Serialize>(records: &[T], path: &Path) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for record in records {
        writer.serialize(record).map_err(io::Error::other)?;
    }
    replace_file(path, &writer.into_inner().map_err(|error| error.into_error())?)
}
