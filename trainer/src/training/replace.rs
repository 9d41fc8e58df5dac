use std::{
    fs::{self, File},
    io,
    path::Path,
};

/// Writes `bytes` to `path`, replacing it at once or not at all.
///
/// # Errors
///
/// If it cannot be written or renamed.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace_by(path, |part| fs::write(part, bytes))
}

/// Lets `write` make a file of a temporary name in the folder of `path`, which then takes the place of `path`.
/// Whatever fails, no part is left.
///
/// # Errors
///
/// That of `write`, or if the file cannot be renamed.
pub fn replace_by(path: &Path, write: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".part");
    let part = path.with_file_name(name);
    let written =
        write(&part).and_then(|()| File::open(&part)?.sync_all()).and_then(|()| fs::rename(&part, path));
    if written.is_err() {
        // The error says what went wrong; a part that was never begun must not hide it.
        let _ = fs::remove_file(&part);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_or_stays_and_no_part_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        replace(&path, b"old").unwrap();
        replace(&path, b"new").unwrap();
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
