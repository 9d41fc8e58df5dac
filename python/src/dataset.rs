//! `entente.dataset`: data sets, as the program generates them.

use std::{
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
};

use entente::generation::Quota;
use entente_cli::{
    dataset::{DATASET, Ended, generate, publish, read_plan},
    tournament::{Folder, Journal, Manifest, Shard, TournamentError},
};
use entente_constraint::counted;
use pyo3::{exceptions::PyFileNotFoundError, prelude::*, types::PyCapsule};

use crate::{arrow::stream_of_file, errors, number::Number, settings::path, work};

#[doc = doc!("Dataset")]
#[pyclass(module = "entente", frozen)]
pub(crate) struct Dataset {
    folder: PathBuf,
    positions: u64,
    wanted: u64,
}

/// Generates the data set of a plan. `entente/_data.py` documents it.
#[pyfunction]
#[pyo3(signature = (plan, output, *, resume = false, threads = None))]
pub(crate) fn dataset(
    py: Python<'_>,
    plan: &Bound<'_, PyAny>,
    output: &Bound<'_, PyAny>,
    resume: bool,
    threads: Option<Number>,
) -> PyResult<Dataset> {
    let (plan, output) = (PathBuf::from(path(plan)?), PathBuf::from(path(output)?));
    if !plan.exists() {
        // With a number and a name, Python shows both.
        return Err(PyFileNotFoundError::new_err((2, "No such file or directory", plan)));
    }
    let threads = threads.map(|threads| threads.within_32("threads", 1, Quota::MAX_THREADS)).transpose()?;
    let threads = threads.map_or_else(Quota::cores, |threads| threads as usize);
    let place = output.clone();
    let ended =
        work::interruptible(py, move |stop: &AtomicBool| generated(&plan, &place, resume, threads, stop))?;
    // The message is that of the command line.
    let words = [("--resume", "resume=True")];
    let (positions, wanted) = ended.map_err(|error| errors::chain(py, &error, &words))?;
    Ok(Dataset { folder: output, positions, wanted })
}

/// The numbers of positions kept and wanted.
fn generated(
    plan: &Path,
    output: &Path,
    resume: bool,
    threads: usize,
    stop: &AtomicBool,
) -> Result<(u64, u64), TournamentError> {
    let (plan, pairings) = read_plan(plan)?;
    let manifest = Manifest::new(plan, Shard::WHOLE);
    let folder = Folder::of(output, &DATASET);
    let _lock = folder.enter(&manifest, resume)?;
    let (mut journal, _) = Journal::open(&folder, &manifest)?;
    journal.tidy()?;
    let ended = generate(manifest.schedule(), false, &pairings, &mut journal, threads, stop, |_| ())?;
    let Ended::Whole(selection) = ended else {
        debug_assert!(stop.load(Ordering::Relaxed), "nothing else ends a whole run");
        return Ok((0, 0));
    };
    journal.tidy()?;
    publish(&folder, &manifest, &journal, &selection)?;
    Ok((selection.positions(), selection.all_wanted()))
}

#[pymethods]
impl Dataset {
    #[doc = doc!("Dataset.folder")]
    #[getter]
    fn folder(&self) -> PathBuf {
        self.folder.clone()
    }

    #[doc = doc!("Dataset.wanted")]
    #[getter]
    fn wanted(&self) -> u64 {
        self.wanted
    }

    fn __len__(&self) -> usize {
        self.positions as usize
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // A producer may ignore the wish; the consumer then casts.
        let _ = requested_schema;
        stream_of_file(py, &self.folder.join("positions.jsonl"))
    }

    fn __repr__(&self) -> String {
        let positions = counted(self.positions, "position", "positions");
        format!("<entente.Dataset of {positions} in {}>", self.folder.display())
    }
}
