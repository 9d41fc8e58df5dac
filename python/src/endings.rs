//! Tables of endings, by which judged conditions are exact.

use entente_endings::EndingsError;
use pyo3::prelude::*;

use crate::{errors, settings::path};

/// The folders of the argument `tables`: a path, or several joined as in `PATH`.
///
/// # Errors
/// `TypeError` if it is neither a text nor a path.
pub(crate) fn folders(tables: Option<&Bound<'_, PyAny>>) -> PyResult<Option<String>> {
    tables.map(path).transpose()
}

/// The exception for tables that cannot be read.
pub(crate) fn exception(py: Python<'_>, error: &EndingsError) -> PyErr {
    errors::exception(py, "SettingError", (format!("tables: {error}"), Some("tables")))
}
