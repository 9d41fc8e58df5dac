//! The session between its threads.
//!
//! The thread that has an event handles it, under a lock. Passing it to a third thread would cost a switch between
//! threads at every move, and on a loaded machine each switch may take milliseconds.

use std::{
    any::Any,
    io::{self, BufRead},
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak},
    thread,
};

use super::Session;
use crate::uci::{
    event::{SessionEvent, read_lines},
    running::{STACK, Worker},
    writer::Writer,
};

/// A session that several threads share.
struct Shared {
    state: Mutex<State>,
    /// Notified when the session is over.
    over: Condvar,
}

struct State {
    session: Session,
    /// A panic while an event was handled.
    panic: Option<Box<dyn Any + Send>>,
}

impl State {
    fn is_over(&self) -> bool {
        self.panic.is_some() || self.session.is_over()
    }
}

impl Shared {
    /// Handles an event, and returns false if the session is over.
    fn handle(&self, event: SessionEvent) -> bool {
        let mut state = self.lock();
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| state.session.handle(event))) {
            state.panic = Some(panic);
        }
        let is_over = state.is_over();
        if is_over {
            self.over.notify_all();
        }
        !is_over
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Runs a session to its end.
///
/// # Errors
/// If the output cannot be written, or if the system cannot start a thread.
pub(super) fn run(input: impl BufRead + Send + 'static, writer: Writer, interactive: bool) -> io::Result<()> {
    // Set as soon as there is a session. Before, there are no jobs.
    let ended: Arc<Mutex<Weak<Shared>>> = Arc::default();
    let session = Arc::clone(&ended);
    let worker = Worker::start(move |answer| {
        let shared = session.lock().unwrap_or_else(PoisonError::into_inner).upgrade();
        // Without a session the answer does not matter.
        if let Some(shared) = shared {
            shared.handle(SessionEvent::JobEnded(answer));
        }
    })?;
    let session = Session::new(writer.clone(), worker, interactive);
    let shared = Arc::new(Shared { state: Mutex::new(State { session, panic: None }), over: Condvar::new() });
    *ended.lock().unwrap_or_else(PoisonError::into_inner) = Arc::downgrade(&shared);
    let reader = Arc::downgrade(&shared);
    // Not joined, because it may be waiting for a line that never comes.
    thread::Builder::new().name("input".to_owned()).stack_size(STACK).spawn(move || {
        read_lines(input, |event| reader.upgrade().is_some_and(|shared| shared.handle(event)));
    })?;
    let mut state = shared
        .over
        .wait_while(shared.lock(), |state| !state.is_over())
        .unwrap_or_else(PoisonError::into_inner);
    if let Some(panic) = state.panic.take() {
        drop(state);
        resume_unwind(panic);
    }
    drop(state);
    writer.into_result()
}
