//! The destination of results: standard output, a pipe or device, or a file that is never half-written.

use std::{
    fs::{self, File, Metadata, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf, is_separator},
    sync::{Arc, atomic::AtomicBool},
};

use anyhow::{Context as _, ensure};

use super::interrupts;
use crate::whole_file::WholeFile;

/// An open destination of results. A file gets its name only at [`Sink::finish`]. If the sink is dropped before that,
/// nothing is left behind, and an existing file stays unchanged.
pub(super) enum Sink {
    /// Standard output; every result appears at once.
    Stdout(io::StdoutLock<'static>),
    /// A pipe, a device or a file that this process already has open; every result appears at once.
    Direct(File),
    /// A regular file, written under a temporary name.
    Whole(WholeFile),
}

/// The most symbolic links that are followed, as in Linux.
const MAX_LINKS: u32 = 40;

impl Sink {
    /// Opens `path`; `None`, `-` and `/dev/stdout` are standard output. Symbolic links are followed.
    ///
    /// # Errors
    /// If `path` is a folder or cannot be written.
    pub(super) fn open(path: Option<&Path>) -> anyhow::Result<Sink> {
        match path {
            Some(path) if path != "-" && path != "/dev/stdout" => {
                Sink::named(path).with_context(|| format!("--output {}", path.display()))
            }
            _ => Ok(Sink::Stdout(io::stdout().lock())),
        }
    }

    /// Opens `path` for a command that the first Ctrl-C stops, by setting `stop`; the second one removes the unfinished
    /// file.
    ///
    /// # Errors
    /// As [`Sink::open`], and if Ctrl-C cannot be watched for.
    pub(super) fn open_watched(path: Option<&Path>, stop: &Arc<AtomicBool>) -> anyhow::Result<Sink> {
        let partial = interrupts::watch_file(Arc::clone(stop))?;
        let sink = Sink::open(path)?;
        if let Some(path) = sink.partial() {
            partial.get_or_init(|| path.to_owned());
        }
        Ok(sink)
    }

    fn named(path: &Path) -> anyhow::Result<Sink> {
        if is_device(path) {
            return Ok(Sink::Direct(OpenOptions::new().write(true).open(path)?));
        }
        let present = match fs::metadata(path) {
            Ok(metadata) => Some(metadata),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error.into()),
        };
        let last = path.as_os_str().as_encoded_bytes().last();
        let names_folder = last.is_some_and(|&last| is_separator(last.into()));
        ensure!(
            !names_folder && !present.as_ref().is_some_and(Metadata::is_dir),
            "expected a file, found a folder"
        );
        let (target, is_open) = followed(path)?;
        if is_open || present.as_ref().is_some_and(|present| !present.is_file()) {
            return Ok(Sink::Direct(OpenOptions::new().append(true).open(path)?));
        }
        if present.is_some() {
            // Checks the file's permission: renaming requires only the folder's.
            OpenOptions::new().write(true).open(&target)?;
        }
        Ok(Sink::Whole(WholeFile::create(&target)?))
    }

    /// Writes one result.
    ///
    /// # Errors
    /// If writing fails; [`io::ErrorKind::BrokenPipe`] if the reader has closed the pipe.
    pub(super) fn write(&mut self, result: impl AsRef<[u8]>) -> io::Result<()> {
        let bytes = result.as_ref();
        match self {
            Sink::Stdout(stdout) => stdout.write_all(bytes).and_then(|()| stdout.flush()),
            Sink::Direct(file) => file.write_all(bytes),
            Sink::Whole(file) => file.write_all(bytes),
        }
    }

    /// Completes a file and gives it its name.
    ///
    /// # Errors
    /// If the file cannot be written completely or renamed; then nothing of it is left behind.
    pub(super) fn finish(self) -> anyhow::Result<()> {
        if let Sink::Whole(file) = self {
            let target = file.target().to_owned();
            file.finish().with_context(|| format!("--output {}", target.display()))?;
        }
        Ok(())
    }

    /// The temporary file, for code that ends the process without dropping the sink.
    pub(super) fn partial(&self) -> Option<&Path> {
        match self {
            Sink::Whole(file) => Some(file.partial()),
            Sink::Stdout(_) | Sink::Direct(_) => None,
        }
    }
}

/// Follows symbolic links from `path` to a file, which need not exist. The second value is true if the way leads
/// through an open file of this process, such as `/dev/stderr`: other processes may use that file, so it must not be
/// replaced.
fn followed(path: &Path) -> io::Result<(PathBuf, bool)> {
    let mut path = path.to_owned();
    let mut is_open = false;
    for _ in 0..MAX_LINKS {
        is_open |= path.starts_with("/dev/fd") || path.starts_with("/proc");
        // Fails if `path` is not a link or does not exist.
        let Ok(link) = fs::read_link(&path) else { return Ok((path, is_open)) };
        path = path.parent().unwrap_or(Path::new("")).join(link);
    }
    Err(io::Error::other("too many symbolic links"))
}

/// True for `NUL`, which takes everything and exists in every folder of Windows. Windows tells nothing about it, not even
/// whether it is a file.
fn is_device(path: &Path) -> bool {
    cfg!(windows) && path.file_name().is_some_and(|name| name.eq_ignore_ascii_case("NUL"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names of the files in a folder, sorted.
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
    fn a_file_gets_its_name_when_finished_and_otherwise_leaves_nothing_behind() {
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
    fn folders_are_refused_before_anything_is_created() {
        let folder = tempfile::tempdir().unwrap();
        for path in [folder.path().to_owned(), folder.path().join("new/")] {
            let error = format!("{:#}", Sink::open(Some(&path)).err().unwrap());
            assert_eq!(error, format!("--output {}: expected a file, found a folder", path.display()));
        }
        assert!(Sink::open(Some(&folder.path().join("missing/games.pgn"))).is_err());
        assert!(names(folder.path()).is_empty());
    }

    #[cfg(windows)]
    #[test]
    fn devices_are_written_and_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        for path in [PathBuf::from("NUL"), folder.path().join("nul")] {
            let mut sink = Sink::open(Some(&path)).unwrap();
            sink.write("into nothing").unwrap();
            assert!(matches!(sink, Sink::Direct(_)));
            sink.finish().unwrap();
        }
        assert!(names(folder.path()).is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_even_to_a_file_that_does_not_exist_yet() {
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
