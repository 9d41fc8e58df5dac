use std::{
    sync::{
        Condvar, Mutex, OnceLock, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};

use entente_search::Timer;

/// The session's control over a running search: whether it must stop, and whether it may answer with `bestmove`.
#[derive(Debug)]
pub(super) struct Stop {
    requested: AtomicBool,
    /// The time for the search. When pondering, `ponderhit` sets it.
    pub timer: Timer,
    /// True while `bestmove` must wait for `stop` or `ponderhit`, even if the search is done.
    held: Mutex<bool>,
    released: Condvar,
    /// When the search answered, if it did so before its end.
    answered: OnceLock<Instant>,
}

impl Stop {
    /// Control over a new search. `held` is true if `bestmove` must wait (`go infinite`, `go ponder`).
    pub(super) fn new(held: bool) -> Stop {
        Stop {
            requested: AtomicBool::new(false),
            timer: Timer::unlimited(),
            held: Mutex::new(held),
            released: Condvar::new(),
            answered: OnceLock::new(),
        }
    }

    /// Stops the search.
    pub(super) fn request(&self) {
        self.requested.store(true, Ordering::Relaxed);
        self.release();
    }

    /// Allows `bestmove` as soon as the search is done.
    pub(super) fn release(&self) {
        *self.held.lock().unwrap_or_else(PoisonError::into_inner) = false;
        self.released.notify_all();
    }

    /// True if `bestmove` is allowed and the search has not answered yet.
    pub(super) fn may_answer(&self) -> bool {
        !*self.held.lock().unwrap_or_else(PoisonError::into_inner) && self.answered.get().is_none()
    }

    /// Notes that the search has answered although it has not ended.
    pub(super) fn note_answer(&self) {
        _ = self.answered.set(Instant::now());
    }

    /// When the search answered, if it did so before its end.
    pub(super) fn answered(&self) -> Option<Instant> {
        self.answered.get().copied()
    }

    /// The flag that stops a search.
    pub(super) fn flag(&self) -> &AtomicBool {
        &self.requested
    }

    /// Waits until `bestmove` is allowed.
    pub(super) fn wait_for_release(&self) {
        let held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.released.wait_while(held, |held| *held));
    }
}
