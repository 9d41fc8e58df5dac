use std::path::{Path, PathBuf};

use super::{DATASET, Selection, publish, run::Rounds};
use crate::tournament::{Folder, Journal, Parts, TournamentError};

/// The result of a merge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Merged {
    /// The data set is complete, or no more positions can be found.
    Whole(Selection),
    /// This many further candidates are needed, because positions were not found or are duplicates.
    Short(u64),
}

/// Merges the shards of a data set, which are in the folders `parts`, into a new folder. Nothing is created unless they
/// fit together. If no further candidates are needed, the positions are written; otherwise a resumed run in the folder
/// generates the rest.
///
/// # Errors
/// [`TournamentError::Folder`] if a shard is missing, unfinished, damaged, given twice, or of another data set;
/// [`TournamentError::File`] if a file cannot be read or written.
pub fn merge(parts: &[PathBuf], output: &Path) -> Result<Merged, TournamentError> {
    let folder = Folder::of(output, &DATASET);
    let parts = Parts::open(parts, &folder)?;
    parts.join(|joining| {
        let mut journal = Journal::of_joined(&folder, &parts.whole);
        joining.run(|joined| {
            journal.join(&joined);
            Ok(())
        })?;
        Ok(match Rounds::new(parts.whole.schedule()).settle(&journal)? {
            Ok(selection) => {
                publish(&folder, &parts.whole, &journal, &selection)?;
                Merged::Whole(selection)
            }
            Err(missing) => Merged::Short(missing),
        })
    })
}
