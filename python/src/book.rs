//! `entente.book`

use entente::generation::book_constraint;
use pyo3::{exceptions::PyValueError, prelude::*, types::PyDict};

use crate::{
    constraint, endings, errors,
    generate::{Wanted, positive, root_of},
    run::Run,
    settings,
};

/// The longest line, in plies.
const MAX_PLIES: i64 = 1000;

/// Begins to generate an opening book. `entente/_generate.py` documents it.
#[pyfunction]
#[pyo3(signature = (lines = 100, *, constraint = None, plies = None, window = None, start = None, tables = None, **settings))]
#[expect(clippy::too_many_arguments, reason = "they are Python's keyword arguments")]
pub(crate) fn book(
    py: Python<'_>,
    lines: i64,
    constraint: Option<&Bound<'_, PyAny>>,
    plies: Option<i64>,
    window: Option<(i32, i32)>,
    start: Option<u32>,
    tables: Option<&Bound<'_, PyAny>>,
    settings: Option<&Bound<'_, PyDict>>,
) -> PyResult<Run> {
    let given = constraint.map(constraint::read).transpose()?;
    if let Some(plies) = plies.filter(|plies| !(1..=MAX_PLIES).contains(plies)) {
        return Err(PyValueError::new_err(format!("plies: expected 1 to {MAX_PLIES}, found {plies}")));
    }
    if let Some((least, most)) = window.filter(|(least, most)| least > most) {
        return Err(PyValueError::new_err(format!(
            "eval: expected centipawns from low to high, such as (-50, 50), found ({least}, {most})"
        )));
    }
    let window = window.map(|(least, most)| format!("{least}..{most}"));
    let settings = settings::generation("book", settings)?;
    let constraint = book_constraint(given.as_ref(), plies.map(|plies| plies as u16), window.as_deref())
        .map_err(|error| errors::parse(py, &error))?;
    Wanted {
        target: constraint::target(py, constraint)?,
        count: positive("lines", lines)?,
        first: 0,
        is_distinct: true,
        root: root_of(None, start)?,
        tables: endings::folders(tables)?,
        settings,
    }
    .begin(py)
}
