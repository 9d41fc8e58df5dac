//! Ctrl-C as a flag that long work looks at, so that it can end in good order.

use std::sync::{
    Once,
    atomic::{AtomicBool, Ordering},
};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);
static HANDLER: Once = Once::new();

/// The flag that Ctrl-C (and a request to terminate) sets. The first call installs the handler; a second
/// Ctrl-C ends the process at once.
pub fn flag() -> &'static AtomicBool {
    HANDLER.call_once(|| {
        let installed = ctrlc::set_handler(|| {
            if INTERRUPTED.swap(true, Ordering::SeqCst) {
                std::process::exit(130);
            }
        });
        if let Err(error) = installed {
            log::warn!("Ctrl-C will end the program at once: {error}");
        }
    });
    &INTERRUPTED
}
