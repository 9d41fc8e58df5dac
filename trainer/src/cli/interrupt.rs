//! Ctrl-C as a flag that long work looks at, so that it can end in good order.

use std::sync::{
    Once,
    atomic::{AtomicBool, Ordering},
};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);
static AT_ONCE: AtomicBool = AtomicBool::new(false);
static HANDLER: Once = Once::new();

/// The flag that Ctrl-C (and a request to terminate) sets. The first call installs the handler; a second
/// Ctrl-C ends the process at once, and may leave a file under its temporary name.
pub fn flag() -> &'static AtomicBool {
    HANDLER.call_once(|| {
        let installed = ctrlc::set_handler(|| {
            if INTERRUPTED.swap(true, Ordering::SeqCst) || AT_ONCE.load(Ordering::SeqCst) {
                std::process::exit(130);
            }
        });
        if let Err(error) = installed {
            log::warn!("Ctrl-C will end the program at once: {error}");
        }
    });
    &INTERRUPTED
}

/// Does `work`, during which nothing needs to be saved: the first Ctrl-C ends the process at once.
pub fn at_once<T>(work: impl FnOnce() -> T) -> T {
    AT_ONCE.store(true, Ordering::SeqCst);
    let result = work();
    AT_ONCE.store(false, Ordering::SeqCst);
    result
}
