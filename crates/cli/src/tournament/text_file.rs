use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

/// The text of a file of `most` bytes at most, without the mark that some editors put in front of UTF-8.
///
/// # Errors
/// If it cannot be read, is no UTF-8, or is longer.
pub(super) fn read_text(path: &Path, most: u64) -> io::Result<String> {
    let mut bytes = Vec::new();
    // What is no file, such as a device, may be without end.
    let read = File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    if read as u64 > most {
        return Err(io::Error::other(format!("more than {most} bytes")));
    }
    let text = String::from_utf8(bytes).map_err(|_| io::Error::other("expected UTF-8"))?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}
