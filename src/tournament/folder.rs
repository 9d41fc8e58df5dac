use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;

use super::{Plan, Schedule, Shard, TournamentError};

/// What a tournament's folder is for: enough to go on with it, to join it with others, and to make its tables.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of the program, on which games depend.
    pub version: String,
    /// The part that is played there.
    pub shard: Shard,
    /// The whole plan.
    pub plan: Plan,
}

impl Manifest {
    /// For `plan`, or a part of it, by this version of the program.
    pub fn new(plan: Plan, shard: Shard) -> Manifest {
        Manifest { version: env!("CARGO_PKG_VERSION").to_owned(), shard, plan }
    }

    /// Its games.
    pub fn schedule(&self) -> Schedule {
        Schedule::new(&self.plan, self.shard)
    }

    /// What sets it apart from `other`, whatever their shards.
    pub(super) fn difference(&self, other: &Manifest) -> Option<String> {
        if self.version != other.version {
            return Some(format!("version of the program: {} and {}", self.version, other.version));
        }
        self.plan.difference(&other.plan)
    }
}

/// A tournament's folder.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    const MANIFEST: &str = "tournament.json";
    /// The largest manifest that is read, in bytes.
    const MANIFEST_BYTES: u64 = 64 << 20;

    /// The folder at `path`, which need not exist.
    pub fn new(path: &Path) -> Folder {
        Folder { path: path.to_owned() }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A file in it.
    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// What it is for; `None` if no tournament was begun there.
    ///
    /// # Errors
    /// If that cannot be read.
    pub fn manifest(&self) -> Result<Option<Manifest>, TournamentError> {
        let path = self.file(Folder::MANIFEST);
        match fs::metadata(&path) {
            Ok(metadata) if metadata.len() > Folder::MANIFEST_BYTES => {
                return Err(TournamentError::folder(path, "too large to describe a tournament"));
            }
            _ => {}
        }
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(TournamentError::File { path, error }),
        };
        let broken = |reason: String| {
            TournamentError::folder(&path, format!("expected the description of a tournament: {reason}"))
        };
        let manifest: Manifest = serde_json::from_str(&text).map_err(|error| broken(error.to_string()))?;
        let Shard { number, of } = manifest.shard;
        let games = manifest.plan.pairings().checked_mul(manifest.plan.games);
        if !(1..=of).contains(&number) || of > Shard::MOST {
            return Err(broken(format!("shard {}", manifest.shard)));
        }
        if !games.is_some_and(|games| (1..=Plan::MOST_GAMES).contains(&games)) {
            return Err(broken("the number of games".to_owned()));
        }
        Ok(Some(manifest))
    }

    /// Begins a tournament there.
    ///
    /// # Errors
    /// If something else is there, or it cannot be written.
    pub fn begin(&self, manifest: &Manifest) -> Result<(), TournamentError> {
        self.check_vacant()?;
        fs::create_dir_all(&self.path).map_err(TournamentError::file(&self.path))?;
        let text = serde_json::to_string_pretty(manifest).expect("a plan is always JSON");
        self.write(Folder::MANIFEST, &(text + "\n"))
    }

    /// Begins a tournament there, or goes on with it if `resume` is set.
    ///
    /// # Errors
    /// If something else is there, or a tournament that is not to be gone on with.
    pub fn enter(&self, manifest: &Manifest, resume: bool) -> Result<(), TournamentError> {
        let wrong = |reason: String| Err(TournamentError::folder(&self.path, reason));
        match self.manifest()? {
            None => self.begin(manifest),
            Some(_) if !resume => wrong("a tournament was begun there; --resume goes on with it".to_owned()),
            Some(begun) => match begun.difference(manifest) {
                Some(difference) => wrong(format!("begun with another plan: {difference}")),
                None if begun.shard != manifest.shard => {
                    wrong(format!("begun as shard {}, not {}", begun.shard, manifest.shard))
                }
                None => Ok(()),
            },
        }
    }

    /// Keeps other processes from playing there as long as the lock lives.
    ///
    /// # Errors
    /// If one does already.
    pub fn lock(&self) -> Result<Lock, TournamentError> {
        let path = self.file(".lock");
        let file =
            OpenOptions::new().append(true).create(true).open(&path).map_err(TournamentError::file(&path))?;
        match file.try_lock() {
            Ok(()) => {
                self.sweep();
                Ok(Lock { _file: file })
            }
            Err(TryLockError::WouldBlock) => {
                Err(TournamentError::folder(&self.path, "another process plays this tournament"))
            }
            Err(TryLockError::Error(error)) => Err(TournamentError::file(path)(error)),
        }
    }

    /// Removes unfinished files of a process that was killed: whoever holds the lock has none yet.
    fn sweep(&self) {
        let Ok(entries) = fs::read_dir(&self.path) else { return };
        for entry in entries.flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if name.starts_with(UNFINISHED.0) && name.ends_with(UNFINISHED.1) {
                // Left there, it would only be in the way.
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    /// That nothing is there yet.
    ///
    /// # Errors
    /// If there is.
    pub(super) fn check_vacant(&self) -> Result<(), TournamentError> {
        let is_vacant = match fs::read_dir(&self.path) {
            Ok(mut entries) => entries.next().is_none(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => true,
            Err(error) => return Err(TournamentError::file(&self.path)(error)),
        };
        if is_vacant {
            Ok(())
        } else {
            Err(TournamentError::folder(&self.path, "expected a new or empty folder"))
        }
    }

    /// Writes a file of that name, whole or not at all.
    ///
    /// # Errors
    /// If it cannot be written; a file that was there stays.
    pub(super) fn write(
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
    pub(super) fn create(&self, name: &str) -> Result<Unfinished, TournamentError> {
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

/// How names of files in the making begin and end.
const UNFINISHED: (&str, &str) = (".entente-", ".partial");

/// A file in the making; dropped, nothing of it remains.
pub(super) struct Unfinished {
    writer: BufWriter<NamedTempFile>,
    path: PathBuf,
}

impl Unfinished {
    /// Writes on.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&mut self, content: &(impl AsRef<[u8]> + ?Sized)) -> Result<(), TournamentError> {
        self.writer.write_all(content.as_ref()).map_err(TournamentError::file(&self.path))
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// If it cannot be written to its end or renamed; a file that was there stays.
    pub fn finish(self) -> Result<(), TournamentError> {
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

/// Says that this process plays in a folder.
pub struct Lock {
    _file: File,
}
