//! A folder of results that appears complete or not at all.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::atomic::Ordering,
};

use anyhow::{Context as _, ensure};
use entente_cli::whole_file::WholeFolder;

use super::interrupt;

/// A folder that is being filled. Dropping it removes it, so that a failed run leaves nothing.
pub(super) struct Fresh {
    folder: WholeFolder,
    target: PathBuf,
}

impl Fresh {
    /// Creates the temporary folder. The target must not exist or must be empty.
    ///
    /// # Errors
    ///
    /// If the target exists and is not empty, or the temporary folder cannot be created.
    pub(super) fn begin(target: &Path) -> anyhow::Result<Fresh> {
        let is_taken = match fs::read_dir(target) {
            Ok(mut entries) => entries.next().is_some(),
            Err(_) => target.exists(),
        };
        ensure!(!is_taken, "{} exists and is not empty: give another folder", target.display());
        let folder = WholeFolder::create(target)
            .with_context(|| format!("cannot make the folder {}", target.display()))?;
        Ok(Fresh { folder, target: target.to_owned() })
    }

    /// The temporary folder.
    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Renames the folder to its target, unless the run was interrupted.
    ///
    /// # Errors
    ///
    /// If the run was interrupted, or the folder cannot be renamed.
    pub(super) fn finish(self) -> anyhow::Result<()> {
        ensure!(!interrupt::flag().load(Ordering::Relaxed), "interrupted; nothing was written");
        self.folder.finish().with_context(|| format!("cannot write {}", self.target.display()))
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
        fs::write(fresh.path().join("a"), "").unwrap();
        fresh.finish().unwrap();
        assert!(target.join("a").exists());
        assert!(Fresh::begin(&target).is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
