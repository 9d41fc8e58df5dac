//! Ctrl-C as a flag that long work polls, so that it can stop cleanly.

use std::sync::{
    Once,
    atomic::{AtomicBool, Ordering},
};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);
static AT_ONCE: AtomicBool = AtomicBool::new(false);
static HANDLER: Once = Once::new();

/// The flag that Ctrl-C, or a signal to terminate, sets. The first call installs the handler. A second Ctrl-C ends the
/// process immediately and may leave a temporary file.
pub fn flag() -> &'static AtomicBool {
    HANDLER.call_once(|| {
        let installed = ctrlc::set_handler(|| {
            if INTERRUPTED.swap(true, Ordering::SeqCst) || AT_ONCE.load(Ordering::SeqCst) {
                std::process::exit(130);
            }
        });
        if let Err(error) = installed {
            log::warn!("Ctrl-C will end the program immediately: {error}");
        }
    });
    &INTERRUPTED
}

/// Does `work` during which nothing needs to be saved: the first Ctrl-C ends the process immediately.
pub fn at_once<T>(work: impl FnOnce() -> T) -> T {
    AT_ONCE.store(true, Ordering::SeqCst);
    let result = work();
    AT_ONCE.store(false, Ordering::SeqCst);
    result
}
