//! The program `entente`, all its commands, from the same library.

use std::ffi::OsString;

use pyo3::prelude::*;

#[doc = doc!("main")]
#[pyfunction]
pub(crate) fn main(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| entente_cli::cli::run(arguments))
}
