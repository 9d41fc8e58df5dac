//! A folder of results that is there as a whole or not at all.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::atomic::Ordering,
};

use anyhow::{Context as _, ensure};

use super::interrupt;

/// A folder in the making beside the one that it is to be: whatever fails, no part of it is left.
pub(super) struct Fresh {
    path: PathBuf,
    target: PathBuf,
}

impl Fresh {
    /// Begins one; the target must be new or empty.
    ///
    /// # Errors
    ///
    /// If it is neither, or no folder can be made there.
    pub(super) fn begin(target: &Path) -> anyhow::Result<Fresh> {
        let is_taken = match fs::read_dir(target) {
            Ok(mut entries) => entries.next().is_some(),
            Err(_) => target.exists(),
        };
        ensure!(!is_taken, "{} exists and is not empty: give another folder", target.display());
        let name =
            target.file_name().with_context(|| format!("{}: no name of a folder", target.display()))?;
        let mut hidden = std::ffi::OsString::from(".");
        hidden.push(name);
        hidden.push(format!(".{}.partial", std::process::id()));
        let path = target.with_file_name(hidden);
        fs::create_dir_all(&path).with_context(|| format!("cannot make the folder {}", path.display()))?;
        Ok(Fresh { path, target: target.to_owned() })
    }

    /// Where it is for the time being.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Gives it its name, unless the run was interrupted.
    ///
    /// # Errors
    ///
    /// If it was, or the name cannot be given.
    pub(super) fn finish(self) -> anyhow::Result<()> {
        ensure!(!interrupt::flag().load(Ordering::Relaxed), "interrupted; nothing is written");
        // An empty folder of that name is in the way on some systems.
        let _ = fs::remove_dir(&self.target);
        fs::rename(&self.path, &self.target)
            .with_context(|| format!("cannot write {}", self.target.display()))
    }
}

impl Drop for Fresh {
    fn drop(&mut self) {
        // Nothing is there once it has its name.
        let _ = fs::remove_dir_all(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_is_not_finished_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("out");
        drop(Fresh::begin(&target).unwrap());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        fs::create_dir(&target).unwrap();
        let fresh = Fresh::begin(&target).unwrap();
        fs::write(fresh.path.join("a"), "").unwrap();
        fresh.finish().unwrap();
        assert!(target.join("a").exists());
        assert!(Fresh::begin(&target).is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
