//! Input from a file or from standard input, plain or compressed, with a bar of progress.

use std::{
    fs::{File, Metadata},
    io::{self, Read},
    path::Path,
};

use indicatif::{ProgressBar, ProgressStyle};

use crate::pgn::decoded;

/// Opens the file, or standard input for "-", and decodes it (see [`decoded`]). The bar moves as the text is read, and
/// knows the total size of regular files only.
///
/// # Errors
/// If the file cannot be opened, or is not text.
pub(super) fn open(path: &Path) -> io::Result<(Box<dyn Read + Send>, ProgressBar)> {
    let (input, size): (Box<dyn Read + Send>, _) = if path == Path::new("-") {
        (Box::new(io::stdin()), None)
    } else {
        let file = File::open(path)?;
        // Windows tells nothing about its devices.
        let size = file.metadata().ok().filter(Metadata::is_file).map(|metadata| metadata.len());
        (Box::new(file), size)
    };
    let (progress, template) = match size {
        Some(size) => (ProgressBar::new(size), "{bar:30} {bytes}/{total_bytes}  {bytes_per_sec}  {eta} left"),
        None => (ProgressBar::new_spinner(), "{spinner} {bytes}  {bytes_per_sec}"),
    };
    let style = ProgressStyle::with_template(template).expect("the template is valid");
    let progress = progress.with_style(style);
    Ok((decoded(progress.wrap_read(input))?, progress))
}
