use std::{
    fs::{self, File},
    io,
    path::Path,
};

/// Writes `bytes` to `path`, which is replaced atomically.
///
/// # Errors
///
/// If it cannot be written or renamed.
pub fn replace_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace_by(path, |part| fs::write(part, bytes))
}

/// Has `write` write a temporary file in the folder of `path`, and then renames it to `path`. After an error, the
/// temporary file is removed.
///
/// # Errors
///
/// If `write` fails, or the file cannot be renamed.
pub fn replace_by(path: &Path, write: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".part");
    let part = path.with_file_name(name);
    let written =
        write(&part).and_then(|()| File::open(&part)?.sync_all()).and_then(|()| fs::rename(&part, path));
    if written.is_err() {
        // Ignore errors here: the file may not exist, and the caller needs the first error.
        let _ = fs::remove_file(&part);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_or_unchanged_and_no_temporary_file_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        replace_file(&path, b"old").unwrap();
        replace_file(&path, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        let failed = replace_by(&path, |part| {
            fs::write(part, "half")?;
            Err(io::ErrorKind::StorageFull.into())
        });
        assert_eq!(failed.unwrap_err().kind(), io::ErrorKind::StorageFull);
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
