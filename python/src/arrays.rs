//! Numbers for numpy, which takes them without a copy and without this crate's being linked to it.

use pyo3::{prelude::*, types::PyDict};

/// A matrix of 32-bit numbers, row by row.
#[pyclass(frozen)]
struct Floats {
    numbers: Vec<f32>,
    rows: usize,
    columns: usize,
}

#[pymethods]
impl Floats {
    /// The protocol by which numpy reads the memory of others (version 3 of the array interface).
    #[getter(__array_interface__)]
    fn array_interface<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let interface = PyDict::new(py);
        interface.set_item("version", 3)?;
        interface.set_item("shape", (self.rows, self.columns))?;
        interface.set_item("typestr", if cfg!(target_endian = "little") { "<f4" } else { ">f4" })?;
        // True: read-only. numpy keeps this object as long as the array lives.
        interface.set_item("data", (self.numbers.as_ptr() as usize, true))?;
        Ok(interface)
    }
}

/// The numbers as an array of numpy with `columns` columns, which is read-only.
///
/// # Errors
/// `ImportError` if numpy is not installed.
pub(crate) fn matrix<'py>(py: Python<'py>, numbers: Vec<f32>, columns: usize) -> PyResult<Bound<'py, PyAny>> {
    let rows = numbers.len().checked_div(columns).unwrap_or(0);
    let floats = Bound::new(py, Floats { numbers, rows, columns })?;
    py.import("numpy")?.call_method1("asarray", (floats,))
}
