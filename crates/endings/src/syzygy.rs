//! Syzygy tablebases, read by shakmaty-syzygy.

use std::{env, path::PathBuf};

use shakmaty::Chess;
use shakmaty_syzygy::{Tablebase, Wdl as SyzygyWdl};

use crate::{error::EndingsError, wdl::Wdl};

/// The folders of a list as UCI's option `SyzygyPath` has it: separated by `:`, on Windows by `;`. Empty names are left
/// out.
pub fn syzygy_folders(list: &str) -> Vec<PathBuf> {
    env::split_paths(list).filter(|folder| !folder.as_os_str().is_empty()).collect()
}

/// Opens the tables of some folders. None if there are no folders.
pub(crate) fn open(folders: &[PathBuf]) -> Result<Option<Tablebase<Chess>>, EndingsError> {
    if folders.is_empty() {
        return Ok(None);
    }
    let mut tables = Tablebase::new();
    for folder in folders {
        let added = tables.add_directory(folder);
        added.map_err(|reason| EndingsError::Io { path: folder.clone(), reason })?;
    }
    Ok(Some(tables))
}

/// The result without the fifty-move rule.
pub(crate) fn without_fifty_moves(wdl: SyzygyWdl) -> Wdl {
    match wdl {
        SyzygyWdl::Loss | SyzygyWdl::BlessedLoss => Wdl::Loss,
        SyzygyWdl::Draw => Wdl::Draw,
        SyzygyWdl::CursedWin | SyzygyWdl::Win => Wdl::Win,
    }
}
