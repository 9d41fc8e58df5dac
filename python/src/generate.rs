//! `entente.generate`

use std::sync::atomic::AtomicBool;

use entente::{
    generation::{Quota, Request, Series},
    judge::endings::endings_of,
    settings::GenerationSettings,
};
use entente_constraint::Target;
use entente_search::Chess960;
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::PyDict,
};
use shakmaty::Chess;

use crate::{constraint, endings, errors, given, networks, run::Run, settings, work};

/// How many positions, and which.
pub(crate) struct Wanted {
    pub(crate) target: Target,
    pub(crate) count: u64,
    pub(crate) first: u64,
    pub(crate) is_distinct: bool,
    pub(crate) root: Chess,
    pub(crate) tables: Option<String>,
    pub(crate) settings: GenerationSettings,
}

impl Wanted {
    /// Starts the run. Networks are loaded, and tables of endings made, before it returns.
    ///
    /// # Errors
    /// What the caller should know before the first position: an impossible constraint, settings that contradict each
    /// other, a network that cannot be read.
    pub(crate) fn begin(self, py: Python<'_>) -> PyResult<Run> {
        let Wanted { target, count, first, is_distinct, root, tables, settings } = self;
        let threads = settings.threads as usize;
        let resolved = work::interruptible(py, move |stop: &AtomicBool| {
            let tables = target
                .is_judged()
                .then(|| endings::open(tables.as_deref(), &endings_of(&target, &root), stop))
                .transpose();
            let request =
                tables.map(|tables| Request::new(target, settings).from_root(root).with_endings(tables));
            request.map(|request| {
                networks::with_engine(|engine| engine.job(&request)).map(|job| Series::new(&request, job))
            })
        })?;
        let series = resolved
            .map_err(|error| endings::exception(py, &error))?
            .map_err(|error| errors::engine(py, &error))?;
        let mut quota = Quota::new(count, threads);
        (quota.first, quota.distinct) = (first, is_distinct);
        Run::begin(py, series, quota)
    }
}

/// Begins to generate positions. `entente/_generate.py` documents it.
#[pyfunction]
#[pyo3(signature = (constraint, count = 1, *, distinct = false, index = 0, root = None, start = None, tables = None, **settings))]
#[expect(clippy::too_many_arguments, reason = "they are Python's keyword arguments")]
pub(crate) fn generate(
    constraint: &Bound<'_, PyAny>,
    count: i64,
    distinct: bool,
    index: i64,
    root: Option<&Bound<'_, PyAny>>,
    start: Option<u32>,
    tables: Option<&Bound<'_, PyAny>>,
    settings: Option<&Bound<'_, PyDict>>,
) -> PyResult<Run> {
    let py = constraint.py();
    let constraint = constraint::read(constraint)?;
    let settings = settings::generation("generate", settings)?;
    if index != 0 && settings.seed.is_none() {
        return Err(PyTypeError::new_err("index: needs seed, which says whose position has this index"));
    }
    Wanted {
        target: constraint::target(py, constraint)?,
        count: positive("count", count)?,
        first: u64::try_from(index).map_err(|_| below(index, "index", 0))?,
        is_distinct: distinct,
        root: root_of(root, start)?,
        tables: endings::folders(tables)?,
        settings,
    }
    .begin(py)
}

/// The position in which games begin: `root`, or the initial position of Chess960 with the number `start`.
pub(crate) fn root_of(root: Option<&Bound<'_, PyAny>>, start: Option<u32>) -> PyResult<Chess> {
    match (root, start) {
        (Some(_), Some(_)) => Err(PyTypeError::new_err("root and start: give one of them")),
        (_, Some(number)) => Chess960::start(number).ok_or_else(|| {
            PyValueError::new_err(format!("start: expected a number below 960, found {number}"))
        }),
        (root, None) => given::root(root),
    }
}

/// A number of at least 1.
pub(crate) fn positive(name: &str, number: i64) -> PyResult<u64> {
    u64::try_from(number).ok().filter(|number| *number > 0).ok_or_else(|| below(number, name, 1))
}

fn below(number: i64, name: &str, least: u64) -> PyErr {
    PyValueError::new_err(format!("{name}: expected {least} or more, found {number}"))
}
