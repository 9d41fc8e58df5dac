//! A call of a tool, as the tool knows it.

use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use entente::{engine::Engine, judge};
use entente_endings::{Endings, Material};
use tokio::sync::mpsc::UnboundedSender;

/// How far a call is.
#[derive(Clone, Debug)]
pub(super) struct Progress {
    /// What is done; it grows from report to report.
    pub done: u64,
    /// What there is to do, if that is known.
    pub total: Option<u64>,
    pub message: String,
}

/// A call that is running.
pub(super) struct Call {
    /// Set when the time is over or the client has cancelled the call.
    pub stop: Arc<AtomicBool>,
    pub deadline: Instant,
    engine: Arc<Mutex<Engine>>,
    reports: UnboundedSender<Progress>,
}

impl Call {
    pub(super) fn new(seconds: u64, engine: Arc<Mutex<Engine>>, reports: UnboundedSender<Progress>) -> Call {
        let deadline = Instant::now() + Duration::from_secs(seconds);
        Call { stop: Arc::new(AtomicBool::new(false)), deadline, engine, reports }
    }

    /// The engine of all calls, which keeps the networks. Hold it only to resolve a request: other calls wait for it.
    pub(super) fn engine(&self) -> MutexGuard<'_, Engine> {
        // What a call that failed left behind are loaded networks, which are whole or not there.
        self.engine.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tables of endings, with those that are `wanted`. They are made if they are missing, which may take a minute, once;
    /// without one, search decides.
    ///
    /// # Errors
    /// If the tables that are embedded are damaged.
    pub(super) fn endings(&self, wanted: &[Material]) -> Result<Endings, String> {
        judge::endings::open(None, wanted, &self.stop).map_err(|error| error.to_string())
    }

    /// Tells the client how far the call is, if it wants to know.
    pub(super) fn report(&self, progress: Progress) {
        // The server is gone only when the process ends.
        let _ = self.reports.send(progress);
    }

    /// True if the call should end with what it has.
    pub(super) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
