//! The output of a session: whole messages, each flushed at once.

use std::{
    io::{self, Write},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use entente::engine::Event;
use log::debug;

use super::reply::Reply;

/// Writes replies from any thread. The lines of two replies are never mixed.
#[derive(Clone)]
pub(super) struct Writer(Arc<Mutex<Output>>);

struct Output {
    sink: Box<dyn Write + Send>,
    /// The first failure; nothing is written after it.
    failure: Option<io::Error>,
}

impl Writer {
    /// A writer to `sink`.
    pub(super) fn new(sink: impl Write + Send + 'static) -> Writer {
        Writer(Arc::new(Mutex::new(Output { sink: Box::new(sink), failure: None })))
    }

    /// Writes one reply.
    pub(super) fn send(&self, reply: &Reply) {
        // Formatted first, so that it is written in one call.
        let text = format!("{reply}\n");
        let mut output = self.lock();
        // Under the lock, so that the log has the order of the output.
        text.lines().for_each(|line| debug!("> {line}"));
        if output.failure.is_none() {
            let written = output.sink.write_all(text.as_bytes()).and_then(|()| output.sink.flush());
            output.failure = written.err();
        }
    }

    /// True once a reply could not be written: nothing reads the output any more.
    pub(super) fn is_closed(&self) -> bool {
        self.lock().failure.is_some()
    }

    /// The failure, if there was one. A closed pipe is not a failure.
    pub(super) fn into_result(self) -> io::Result<()> {
        match self.lock().failure.take() {
            Some(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
            _ => Ok(()),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Output> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Sends a message of the engine.
pub(super) fn tell(event: Event, writer: &Writer) {
    writer.send(&match event {
        Event::Note(note) => Reply::Note(note),
        Event::Error(error) => Reply::Error(error),
    });
}
