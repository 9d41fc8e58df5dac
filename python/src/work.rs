//! Long calls: work on a thread of its own, without the interpreter's lock, that Ctrl-C ends.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Receiver, RecvTimeoutError},
    },
    thread,
    time::Duration,
};

use pyo3::prelude::*;

use crate::errors;

/// The time between two looks for signals. Python handles Ctrl-C only when it is asked.
const LOOK: Duration = Duration::from_millis(40);

/// Runs `work` and returns its result. `work` receives a flag that is set after Ctrl-C, and should then end soon; the
/// call does not wait for that.
///
/// # Errors
/// What a signal handler raises: `KeyboardInterrupt` after Ctrl-C. `RuntimeError` if the work panics.
pub(crate) fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&AtomicBool) -> T + Send + 'static,
) -> PyResult<T> {
    let stop = Arc::new(AtomicBool::new(false));
    let (sender, receiver) = mpsc::sync_channel(1);
    let flag = Arc::clone(&stop);
    thread::spawn(move || {
        // After Ctrl-C no one receives the result.
        let _ = sender.send(work(&flag));
    });
    match next(py, &Mutex::new(receiver)) {
        Ok(result) => result.ok_or_else(errors::fault),
        Err(interrupt) => {
            stop.store(true, Ordering::Relaxed);
            Err(interrupt)
        }
    }
}

/// The next message of a thread; `None` if there are no more.
///
/// # Errors
/// What a signal handler raises.
pub(crate) fn next<T: Send>(py: Python<'_>, receiver: &Mutex<Receiver<T>>) -> PyResult<Option<T>> {
    loop {
        let message =
            py.detach(|| receiver.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(LOOK));
        match message {
            Ok(message) => return Ok(Some(message)),
            Err(RecvTimeoutError::Disconnected) => return Ok(None),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
        }
    }
}
