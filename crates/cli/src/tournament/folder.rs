use std::{
    ffi::OsStr,
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use tempfile::NamedTempFile;

use super::{Kind, Manifest, TournamentError, text_file::read_text};

/// A folder of games: a tournament's, or another [`Kind`]'s.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
    kind: &'static Kind,
}

impl Folder {
    /// The largest manifest that is read, in bytes.
    const MANIFEST_BYTES: u64 = 64 << 20;

    /// The folder of a tournament at `path`, which need not exist.
    pub fn new(path: &Path) -> Folder {
        Folder::of(path, &Kind::TOURNAMENT)
    }

    /// The folder at `path`, which need not exist, for games of that kind.
    pub fn of(path: &Path, kind: &'static Kind) -> Folder {
        Folder { path: path.to_owned(), kind }
    }

    /// What is to be in it.
    pub fn kind(&self) -> &'static Kind {
        self.kind
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A file in it.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// What it is for; `None` if nothing of its kind was begun there.
    ///
    /// # Errors
    /// If that cannot be read.
    pub fn manifest(&self) -> Result<Option<Manifest>, TournamentError> {
        let path = self.file(self.kind.manifest);
        let text = match read_text(&path, Folder::MANIFEST_BYTES) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(TournamentError::File { path, error }),
        };
        let broken = |reason: String| {
            let noun = self.kind.noun;
            TournamentError::folder(&path, format!("expected the description of a {noun}: {reason}"))
        };
        let manifest: Manifest = serde_json::from_str(&text).map_err(|error| broken(error.to_string()))?;
        manifest.check().map_err(broken)?;
        Ok(Some(manifest))
    }

    /// Begins there, or goes on with it if `resume` is set, and keeps other processes away as long as the
    /// lock lives.
    ///
    /// # Errors
    /// If something else is there, what is not to be gone on with, or a process that works on it.
    pub fn enter(&self, manifest: &Manifest, resume: bool) -> Result<Lock, TournamentError> {
        // Looked at before anything is made there, and again once nobody else can make anything.
        self.check(manifest, resume)?;
        fs::create_dir_all(&self.path).map_err(TournamentError::file(&self.path))?;
        let lock = self.lock()?;
        if !self.check(manifest, resume)? {
            self.begin(manifest)?;
        }
        Ok(lock)
    }

    /// Takes a new or empty folder to join a whole there, or one in which that was tried by a process that was killed, and
    /// keeps other processes away as long as the lock lives. Until [`complete`](Folder::complete) a marker tells that what
    /// is there can be made again.
    ///
    /// # Errors
    /// If something else is there, or a process works on it.
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

    /// That a whole can be joined there.
    fn check_claim(&self) -> Result<(), TournamentError> {
        match self.manifest()? {
            Some(_) => self.refuse(&format!("a {} was begun there", self.kind.noun)),
            None if self.file(MARKER).exists() => {
                self.check_vacant(|name| name == MARKER || self.makes(name))
            }
            None => self.check_vacant(|_| false),
        }
    }

    /// Says what the folder, in which a whole was joined, is for: the last that is written there.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn complete(&self, manifest: &Manifest) -> Result<(), TournamentError> {
        self.begin(manifest)?;
        // With the manifest there it means nothing.
        let _ = fs::remove_file(self.file(MARKER));
        Ok(())
    }

    /// Whether that was begun there.
    fn check(&self, manifest: &Manifest, resume: bool) -> Result<bool, TournamentError> {
        match self.manifest()? {
            None => self.check_vacant(|_| false).map(|()| false),
            Some(_) if !resume => {
                self.refuse(&format!("a {} was begun there; --resume goes on with it", self.kind.noun))
            }
            Some(begun) => match begun.difference(manifest) {
                Some(difference) => self.refuse(&format!("begun with another plan: {difference}")),
                None if begun.shard != manifest.shard => {
                    self.refuse(&format!("begun as shard {}, not {}", begun.shard, manifest.shard))
                }
                None => Ok(true),
            },
        }
    }

    fn refuse<T>(&self, reason: &str) -> Result<T, TournamentError> {
        Err(TournamentError::folder(&self.path, reason))
    }

    /// Says what the folder is for.
    fn begin(&self, manifest: &Manifest) -> Result<(), TournamentError> {
        let text = serde_json::to_string_pretty(manifest).expect("a plan is always JSON");
        self.write(self.kind.manifest, &(text + "\n"))
    }

    /// Keeps other processes from playing there as long as the lock lives. Where the file system has no locks, as some that
    /// are shared over a network, nobody is kept away, and [`Lock::is_held`] says so.
    ///
    /// # Errors
    /// If one does already.
    pub fn lock(&self) -> Result<Lock, TournamentError> {
        let path = self.file(LOCK);
        // Windows locks nothing that is open for appending alone.
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
            // What is left there may be another's, and stays.
            Err(TryLockError::Error(error)) if has_no_locks(&error) => {
                Ok(Lock { _file: file, is_held: false })
            }
            Err(TryLockError::Error(error)) => Err(TournamentError::file(path)(error)),
        }
    }

    /// Removes unfinished files of a process that was killed: whoever holds the lock has none yet, and nobody else
    /// writes there.
    fn sweep(&self) {
        let Ok(entries) = fs::read_dir(&self.path) else { return };
        for entry in entries.flatten().filter(|entry| is_unfinished(&entry.file_name())) {
            // Left there, it would only be in the way.
            let _ = fs::remove_file(entry.path());
        }
    }

    /// That nothing is there, but for what a process leaves that is killed before it begins, and what `is_remains` names.
    fn check_vacant(&self, is_remains: impl Fn(&OsStr) -> bool) -> Result<(), TournamentError> {
        let is_ours = |name: &OsStr| name == LOCK || is_unfinished(name) || is_remains(name);
        let is_vacant = match fs::read_dir(&self.path) {
            Ok(mut entries) => entries.all(|entry| entry.is_ok_and(|entry| is_ours(&entry.file_name()))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => true,
            Err(error) => return Err(TournamentError::file(&self.path)(error)),
        };
        if is_vacant { Ok(()) } else { self.refuse("expected a new or empty folder") }
    }

    /// Removes all that joining a whole leaves there, and the folder unless there is more.
    pub(super) fn clear(&self) {
        self.remove_made();
        for name in [self.kind.manifest, MARKER, LOCK] {
            let _ = fs::remove_file(self.file(name));
        }
        let _ = fs::remove_dir(&self.path);
    }

    /// Removes what is made while a whole is joined.
    fn remove_made(&self) {
        for name in self.made() {
            let _ = fs::remove_file(self.file(name));
        }
    }

    /// What a run makes there, beside the manifest.
    fn made(&self) -> impl Iterator<Item = &'static str> {
        self.kind.published.iter().copied().chain([self.kind.results, TIMES])
    }

    fn makes(&self, name: &OsStr) -> bool {
        self.made().any(|made| name == made)
    }

    /// Writes a file of that name, whole or not at all.
    ///
    /// # Errors
    /// If it cannot be written; a file that was there stays.
    pub(crate) fn write(
        &self,
        name: &str,
        content: &(impl AsRef<[u8]> + ?Sized),
    ) -> Result<(), TournamentError> {
        let mut file = self.create(name)?;
        file.write(content)?;
        file.finish()
    }

    /// Begins a file that gets its name when it is finished.
    ///
    /// # Errors
    /// If it cannot be created.
    pub(crate) fn create(&self, name: &str) -> Result<Unfinished, TournamentError> {
        let mut builder = tempfile::Builder::new();
        // As other new files: whoever may read the folder may read it.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let file = builder.prefix(UNFINISHED.0).suffix(UNFINISHED.1).tempfile_in(&self.path);
        let path = self.file(name);
        let file = file.map_err(TournamentError::file(&path))?;
        Ok(Unfinished { writer: BufWriter::new(file), path })
    }
}

