//! Files and folders that appear whole or not at all.
//!
//! They are written next to their target under a temporary name, `.entente-*.partial`, and get their own name only when
//! they are finished. If they are dropped before that, nothing is left behind, and what was there stays unchanged. A
//! process that is killed leaves the temporary file, which [`is_partial`] recognises.

use std::{
    ffi::OsStr,
    fs::{self, File, OpenOptions, Permissions},
    io::{self, BufWriter, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use tempfile::{Builder, NamedTempFile, TempDir};

/// The prefix and suffix of temporary names.
const PARTIAL: (&str, &str) = (".entente-", ".partial");

/// A file that is being written. It replaces its target at [`WholeFile::finish`].
#[derive(Debug)]
pub struct WholeFile {
    writer: BufWriter<NamedTempFile>,
    target: PathBuf,
    /// The permissions of an existing target.
    kept: Option<Permissions>,
}

impl WholeFile {
    /// Creates the temporary file. It has the permissions of `target`, or those of any new file if there is no such
    /// file yet. A symbolic link is not followed but replaced.
    ///
    /// # Errors
    /// If the folder of `target` does not exist or is not writable, or `target` has no name.
    pub fn create(target: &Path) -> io::Result<WholeFile> {
        check_name(target)?;
        let create = |path: &Path| OpenOptions::new().write(true).create_new(true).open(path);
        let file: NamedTempFile<File> = builder().make_in(folder_of(target), create)?;
        let present = fs::metadata(target).ok().filter(fs::Metadata::is_file);
        let kept = present.map(|present| present.permissions());
        // Set before anything is written, so that no one can read what is not meant for them.
        if let Some(kept) = &kept {
            file.as_file().set_permissions(writable(kept.clone()))?;
        }
        Ok(WholeFile { writer: BufWriter::new(file), target: target.to_owned(), kept })
    }

    /// The path that the finished file has.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// The path of the temporary file, for code that ends the process without dropping this value.
    pub fn partial(&self) -> &Path {
        self.writer.get_ref().path()
    }

    /// Writes everything so far to the disk. Of several files that belong together, sync all before you finish the
    /// first: a full disk then leaves none of them.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn sync(&mut self) -> io::Result<()> {
        self.writer.flush()?;
        self.writer.get_ref().as_file().sync_all()
    }

    /// Completes the file, writes it to the disk and gives it its name.
    ///
    /// # Errors
    /// If the file cannot be written completely or renamed. Then nothing of it is left behind.
    pub fn finish(mut self) -> io::Result<()> {
        if let Some(kept) = self.kept.take() {
            self.writer.get_ref().as_file().set_permissions(kept)?;
        }
        self.sync()?;
        self.writer.into_inner()?.persist(&self.target)?;
        Ok(())
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.writer.write_all(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

impl Seek for WholeFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.writer.seek(to)
    }
}

/// Writes `bytes` to a file that appears whole or not at all.
///
/// # Errors
/// If it cannot be written or renamed. What was there stays unchanged.
pub fn replace_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = WholeFile::create(path)?;
    file.write_all(bytes)?;
    file.finish()
}

/// The same for code that writes to a path: `write` gets the path of the temporary file, which exists and is empty.
///
/// # Errors
/// If `write` fails, or the file cannot be renamed. What was there stays unchanged.
pub fn replace_by(path: &Path, write: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<()> {
    let file = WholeFile::create(path)?;
    write(file.partial())?;
    file.finish()
}

/// A folder that is being filled. It gets its name at [`WholeFolder::finish`].
#[derive(Debug)]
pub struct WholeFolder {
    folder: TempDir,
    target: PathBuf,
}

impl WholeFolder {
    /// Creates the temporary folder, and the folders above it that are missing.
    ///
    /// # Errors
    /// If a folder cannot be created, or `target` has no name.
    pub fn create(target: &Path) -> io::Result<WholeFolder> {
        check_name(target)?;
        let above = folder_of(target);
        fs::create_dir_all(above)?;
        Ok(WholeFolder { folder: builder().tempdir_in(above)?, target: target.to_owned() })
    }

    /// The path of the temporary folder, where the files are written.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Gives the folder its name.
    ///
    /// # Errors
    /// If there is a file or a folder of that name that is not empty, or the folder cannot be renamed. Then nothing of
    /// it is left behind.
    pub fn finish(mut self) -> io::Result<()> {
        // On some systems, an empty folder of that name prevents renaming.
        let _ = fs::remove_dir(&self.target);
        fs::rename(self.folder.path(), &self.target)?;
        self.folder.disable_cleanup(true);
        Ok(())
    }
}

/// True for the name of a temporary file or folder.
pub fn is_partial(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    name.starts_with(PARTIAL.0) && name.ends_with(PARTIAL.1)
}

fn builder() -> Builder<'static, 'static> {
    let mut builder = Builder::new();
    builder.prefix(PARTIAL.0).suffix(PARTIAL.1);
    builder
}

/// The same permissions, with which this process can also open the file again to write it.
fn writable(permissions: Permissions) -> Permissions {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        Permissions::from_mode(permissions.mode() | 0o200)
    }
    #[cfg(not(unix))]
    permissions
}

/// Refuses a path that ends in `..`, to which nothing can be renamed.
fn check_name(target: &Path) -> io::Result<()> {
    match target.file_name() {
        Some(_) => Ok(()),
        None => Err(io::Error::new(io::ErrorKind::InvalidInput, "expected the name of a file or folder")),
    }
}

/// The folder in which a file or folder is.
fn folder_of(target: &Path) -> &Path {
    target.parent().filter(|folder| *folder != "").unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names in a folder.
    fn names(folder: &Path) -> Vec<std::ffi::OsString> {
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect()
    }

    #[test]
    fn a_file_is_replaced_or_unchanged_and_no_temporary_file_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        replace_file(&path, b"old").unwrap();
        replace_file(&path, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        let failed = replace_by(&path, |partial| {
            assert!(is_partial(partial.file_name().unwrap()) && partial.parent() == path.parent());
            fs::write(partial, "half")?;
            Err(io::ErrorKind::StorageFull.into())
        });
        assert_eq!(failed.unwrap_err().kind(), io::ErrorKind::StorageFull);
        replace_by(&folder.path().join("b"), |partial| fs::write(partial, "whole")).unwrap();
        assert_eq!(
            ["a", "b"].map(|name| fs::read(folder.path().join(name)).unwrap()),
            [&b"new"[..], b"whole"]
        );
        assert_eq!(names(folder.path()).len(), 2);
    }

    #[test]
    fn a_file_may_be_written_out_of_order() {
        let folder = tempfile::tempdir().unwrap();
        let mut file = WholeFile::create(&folder.path().join("a")).unwrap();
        file.write_all(b"..content").unwrap();
        file.seek(SeekFrom::Start(0)).unwrap();
        file.write_all(b"7 ").unwrap();
        assert!(names(folder.path()).iter().all(|name| is_partial(name)));
        file.finish().unwrap();
        assert_eq!(fs::read(folder.path().join("a")).unwrap(), b"7 content");
    }

    #[test]
    fn a_path_at_which_nothing_can_be_written_is_an_error_without_the_temporary_name() {
        let folder = tempfile::tempdir().unwrap();
        let error = WholeFile::create(&folder.path().join("none/a")).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        assert!(!error.to_string().contains(PARTIAL.1), "{error}");
        let nameless = folder.path().join("none/..");
        assert_eq!(WholeFile::create(&nameless).unwrap_err().kind(), io::ErrorKind::InvalidInput);
        assert_eq!(WholeFolder::create(&nameless).unwrap_err().kind(), io::ErrorKind::InvalidInput);
    }

    #[cfg(unix)]
    #[test]
    fn new_files_have_the_usual_permissions_and_old_ones_keep_theirs() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = |name| folder.path().join(name);
        let mode = |name| fs::metadata(path(name)).unwrap().permissions().mode();
        fs::write(path("usual"), "").unwrap();
        replace_file(&path("new"), b"").unwrap();
        assert_eq!(mode("new"), mode("usual"));
        for kept in [0o640, 0o444] {
            fs::set_permissions(path("new"), Permissions::from_mode(kept)).unwrap();
            replace_by(&path("new"), |partial| fs::write(partial, "content")).unwrap();
            assert_eq!(mode("new") & 0o777, kept);
        }
        fs::create_dir(path("usual folder")).unwrap();
        WholeFolder::create(&path("folder")).unwrap().finish().unwrap();
        assert_eq!(mode("folder"), mode("usual folder"));
    }

    #[test]
    fn a_folder_gets_its_name_when_finished_and_otherwise_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("above/out");
        let begun = WholeFolder::create(&target).unwrap();
        fs::write(begun.path().join("a"), "").unwrap();
        drop(begun);
        assert!(names(target.parent().unwrap()).is_empty());
        fs::create_dir(&target).unwrap();
        let begun = WholeFolder::create(&target).unwrap();
        fs::write(begun.path().join("a"), "").unwrap();
        begun.finish().unwrap();
        assert!(target.join("a").exists());
        assert!(
            WholeFolder::create(&target).unwrap().finish().is_err(),
            "there is a folder that is not empty"
        );
        assert_eq!(names(target.parent().unwrap()), ["out"]);
    }
}
