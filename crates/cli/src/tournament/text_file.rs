use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

/// The text of a file of at most `most` bytes, without a byte order mark.
///
/// # Errors
/// If the file cannot be read, is not UTF-8, or is longer.
pub(super) fn read_text(path: &Path, most: u64) -> io::Result<String> {
    let mut bytes = Vec::new();
    // A device may be endless.
    let read = File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    if read as u64 > most {
        return Err(io::Error::other(format!("more than {most} bytes")));
    }
    let text = String::from_utf8(bytes).map_err(|_| io::Error::other("expected UTF-8"))?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}
