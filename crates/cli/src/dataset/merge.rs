use std::path::{Path, PathBuf};

use super::{DATASET, Selection, publish, run::Rounds};
use crate::tournament::{Folder, Journal, Parts, TournamentError};

/// What joining shards came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Merged {
    /// The data set is complete, or no more positions are found.
    Whole(Selection),
    /// So many positions of the shards were not found, or are equal to others; further candidates are to be generated.
    Short(u64),
}

/// Joins the shards of a data set, each generated in one of `parts`, into a new folder. Nothing is created unless they
/// fit together. The positions are written if they are all there; otherwise a run that is resumed in the folder
/// generates the rest.
///
/// # Errors
/// [`TournamentError::Folder`] if a part is missing, not finished, damaged, there twice, or of another data set;
/// [`TournamentError::File`] if something cannot be read or written.
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
