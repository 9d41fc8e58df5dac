//! A run: positions in the order of their indices, as they are found.

use std::{
    process,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering},
        mpsc::{self, Receiver},
    },
    thread,
};

use entente::{
    generation::{Generation, GenerationError, Outcome, Quota, Series},
    records::Provenance,
};
use pyo3::{exceptions::PyRuntimeError, prelude::*, types::PyList};

use crate::{errors, position::Position, work};

/// How many positions may wait for the caller. If it is slow, generation waits, too.
const WAITING: usize = 256;

/// Positions that were not found are kept up to this number; they are all alike.
const NEAREST: usize = 10;

type Message = Result<Box<Generation>, GenerationError>;

#[doc = doc!("Run")]
#[pyclass(module = "entente", frozen)]
pub(crate) struct Run {
    receiver: Mutex<Receiver<Message>>,
    stop: Arc<AtomicBool>,
    context: Arc<Provenance>,
    notes: Vec<String>,
    count: u64,
    /// Positions generated, found or not.
    done: AtomicU64,
    missing: AtomicU64,
    /// The positions found so far.
    found: Py<PyList>,
    /// The nearest positions where none was found.
    nearest: Py<PyList>,
    /// True after the error about those that were not found.
    is_told: AtomicBool,
    /// The process whose threads work.
    process: u32,
}

impl Run {
    /// Starts the threads.
    pub(crate) fn begin(py: Python<'_>, series: Series, quota: Quota) -> PyResult<Run> {
        let (sender, receiver) = mpsc::sync_channel::<Message>(WAITING);
        let stop = Arc::new(AtomicBool::new(false));
        let (context, notes) = (Arc::new(Provenance::of(series.job())), series.job().notes.clone());
        let flag = Arc::clone(&stop);
        thread::spawn(move || {
            let generated = series.run(quota, &flag, |generation| {
                // What was interrupted is neither found nor missing.
                let is_cut = generation.outcome == Outcome::Undetermined && flag.load(Ordering::Relaxed);
                let is_gone = !is_cut && sender.send(Ok(Box::new(generation))).is_err();
                flag.fetch_or(is_gone, Ordering::Relaxed);
            });
            if let Err(error) = generated {
                let _ = sender.send(Err(error));
            }
        });
        Ok(Run {
            receiver: Mutex::new(receiver),
            stop,
            context,
            notes,
            count: quota.count,
            done: AtomicU64::new(0),
            missing: AtomicU64::new(0),
            found: PyList::empty(py).unbind(),
            nearest: PyList::empty(py).unbind(),
            is_told: AtomicBool::new(false),
            process: process::id(),
        })
    }

    /// Notes a generation; the position if it was found.
    fn take(&self, py: Python<'_>, generation: &Generation) -> PyResult<Option<Py<Position>>> {
        self.done.fetch_add(1, Ordering::Relaxed);
        let position = Py::new(py, Position::new(&self.context, generation))?;
        if generation.outcome == Outcome::Found {
            self.found.bind(py).append(position.clone_ref(py))?;
            return Ok(Some(position));
        }
        self.missing.fetch_add(1, Ordering::Relaxed);
        let nearest = self.nearest.bind(py);
        if nearest.len() < NEAREST {
            nearest.append(position)?;
        }
        Ok(None)
    }
}

#[pymethods]
impl Run {
    fn __iter__(slf: Py<Run>) -> Py<Run> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Py<Position>>> {
        if process::id() != self.process {
            return Err(PyRuntimeError::new_err(
                "this run belongs to the parent process: call entente.generate in the process that uses it",
            ));
        }
        loop {
            let message = work::next(py, &self.receiver).inspect_err(|_| self.stop());
            match message? {
                Some(Ok(generation)) => {
                    if let Some(position) = self.take(py, &generation)? {
                        return Ok(Some(position));
                    }
                }
                Some(Err(error)) => return Err(errors::generation(py, &error)),
                None => break,
            }
        }
        let missing = self.missing();
        if missing == 0 || self.is_told.swap(true, Ordering::Relaxed) {
            return Ok(None);
        }
        let (nearest, found) = (self.nearest.clone_ref(py), self.found.clone_ref(py));
        Err(errors::exception(py, "Undetermined", (missing, self.done(), nearest, found)))
    }

    #[doc = doc!("Run.stop")]
    fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    #[doc = doc!("Run.found")]
    #[getter]
    fn found(&self, py: Python<'_>) -> Py<PyList> {
        self.found.clone_ref(py)
    }

    #[doc = doc!("Run.nearest")]
    #[getter]
    fn nearest(&self, py: Python<'_>) -> Py<PyList> {
        self.nearest.clone_ref(py)
    }

    #[doc = doc!("Run.count")]
    #[getter]
    fn count(&self) -> u64 {
        self.count
    }

    #[doc = doc!("Run.done")]
    #[getter]
    fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    #[doc = doc!("Run.missing")]
    #[getter]
    fn missing(&self) -> u64 {
        self.missing.load(Ordering::Relaxed)
    }

    #[doc = doc!("Run.constraint")]
    #[getter]
    fn constraint(&self) -> &str {
        &self.context.constraint
    }

    #[doc = doc!("Run.method")]
    #[getter]
    fn method(&self) -> &str {
        &self.context.method
    }

    #[doc = doc!("Run.seed")]
    #[getter]
    fn seed(&self) -> u64 {
        self.context.seed
    }

    #[doc = doc!("Run.notes")]
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    fn __repr__(&self) -> String {
        format!("<entente.Run {:?}: {} of {} generated>", self.context.constraint, self.done(), self.count)
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        self.stop();
    }
}
