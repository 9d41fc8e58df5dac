use std::sync::{
    Condvar, Mutex, PoisonError,
    atomic::{AtomicBool, Ordering},
};

use entente_search::Timer;

/// How the session tells a running search to end, and when it may say its `bestmove`.
#[derive(Debug)]
pub(super) struct Stop {
    requested: AtomicBool,
    /// The time that the search may take; `ponderhit` sets it late.
    pub timer: Timer,
    /// True while `bestmove` must wait for `stop` or `ponderhit`, even when the search is done.
    held: Mutex<bool>,
    released: Condvar,
}

impl Stop {
    /// A search that ends by itself, or one whose `bestmove` is held (`go infinite`, `go ponder`).
    pub(super) fn new(held: bool) -> Stop {
        Stop {
            requested: AtomicBool::new(false),
            timer: Timer::unlimited(),
            held: Mutex::new(held),
            released: Condvar::new(),
        }
    }

    /// Asks the search to end at once.
    pub(super) fn request(&self) {
        self.requested.store(true, Ordering::Relaxed);
        self.release();
    }

    /// Lets `bestmove` come as soon as the search is done.
    pub(super) fn release(&self) {
        *self.held.lock().unwrap_or_else(PoisonError::into_inner) = false;
        self.released.notify_all();
    }

    /// The flag that searches look at.
    pub(super) fn flag(&self) -> &AtomicBool {
        &self.requested
    }

    /// Returns once `bestmove` may be said.
    pub(super) fn wait_for_release(&self) {
        let held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.released.wait_while(held, |held| *held));
    }
}
