//! Ctrl-C.

use std::{
    process,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::Context as _;

use super::INTERRUPTED;

/// A second signal within this time is ignored: a program that stops a process may send the signal to the process and
/// to its group.
const SAME: Duration = Duration::from_millis(300);

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
