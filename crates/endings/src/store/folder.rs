//! The folder in which tables are kept.

use std::{
    env, fs, io,
    io::Write,
    num::NonZero,
    path::{Path, PathBuf},
    process,
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use super::file::{check, decode, encode};
use crate::{error::EndingsError, layout::Layout, material::Material, table::Table};

const ENDING: &str = "ending";
/// No process takes as long to write a file.
const ABANDONED: Duration = Duration::from_secs(24 * 60 * 60);

/// A folder of tables, one file for each ending.
///
/// A file appears under its name only when it is complete. So several processes may make the same table at once; each
/// replaces the file of the other with an equal one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Store {
    folder: PathBuf,
}

/// A file of a [`Store`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredTable {
    /// The ending that its name promises.
    pub material: Material,
    /// Its length in bytes.
    pub bytes: u64,
}

impl Store {
    /// The tables in a folder, which is created when the first table is written.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    /// The folder `entente/endings` in the user's cache: in `XDG_CACHE_HOME`, or else in `~/.cache`; on macOS in
    /// `~/Library/Caches`; on Windows in `%LOCALAPPDATA%`. None if the environment has no absolute path for it.
    pub fn of_user() -> Option<Self> {
        let folder =
            |variable: &str| env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
        let cache = if cfg!(windows) {
            folder("LOCALAPPDATA")
        } else if cfg!(target_os = "macos") {
            folder("HOME").map(|home| home.join("Library/Caches"))
        } else {
            folder("XDG_CACHE_HOME").or_else(|| folder("HOME").map(|home| home.join(".cache")))
        };
        cache.map(|cache| Self::new(cache.join("entente").join("endings")))
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The file in which the table of an ending is kept.
    pub fn path(&self, material: Material) -> PathBuf {
        self.folder.join(format!("{material}.{ENDING}"))
    }

    /// The tables in the folder by their names, which says nothing about whether they are whole; none if there is no
    /// folder.
    ///
    /// # Errors
    ///
    /// [`EndingsError::Io`] if the folder cannot be read.
    pub fn tables(&self) -> Result<Vec<StoredTable>, EndingsError> {
        let entries = match fs::read_dir(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(|reason| EndingsError::Io { path: self.folder.clone(), reason })?,
        };
        let mut tables = Vec::new();
        for entry in entries {
            let path = entry.map_err(|reason| EndingsError::Io { path: self.folder.clone(), reason })?.path();
            let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
            let Ok(material) = stem.parse::<Material>() else { continue };
            if path == self.path(material) {
                let bytes = fs::metadata(&path).map_err(|reason| EndingsError::Io { path, reason })?.len();
                tables.push(StoredTable { material, bytes });
            }
        }
        tables.sort_unstable_by_key(|table| (table.material.men(), table.material.to_string()));
        Ok(tables)
    }

    fn bytes(&self, material: Material) -> Result<Option<Vec<u8>>, EndingsError> {
        let path = self.path(material);
        match fs::read(&path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(reason) => Err(EndingsError::Io { path, reason }),
        }
    }

    /// Whether there is a table of an ending, after reading the whole file and comparing its checksum.
    ///
    /// # Errors
    ///
    /// [`EndingsError::Damaged`] if the file is something else or is damaged, [`EndingsError::Io`] if it cannot be
    /// read.
    pub fn check(&self, material: Material) -> Result<bool, EndingsError> {
        let Some(bytes) = self.bytes(material)? else { return Ok(false) };
        let checked = check(&Layout::new(material), &bytes);
        checked.map_err(|reason| EndingsError::Damaged { path: self.path(material), reason })?;
        Ok(true)
    }

    /// Reads a table with those sides to move that are wanted; none if there is no file. Errors are those of
    /// [`Self::check`].
    pub(crate) fn read(
        &self,
        material: Material,
        turns: [bool; 2],
        threads: NonZero<usize>,
    ) -> Result<Option<Table>, EndingsError> {
        let Some(bytes) = self.bytes(material)? else { return Ok(None) };
        let table = decode(material, &bytes, turns, threads);
        table.map(Some).map_err(|reason| EndingsError::Damaged { path: self.path(material), reason })
    }

    /// Writes a table under another name, and then gives it its own.
    pub(crate) fn write(&self, table: &Table, threads: NonZero<usize>) -> Result<(), EndingsError> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let material = table.layout.material;
        let path = self.path(material);
        let failed = |path: &Path| {
            let path = path.to_path_buf();
            move |reason| EndingsError::Io { path, reason }
        };
        let bytes = encode(table, threads).map_err(failed(&path))?;
        fs::create_dir_all(&self.folder).map_err(failed(&self.folder))?;
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let part = self.folder.join(format!(".{material}.{}-{number}.part", process::id()));
        let write = || {
            let mut file = fs::File::create(&part)?;
            file.write_all(&bytes)?;
            file.sync_all()
        };
        // Windows may refuse to replace a file that another process has open. An equal one is as good.
        let replace = || match fs::rename(&part, &path) {
            Err(_) if fs::read(&path).is_ok_and(|present| present == bytes) => fs::remove_file(&part),
            renamed => renamed,
        };
        let written = write().map_err(failed(&part)).and_then(|()| replace().map_err(failed(&path)));
        if written.is_err() {
            // What is left of a failed attempt is of no use, and the error to report is the first one.
            let _ = fs::remove_file(&part);
        }
        if written.is_ok() {
            self.remove_abandoned();
        }
        written
    }

    /// Removes unfinished files that a process left behind when it was killed.
    fn remove_abandoned(&self) {
        let Ok(entries) = fs::read_dir(&self.folder) else { return };
        for path in entries.flatten().map(|entry| entry.path()) {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let is_part = name.starts_with('.') && name.ends_with(".part");
            let modified = fs::metadata(&path).and_then(|metadata| metadata.modified());
            if is_part && modified.is_ok_and(|time| time.elapsed().is_ok_and(|age| age > ABANDONED)) {
                // Another process may have removed it; either way it only takes space.
                let _ = fs::remove_file(path);
            }
        }
    }
}
