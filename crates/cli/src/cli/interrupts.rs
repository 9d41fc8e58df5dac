//! Ctrl-C.

use std::{
    fs,
    path::PathBuf,
    process,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::Context as _;

use super::INTERRUPTED;

/// A second signal within this time is ignored: a program that stops a process may send the signal to the process and
/// to its group.
const SAME: Duration = Duration::from_millis(300);

/// As [`watch`], for a command that writes a file completely or not at all: the second Ctrl-C removes the unfinished
/// file, whose path the command puts into the lock that this returns.
///
/// # Errors
/// If the signal handler cannot be installed.
pub(super) fn watch_file(stop: Arc<AtomicBool>) -> anyhow::Result<Arc<OnceLock<PathBuf>>> {
    let partial = Arc::new(OnceLock::new());
    let unfinished = Arc::clone(&partial);
    watch(stop, move || {
        if let Some(path) = unfinished.get() {
            let _ = fs::remove_file::<&PathBuf>(path);
        }
    })?;
    Ok(partial)
}

/// Makes the first Ctrl-C set `stop`, so that the run stops cleanly. A second one calls `clean_up` and ends the
/// process, unless it follows within [`SAME`].
///
/// # Errors
/// If the signal handler cannot be installed.
pub(super) fn watch(stop: Arc<AtomicBool>, clean_up: impl Fn() + Send + 'static) -> anyhow::Result<()> {
    let mut first = None;
    ctrlc::set_handler(move || {
        stop.store(true, Ordering::Relaxed);
        if first.get_or_insert_with(Instant::now).elapsed() >= SAME {
            clean_up();
            process::exit(INTERRUPTED.into());
        }
    })
    .context("cannot watch for Ctrl-C")
}
