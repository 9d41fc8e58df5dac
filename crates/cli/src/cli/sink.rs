//! Where results go: standard output, a pipe or device, or a file that is never half-written.

use std::{
    fs::{self, File, Metadata, OpenOptions},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context as _, ensure};

/// An open destination of results. A file appears under its name at [`Sink::finish`] and not before;
/// dropped earlier, nothing of it remains and a file that was there stays as it was.
pub(super) enum Sink {
    /// Standard output; every result is seen at once.
    Stdout(io::StdoutLock<'static>),
    /// A pipe, a device or something that this process has open; every result is seen at once.
    Direct(File),
    /// A regular file, written beside its place.
    Whole(WholeFile),
}

/// A file under a temporary name in the folder of its own.
pub(super) struct WholeFile {
    writer: BufWriter<File>,
    partial: PathBuf,
    target: PathBuf,
}

/// As many symbolic links as Linux follows.
const MOST_LINKS: u32 = 40;

impl Sink {
    /// Opens `path`; `None`, `-` and `/dev/stdout` are standard output. Symbolic links are followed.
    ///
    /// # Errors
    /// If it is a folder, or cannot be written.
    pub(super) fn open(path: Option<&Path>) -> anyhow::Result<Sink> {
        match path {
            Some(path) if path != "-" && path != "/dev/stdout" => {
                Sink::named(path).with_context(|| format!("--output {}", path.display()))
            }
            _ => Ok(Sink::Stdout(io::stdout().lock())),
        }
    }

    fn named(path: &Path) -> anyhow::Result<Sink> {
        let present = match fs::metadata(path) {
            Ok(metadata) => Some(metadata),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error.into()),
        };
        let names_folder = path.as_os_str().as_encoded_bytes().ends_with(b"/");
        ensure!(
            !names_folder && !present.as_ref().is_some_and(Metadata::is_dir),
            "expected a file, found a folder"
        );
        let (target, is_open) = followed(path)?;
        if is_open || present.as_ref().is_some_and(|present| !present.is_file()) {
            return Ok(Sink::Direct(OpenOptions::new().append(true).open(path)?));
        }
        Ok(Sink::Whole(WholeFile::create(target, present)?))
    }

    /// Writes one result.
    ///
    /// # Errors
    /// Those of writing; [`io::ErrorKind::BrokenPipe`] if nobody reads any more.
    pub(super) fn write(&mut self, result: impl AsRef<[u8]>) -> io::Result<()> {
        let bytes = result.as_ref();
        match self {
            Sink::Stdout(stdout) => stdout.write_all(bytes).and_then(|()| stdout.flush()),
            Sink::Direct(file) => file.write_all(bytes),
            Sink::Whole(file) => file.writer.write_all(bytes),
        }
    }

    /// Gives a file its name.
    ///
    /// # Errors
    /// If it cannot be written to its end or renamed; then nothing of it remains.
    pub(super) fn finish(mut self) -> anyhow::Result<()> {
        if let Sink::Whole(WholeFile { writer, partial, target }) = &mut self {
            writer
                .flush()
                .and_then(|()| writer.get_ref().sync_all())
                .and_then(|()| fs::rename(partial, &*target))
                .with_context(|| format!("--output {}", target.display()))?;
        }
        Ok(())
    }

    /// The temporary file, for whoever ends the process without dropping the sink.
    pub(super) fn partial(&self) -> Option<&Path> {
        match self {
            Sink::Whole(file) => Some(&file.partial),
            Sink::Stdout(_) | Sink::Direct(_) => None,
        }
    }
}

impl WholeFile {
    /// A file that will take the place of `target`, where `present` is now.
    fn create(target: PathBuf, present: Option<Metadata>) -> io::Result<WholeFile> {
        if present.is_some() {
            // Renaming asks only for the folder's permission, not for the file's.
            OpenOptions::new().write(true).open(&target)?;
        }
        let (partial, file) = temporary_beside(&target)?;
        // Made before the permissions are set, so that a failure removes it.
        let whole = WholeFile { writer: BufWriter::new(file), partial, target };
        if let Some(present) = present {
            whole.writer.get_ref().set_permissions(present.permissions())?;
        }
        Ok(whole)
    }
}

