//! A file that gets its final name only when it is complete.

use std::{
    fs::{self, File},
    path::PathBuf,
};

use anyhow::Context;

/// A file with a temporary name in its final folder. If it is dropped before it is renamed, it is removed.
#[derive(Debug)]
pub(super) struct Partial {
    temporary: PathBuf,
    target: PathBuf,
    renamed: bool,
}

impl Partial {
    /// Creates a file that will be named `target`. An existing file of that name is unchanged until
    /// [`Partial::rename`].
    ///
    /// # Errors
    ///
    /// If the file cannot be created.
    pub(super) fn create(target: PathBuf) -> anyhow::Result<(Partial, File)> {
        let temporary = super::with_added(&target, ".partial");
        let file =
            File::create(&temporary).with_context(|| format!("cannot create {}", temporary.display()))?;
        Ok((Partial { temporary, target, renamed: false }, file))
    }

    /// The beginning of the message if the file cannot be written.
    pub(super) fn cannot_write(&self) -> String {
        format!("cannot write {}", self.target.display())
    }

    /// Renames the file to its final name. It must be closed.
    ///
    /// # Errors
    ///
    /// If the file cannot be renamed.
    pub(super) fn rename(mut self) -> anyhow::Result<()> {
        fs::rename(&self.temporary, &self.target).with_context(|| self.cannot_write())?;
        self.renamed = true;
        Ok(())
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        if !self.renamed
            && let Err(error) = fs::remove_file(&self.temporary)
        {
            log::warn!("cannot remove {}: {error}", self.temporary.display());
        }
    }
}
