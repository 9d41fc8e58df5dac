//! `entente.generate`

use std::sync::atomic::AtomicBool;

use entente::{
    generation::{Quota, Request, Series},
    judge::endings::{endings_of, open},
    settings::GenerationSettings,
};
use entente_constraint::Target;
use entente_search::Chess960;
use pyo3::{exceptions::PyTypeError, prelude::*, types::PyDict};
use shakmaty::Chess;

use crate::{constraint, endings, errors, given, networks, number::Number, run::Run, settings, work};

/// The largest index, far below the largest number, so that later indices cannot overflow.
const MAX_INDEX: u64 = 1 << 62;

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
            // A folder that is given is read even if no condition needs it: it may be misspelt.
            let tables = (target.is_judged() || tables.is_some())
                .then(|| open(tables.as_deref(), &endings_of(&target, &root), stop))
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
#[pyo3(signature = (constraint, count, *, distinct, index, root, start, tables, **settings))]
#[expect(clippy::too_many_arguments, reason = "they are Python's keyword arguments")]
pub(crate) fn generate(
    constraint: &Bound<'_, PyAny>,
    count: Number,
    distinct: bool,
    index: Number,
    root: Option<&Bound<'_, PyAny>>,
    start: Option<Number>,
    tables: Option<&Bound<'_, PyAny>>,
    settings: Option<&Bound<'_, PyDict>>,
) -> PyResult<Run> {
    let py = constraint.py();
    let constraint = constraint::read(constraint)?;
    let settings = settings::generation("generate", settings)?;
    let first = index.within("index", 0, MAX_INDEX)?;
    if first != 0 && settings.seed.is_none() {
        return Err(PyTypeError::new_err(
            "index: expected seed, too, since an index counts the positions of a seed",
        ));
    }
    Wanted {
        target: constraint::target(py, constraint)?,
        count: count.positive("count")?,
        first,
        is_distinct: distinct,
        root: root_of(root, start.as_ref())?,
        tables: endings::folders(tables)?,
        settings,
    }
    .begin(py)
}

/// The position in which games begin: `root`, or the initial position of Chess960 with the number `start`.
pub(crate) fn root_of(root: Option<&Bound<'_, PyAny>>, start: Option<&Number>) -> PyResult<Chess> {
    match (root, start) {
        (Some(_), Some(_)) => Err(PyTypeError::new_err("root and start: give one of them")),
        (_, Some(number)) => {
            let number = number.within_32("start", 0, Chess960::COUNT - 1)?;
            Ok(Chess960::start(number).unwrap_or_default())
        }
        (root, None) => given::root(root),
    }
}
