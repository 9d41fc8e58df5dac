//! Tables of endings, by which judged conditions are exact.

use std::{num::NonZero, sync::atomic::AtomicBool, thread};

use entente_endings::{Endings, EndingsError, Material, Store, syzygy_folders};
use pyo3::prelude::*;

use crate::{errors, settings::path};

/// The folders of the argument `tables`: a path, or several joined as in `PATH`.
///
/// # Errors
/// `TypeError` if it is neither a text nor a path.
pub(crate) fn folders(tables: Option<&Bound<'_, PyAny>>) -> PyResult<Option<String>> {
    tables.map(path).transpose()
}

/// The tables, with those of the `wanted` endings, which are made if they are missing. Those that cannot be made are
/// left out, and a search decides instead.
///
/// # Errors
/// If a folder of Syzygy's cannot be read.
pub(crate) fn open(
    folders: Option<&str>,
    wanted: &[Material],
    stop: &AtomicBool,
) -> Result<Endings, EndingsError> {
    let folders = folders.map(syzygy_folders).unwrap_or_default();
    let endings = Endings::new(&folders, Store::of_user())?;
    let threads = thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
    for material in wanted {
        if let Err(error) = endings.prepare(*material, threads, &|_| (), stop) {
            log::warn!("without an exact table of {material}: {error}");
        }
    }
    Ok(endings)
}

/// The exception for tables that cannot be read.
pub(crate) fn exception(py: Python<'_>, error: &EndingsError) -> PyErr {
    errors::exception(py, "SettingError", (format!("tables: {error}"), Some("tables")))
}
