//! The one way out: whole messages, each flushed at once.

use std::{
    io::Write,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use super::reply::Reply;

/// Writes replies from any thread; a reply's lines are never mixed with another's.
#[derive(Clone)]
pub struct Writer {
    output: Arc<Mutex<dyn Write + Send>>,
    closed: Arc<AtomicBool>,
}

impl Writer {
    /// A writer to `output`.
    pub fn new(output: impl Write + Send + 'static) -> Writer {
        Writer { output: Arc::new(Mutex::new(output)), closed: Arc::new(AtomicBool::new(false)) }
    }

    /// Writes one reply.
    pub fn send(&self, reply: &Reply) {
        // Formatted first, so that the line goes out in one piece.
        let text = format!("{reply}\n");
        let mut output = self.output.lock().unwrap_or_else(PoisonError::into_inner);
        let written = output.write_all(text.as_bytes()).and_then(|()| output.flush());
        if written.is_err() {
            self.closed.store(true, Ordering::Relaxed);
        }
    }

    /// True once a reply could not be written: nobody listens any more.
    pub fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }
}
