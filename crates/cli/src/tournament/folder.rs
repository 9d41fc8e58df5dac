use std::{
    ffi::OsStr,
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Write},
    path::{Path, PathBuf},
};

use super::{Kind, Manifest, TournamentError, text_file::read_text};
use crate::whole_file::{WholeFile, is_partial};

/// A folder of games: a tournament or another [`Kind`].
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
    kind: &'static Kind,
}

impl Folder {
    /// The maximum size of a manifest, in bytes.
    const MANIFEST_BYTES: u64 = 64 << 20;

    /// The folder of a tournament at `path`, which need not exist.
    pub fn new(path: &Path) -> Folder {
        Folder::of(path, &Kind::TOURNAMENT)
    }

    /// The folder at `path`, which need not exist, for games of the given kind.
    pub fn of(path: &Path, kind: &'static Kind) -> Folder {
        Folder { path: path.to_owned(), kind }
    }

    /// The kind of its games.
    pub fn kind(&self) -> &'static Kind {
        self.kind
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path of a file in it.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Its manifest; `None` if the folder has none of its kind.
    ///
    /// # Errors
    /// If the manifest cannot be read.
    pub fn manifest(&self) -> Result<Option<Manifest>, TournamentError> {
        let path = self.file(self.kind.manifest);
        let text = match read_text(&path, Folder::MANIFEST_BYTES) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(TournamentError::File { path, error }),
        };
        let broken = |reason: String| {
            let noun = self.kind.noun;
            TournamentError::folder(&path, format!("expected the manifest of a {noun}: {reason}"))
        };
        let manifest: Manifest = serde_json::from_str(&text).map_err(|error| broken(error.to_string()))?;
        manifest.check().map_err(broken)?;
        Ok(Some(manifest))
    }

    /// Starts a run in the folder, or resumes it if `resume` is set. Other processes are kept out while the lock
    /// exists.
    ///
    /// # Errors
    /// If the folder contains something else, or a run while `resume` is not set, or if another process is using it.
    pub fn enter(&self, manifest: &Manifest, resume: bool) -> Result<Lock, TournamentError> {
        // Checked before anything is created, and again under the lock.
        self.check(manifest, resume)?;
        fs::create_dir_all(&self.path).map_err(TournamentError::file(&self.path))?;
        let lock = self.lock()?;
        if !self.check(manifest, resume)? {
            self.begin(manifest)?;
        }
        Ok(lock)
    }

    /// Takes a new or empty folder for a merge, or one in which a merge was killed. Other processes are kept out while
    /// the lock exists. Until [`complete`](Folder::complete), a marker file shows that the contents can be overwritten.
    ///
    /// # Errors
    /// If the folder contains something else, or if another process is using it.
    pub(super) fn claim(&self) -> Result<Lock, TournamentError> {
        self.check_claim()?;
        fs::create_dir_all(&self.path).map_err(TournamentError::file(&self.path))?;
        let lock = self.lock()?;
        self.check_claim()?;
        let marker = self.file(MARKER);
        File::create(&marker).map_err(TournamentError::file(&marker))?;
        if lock.is_held {
            self.remove_made();
        }
        Ok(lock)
    }

    /// Checks that the folder can take a merge.
    fn check_claim(&self) -> Result<(), TournamentError> {
        match self.manifest()? {
            Some(_) => self.refuse(&format!("the folder has a {} already", self.kind.noun)),
            None if self.file(MARKER).exists() => {
                self.check_vacant(|name| name == MARKER || self.makes(name))
            }
            None => self.check_vacant(|_| false),
        }
    }

    /// Completes a merge: writes the manifest, after all other files.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn complete(&self, manifest: &Manifest) -> Result<(), TournamentError> {
        self.begin(manifest)?;
        // The marker has no meaning next to a manifest.
        let _ = fs::remove_file(self.file(MARKER));
        Ok(())
    }

    /// Whether the run of the manifest was started there.
    fn check(&self, manifest: &Manifest, resume: bool) -> Result<bool, TournamentError> {
        match self.manifest()? {
            None => self.check_vacant(|_| false).map(|()| false),
            Some(_) if !resume => {
                self.refuse(&format!("the folder has a {} already; --resume continues it", self.kind.noun))
            }
            Some(begun) => match begun.difference(manifest) {
                Some(difference) => self.refuse(&format!("started with another plan: {difference}")),
                None if begun.shard != manifest.shard => {
                    self.refuse(&format!("started as shard {}, not {}", begun.shard, manifest.shard))
                }
                None => Ok(true),
            },
        }
    }

    fn refuse<T>(&self, reason: &str) -> Result<T, TournamentError> {
        Err(TournamentError::folder(&self.path, reason))
    }

    /// Writes the manifest.
    fn begin(&self, manifest: &Manifest) -> Result<(), TournamentError> {
        let text = serde_json::to_string_pretty(manifest).expect("a plan is always JSON");
        self.write(self.kind.manifest, &(text + "\n"))
    }

    /// Keeps other processes out while the lock exists. Some network file systems have no locks; then no process is
    /// kept out, and [`Lock::is_held`] is false.
    ///
    /// # Errors
    /// If another process is using the folder.
    pub fn lock(&self) -> Result<Lock, TournamentError> {
        let path = self.file(LOCK);
        // Windows cannot lock a file that is open only for appending.
        let file = OpenOptions::new().read(true).append(true).create(true).open(&path);
        let file = file.map_err(TournamentError::file(&path))?;
        match file.try_lock() {
            Ok(()) => {
                self.sweep();
                Ok(Lock { _file: file, is_held: true })
            }
            Err(TryLockError::WouldBlock) => {
                Err(TournamentError::Busy { path: self.path.clone(), noun: self.kind.noun })
            }
            // Not swept: unfinished files may belong to another process.
            Err(TryLockError::Error(error)) if has_no_locks(&error) => {
                Ok(Lock { _file: file, is_held: false })
            }
            Err(TryLockError::Error(error)) => Err(TournamentError::file(path)(error)),
        }
    }

    /// Removes unfinished files of killed processes. While the lock is held, no other process writes there, and this
    /// one has no unfinished files yet.
    fn sweep(&self) {
        let Ok(entries) = fs::read_dir(&self.path) else { return };
        for entry in entries.flatten().filter(|entry| is_partial(&entry.file_name())) {
            // A failure is harmless: the file would only take space.
            let _ = fs::remove_file(entry.path());
        }
    }

    /// Checks that the folder is empty, apart from what a process that is killed at its start leaves behind, and from
    /// the files for which `is_remains` is true.
    fn check_vacant(&self, is_remains: impl Fn(&OsStr) -> bool) -> Result<(), TournamentError> {
        let is_ours = |name: &OsStr| name == LOCK || is_partial(name) || is_remains(name);
        let is_vacant = match fs::read_dir(&self.path) {
            Ok(mut entries) => entries.all(|entry| entry.is_ok_and(|entry| is_ours(&entry.file_name()))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => true,
            Err(error) => return Err(TournamentError::file(&self.path)(error)),
        };
        if is_vacant { Ok(()) } else { self.refuse("expected a new or empty folder") }
    }

    /// Removes everything that a merge leaves behind, and the folder if it is empty then.
    pub(super) fn clear(&self) {
        self.remove_made();
        for name in [self.kind.manifest, MARKER, LOCK] {
            let _ = fs::remove_file(self.file(name));
        }
        let _ = fs::remove_dir(&self.path);
    }

    /// Removes the files that a merge makes before the manifest.
    fn remove_made(&self) {
        for name in self.made() {
            let _ = fs::remove_file(self.file(name));
        }
    }

    /// The files that a run makes, except for the manifest.
    fn made(&self) -> impl Iterator<Item = &'static str> {
        self.kind.published.iter().copied().chain([self.kind.results, TIMES])
    }

    fn makes(&self, name: &OsStr) -> bool {
        self.made().any(|made| name == made)
    }

    /// Writes a file completely or not at all.
    ///
    /// # Errors
    /// If it cannot be written; an older file stays unchanged.
    pub(crate) fn write(
        &self,
        name: &str,
        content: &(impl AsRef<[u8]> + ?Sized),
    ) -> Result<(), TournamentError> {
        let mut file = self.create(name)?;
        file.write(content)?;
        file.finish()
    }

    /// Creates a file that gets its name when it is finished.
    ///
    /// # Errors
    /// If it cannot be created.
    pub(crate) fn create(&self, name: &str) -> Result<Unfinished, TournamentError> {
        let path = self.file(name);
        WholeFile::create(&path).map(Unfinished).map_err(TournamentError::file(&path))
    }
}

