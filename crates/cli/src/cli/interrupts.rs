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

/// Whoever ends a process may say it to its group, too: what comes again so soon is the same.
const SAME: Duration = Duration::from_millis(300);

/// Lets the first Ctrl-C set `stop`, so that a run ends in good order, and the second one, unless it comes at once, end
/// the process, after `clean_up`.
///
/// # Errors
/// If the system does not allow it.
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
