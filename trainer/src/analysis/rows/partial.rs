//! A file that gets its name only when it is complete.

use std::{
    fs::{self, File},
    path::PathBuf,
};

use anyhow::Context;

/// The temporary name of a file in the folder where it is to be; what still has it is removed in the end.
#[derive(Debug)]
pub(super) struct Partial {
    temporary: PathBuf,
    target: PathBuf,
    renamed: bool,
}

impl Partial {
    /// Begins a file that will be named `target`; a file of that name stays as it is until [`Partial::rename`].
    ///
    /// # Errors
    ///
    /// If it cannot be created.
    pub(super) fn create(target: PathBuf) -> anyhow::Result<(Partial, File)> {
        let temporary = super::with_added(&target, ".partial");
        let file =
            File::create(&temporary).with_context(|| format!("cannot create {}", temporary.display()))?;
        Ok((Partial { temporary, target, renamed: false }, file))
    }

    /// The beginning of what is said when the file cannot be written.
    pub(super) fn cannot_write(&self) -> String {
        format!("cannot write {}", self.target.display())
    }

    /// Gives the file its name. It must be closed by now.
    ///
    /// # Errors
    ///
    /// If it cannot be renamed.
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
