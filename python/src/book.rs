//! `entente.book`

use entente::generation::book_constraint;
use pyo3::{exceptions::PyValueError, prelude::*, types::PyDict};

use crate::{
    constraint, endings, errors,
    generate::{Wanted, root_of},
    number::Number,
    run::Run,
    settings,
};

/// The longest line, in plies.
const MAX_PLIES: u32 = 1000;

/// Begins to generate an opening book. `entente/_generate.py` documents it.
#[pyfunction]
#[pyo3(signature = (lines, *, constraint, plies, window, start, tables, **settings))]
#[expect(clippy::too_many_arguments, reason = "they are Python's keyword arguments")]
pub(crate) fn book(
    py: Python<'_>,
    lines: Number,
    constraint: Option<&Bound<'_, PyAny>>,
    plies: Option<Number>,
    window: Option<(i32, i32)>,
    start: Option<Number>,
    tables: Option<&Bound<'_, PyAny>>,
    settings: Option<&Bound<'_, PyDict>>,
) -> PyResult<Run> {
    let given = constraint.map(constraint::read).transpose()?;
    let plies = plies.map(|plies| plies.within_32("plies", 1, MAX_PLIES)).transpose()?;
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
        count: lines.positive("lines")?,
        first: 0,
        is_distinct: true,
        root: root_of(None, start.as_ref())?,
        tables: endings::folders(tables)?,
        settings,
    }
    .begin(py)
}
