use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, bail};

/// The files in `paths`. A folder stands for its files with the extension `.txt`, in the order of their numbers.
///
/// # Errors
///
/// If a folder cannot be read, or there are no files.
pub fn text_files<P: AsRef<Path>>(paths: &[P]) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths.iter().map(AsRef::as_ref) {
        if !path.is_dir() {
            files.push(path.to_owned());
            continue;
        }
        let entries = fs::read_dir(path).with_context(|| path.display().to_string())?;
        let mut found: Vec<PathBuf> =
            entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
        found.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
        // The number is at the end of the name, so of two names the shorter has the lower number.
        found.sort_by_key(|path| (path.as_os_str().len(), path.clone()));
        if found.is_empty() {
            bail!("no files with the extension .txt in {}", path.display());
        }
        files.append(&mut found);
    }
    Ok(files)
}
