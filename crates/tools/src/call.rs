//! A call of a tool, as the tool knows it.

use std::{
    fmt::{self, Debug, Formatter},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use entente::{engine::Engine, judge};
use entente_endings::{Endings, Material};
use serde_json::Value;

use crate::Refusal;

/// What a tool tells before its answer.
#[derive(Clone, Debug)]
pub enum Report {
    /// How far the call is.
    Progress {
        /// What is done; it grows from report to report.
        done: u64,
        /// What there is to do, if that is known.
        total: Option<u64>,
        /// The same in words.
        message: String,
    },
    /// A part of the answer that is there already: its kind, and an object.
    Part(&'static str, Value),
}

/// What all calls share: the networks, so that each is loaded once.
#[derive(Clone, Default)]
pub struct Shared {
    engine: Arc<Mutex<Engine>>,
}

/// A call that is running.
pub struct Call {
    /// Set when the time is over or the call is cancelled.
    pub stop: Arc<AtomicBool>,
    /// When the time is over.
    pub deadline: Instant,
    shared: Shared,
    report: Box<dyn Fn(Report) + Send + Sync>,
}

impl Call {
    /// A call that may take this many seconds and passes what it tells to `report`. Who makes it sets `stop` at the
    /// deadline.
    pub fn new(seconds: u64, shared: Shared, report: impl Fn(Report) + Send + Sync + 'static) -> Call {
        let deadline = Instant::now() + Duration::from_secs(seconds);
        Call { stop: Arc::new(AtomicBool::new(false)), deadline, shared, report: Box::new(report) }
    }

    /// The engine of all calls, which keeps the networks. Hold it only to resolve a request: other calls wait for it.
    pub(crate) fn engine(&self) -> MutexGuard<'_, Engine> {
        // What a call that failed left behind are loaded networks, which are whole or not there.
        self.shared.engine.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An engine of the call's own, for work that takes long, with the networks that are loaded. Give it to
    /// [`Call::keep`] afterwards.
    pub(crate) fn own_engine(&self) -> Engine {
        let mut engine = Engine::default();
        engine.share_networks(&self.engine());
        engine
    }

    /// Keeps the networks that `engine` has loaded for later calls.
    pub(crate) fn keep(&self, engine: &Engine) {
        self.engine().share_networks(engine);
    }

    /// Tables of endings, with those that are `wanted`. They are made if they are missing, which may take a minute, once;
    /// without one, search decides.
    ///
    /// # Errors
    /// If the tables that are embedded are damaged.
    pub(crate) fn endings(&self, wanted: &[Material]) -> Result<Endings, Refusal> {
        judge::endings::open(None, wanted, &self.stop).map_err(Refusal::failure)
    }

    /// Tells how far the call is, to those who want to know.
    pub(crate) fn report(&self, report: Report) {
        (self.report)(report);
    }

    /// True if the call should end with what it has.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

impl Debug for Call {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call").field("deadline", &self.deadline).finish_non_exhaustive()
    }
}