impl Drop for WholeFile {
    fn drop(&mut self) {
        // Gone already if it was finished.
        let _ = fs::remove_file(&self.partial);
    }
}

/// The file that `path` leads to, which need not exist, and whether it does so by way of something that this
/// process has open, such as `/dev/stderr`: others hold that file too, and it must not be replaced.
fn followed(path: &Path) -> io::Result<(PathBuf, bool)> {
    let mut path = path.to_owned();
    let mut is_open = false;
    for _ in 0..MOST_LINKS {
        is_open |= path.starts_with("/dev/fd") || path.starts_with("/proc");
        // Fails where there is no link, or nothing.
        let Ok(link) = fs::read_link(&path) else { return Ok((path, is_open)) };
        path = path.parent().unwrap_or(Path::new("")).join(link);
    }
    Err(io::Error::other("too many symbolic links"))
}

/// A new file in the folder of `target`, of a name that nothing else has.
fn temporary_beside(target: &Path) -> io::Result<(PathBuf, File)> {
    loop {
        let partial = target.with_file_name(format!(".entente-{:08x}.partial", rand::random::<u32>()));
        match OpenOptions::new().write(true).create_new(true).open(&partial) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            opened => return Ok((partial, opened?)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names in a folder.
    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort_unstable();
        names
    }

    fn write(path: &Path, text: &str) -> anyhow::Result<()> {
        let mut sink = Sink::open(Some(path))?;
        sink.write(text)?;
        sink.finish()
    }

    #[test]
    fn a_file_takes_its_name_when_finished_and_leaves_nothing_otherwise() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        fs::write(&path, "old").unwrap();
        let mut sink = Sink::open(Some(&path)).unwrap();
        sink.write("new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        drop(sink);
        assert_eq!((fs::read_to_string(&path).unwrap(), names(folder.path()).len()), ("old".to_owned(), 1));
        write(&path, "new").unwrap();
        assert_eq!((fs::read_to_string(&path).unwrap(), names(folder.path()).len()), ("new".to_owned(), 1));
    }

    #[test]
    fn folders_are_refused_before_anything_is_made() {
        let folder = tempfile::tempdir().unwrap();
        for path in [folder.path().to_owned(), folder.path().join("new/")] {
            let error = format!("{:#}", Sink::open(Some(&path)).err().unwrap());
            assert_eq!(error, format!("--output {}: expected a file, found a folder", path.display()));
        }
        assert!(Sink::open(Some(&folder.path().join("missing/games.pgn"))).is_err());
        assert!(names(folder.path()).is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_even_where_they_lead_to_nothing_yet() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("results")).unwrap();
        let link = folder.path().join("latest.pgn");
        std::os::unix::fs::symlink("results/today.pgn", &link).unwrap();
        for text in ["first", "second"] {
            write(&link, text).unwrap();
            assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
            assert_eq!(fs::read_to_string(folder.path().join("results/today.pgn")).unwrap(), text);
            assert_eq!(names(&folder.path().join("results")), ["today.pgn"]);
        }
        let circle = folder.path().join("circle");
        std::os::unix::fs::symlink("circle", &circle).unwrap();
        assert!(Sink::open(Some(&circle)).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_file_keeps_its_permissions() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        write(&path, "new").unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    }

    #[cfg(unix)]
    #[test]
    fn pipes_and_devices_are_written_and_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let fifo = folder.path().join("fifo");
        assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
        let reader = std::thread::spawn({
            let fifo = fifo.clone();
            move || fs::read_to_string(fifo).unwrap()
        });
        write(&fifo, "through").unwrap();
        assert_eq!(reader.join().unwrap(), "through");
        assert_eq!(names(folder.path()), ["fifo"]);
        let link = folder.path().join("null");
        std::os::unix::fs::symlink("/dev/null", &link).unwrap();
        let sink = Sink::open(Some(&link)).unwrap();
        assert!(matches!(sink, Sink::Direct(_)));
    }
}
