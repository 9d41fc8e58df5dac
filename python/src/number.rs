//! Whole numbers as arguments: the error for a wrong one names the argument and its bounds.

use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::PyBool,
};

use crate::errors;

/// A whole number of any size, which has not been checked.
pub(crate) struct Number {
    /// The number, or the nearest one that fits.
    value: i128,
    text: String,
}

impl<'a, 'py> FromPyObject<'a, 'py> for Number {
    type Error = PyErr;

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Number> {
        let wrong = || PyTypeError::new_err(format!("expected an int, found {}", errors::type_name(&given)));
        if given.is_instance_of::<PyBool>() {
            return Err(wrong());
        }
        let number = given.call_method0("__index__").map_err(|_| wrong())?;
        let value = match number.extract() {
            Ok(value) => value,
            Err(_) if number.lt(0)? => i128::MIN,
            Err(_) => i128::MAX,
        };
        Ok(Number { value, text: number.str()?.to_string() })
    }
}

impl Number {
    /// The number, if it is between these bounds.
    ///
    /// # Errors
    /// `ValueError`, which names the argument.
    pub(crate) fn within(&self, name: &str, least: u64, most: u64) -> PyResult<u64> {
        let number = u64::try_from(self.value).ok().filter(|number| (least..=most).contains(number));
        number.ok_or_else(|| {
            let bounds = match most {
                u64::MAX => format!("{least} or more"),
                _ => format!("{least} to {most}"),
            };
            PyValueError::new_err(format!("{name}: expected {bounds}, found {}", self.text))
        })
    }

    /// The same for a number that fits into 32 bits.
    ///
    /// # Errors
    /// As [`Number::within`].
    pub(crate) fn within_32(&self, name: &str, least: u32, most: u32) -> PyResult<u32> {
        Ok(self.within(name, least.into(), most.into())? as u32)
    }

    /// The same for a number of at least 1.
    ///
    /// # Errors
    /// As [`Number::within`].
    pub(crate) fn positive(&self, name: &str) -> PyResult<u64> {
        self.within(name, 1, u64::MAX)
    }
}