impl Write for Unfinished {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// An unfinished file of a folder. If it is dropped, nothing is left behind.
pub(crate) struct Unfinished(WholeFile);

impl Unfinished {
    /// Appends to the file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn write(&mut self, content: &(impl AsRef<[u8]> + ?Sized)) -> Result<(), TournamentError> {
        self.0.write_all(content.as_ref()).map_err(TournamentError::file(self.0.target()))
    }

    /// Completes the file and gives it its name.
    ///
    /// # Errors
    /// If the file cannot be written completely or renamed; an older file stays unchanged.
    pub(crate) fn finish(self) -> Result<(), TournamentError> {
        let path = self.0.target().to_owned();
        self.0.finish().map_err(TournamentError::file(&path))
    }
}

/// The lock file.
const LOCK: &str = ".lock";

/// The marker file of a merge that is running or was killed.
const MARKER: &str = ".merging";

/// The file with the time that each game took.
pub(super) const TIMES: &str = "times.csv";

/// True if a lock failed because the file system has none, such as NFS without its lock service and Lustre without
/// `flock`.
fn has_no_locks(error: &io::Error) -> bool {
    // Errors without an `ErrorKind`: ENOLCK and ENOSYS of Linux, ERROR_INVALID_FUNCTION of Windows, and ENOLCK and ENOSYS of
    // macOS and the BSDs.
    let others: &[i32] = if cfg!(any(target_os = "linux", target_os = "android")) {
        &[37, 38]
    } else if cfg!(windows) {
        &[1]
    } else {
        &[77, 78]
    };
    error.kind() == io::ErrorKind::Unsupported
        || error.raw_os_error().is_some_and(|code| others.contains(&code))
}

/// The lock that keeps other processes out of a folder.
pub struct Lock {
    _file: File,
    is_held: bool,
}

impl Lock {
    /// False if the file system has no locks, so that other processes are not kept out.
    pub fn is_held(&self) -> bool {
        self.is_held
    }
}