impl Write for Unfinished {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// How names of files in the making begin and end.
const UNFINISHED: (&str, &str) = (".entente-", ".partial");

/// A file in the making; dropped, nothing of it remains.
pub(crate) struct Unfinished {
    writer: BufWriter<NamedTempFile>,
    path: PathBuf,
}

impl Unfinished {
    /// Writes on.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn write(&mut self, content: &(impl AsRef<[u8]> + ?Sized)) -> Result<(), TournamentError> {
        self.writer.write_all(content.as_ref()).map_err(TournamentError::file(&self.path))
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// If it cannot be written to its end or renamed; a file that was there stays.
    pub(crate) fn finish(self) -> Result<(), TournamentError> {
        let Unfinished { writer, path } = self;
        let named = || -> io::Result<()> {
            let file = writer.into_inner()?;
            file.as_file().sync_all()?;
            file.persist(&path)?;
            Ok(())
        };
        named().map_err(TournamentError::file(&path))
    }
}

/// The file that says so.
const LOCK: &str = ".lock";

/// The file that says that a whole is being joined, or was until the process was killed.
const MARKER: &str = ".merging";

/// The file that says how long each game took.
pub(super) const TIMES: &str = "times.csv";

/// True for the name of a file in the making.
fn is_unfinished(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    name.starts_with(UNFINISHED.0) && name.ends_with(UNFINISHED.1)
}

/// True if a lock failed because there are none: NFS without its lock service says so, and Lustre without `flock`.
fn has_no_locks(error: &io::Error) -> bool {
    // ENOLCK and ENOSYS, for which there is no word.
    #[cfg(target_os = "linux")]
    let is_other = matches!(error.raw_os_error(), Some(37 | 38));
    #[cfg(not(target_os = "linux"))]
    let is_other = false;
    error.kind() == io::ErrorKind::Unsupported || is_other
}

/// Says that this process works in a folder.
pub struct Lock {
    _file: File,
    is_held: bool,
}

impl Lock {
    /// False if the file system has no locks: then nobody else is kept away.
    pub fn is_held(&self) -> bool {
        self.is_held
    }
}
