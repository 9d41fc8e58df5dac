//! Ctrl-C.

use std::{
    process,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use anyhow::Context as _;

use super::INTERRUPTED;

/// Lets the first Ctrl-C set `stop`, so that a run ends in good order, and the second one end the process, after
/// `clean_up`.
///
/// # Errors
/// If the system does not allow it.
pub fn watch(stop: Arc<AtomicBool>, clean_up: impl Fn() + Send + 'static) -> anyhow::Result<()> {
    ctrlc::set_handler(move || {
        if stop.swap(true, Ordering::Relaxed) {
            clean_up();
            process::exit(INTERRUPTED.into());
        }
    })
    .context("cannot watch for Ctrl-C")
}
