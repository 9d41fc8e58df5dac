use std::{
    sync::{Arc, mpsc},
    thread,
};

use super::{event::Event, stop::Stop, writer::Writer};

/// What a search is for, which decides what makes it answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// `go generate`: answers when it is done, and is finished even behind `quit`.
    Generate,
    /// A plain `go`: answers when it is done.
    Move,
    /// `go ponder`: answers when it is done, but not before `ponderhit` or `stop`.
    Ponder,
    /// `go infinite`: answers on `stop`.
    Infinite,
}

/// The search that runs, in a thread of its own.
pub(super) struct Running {
    /// Ends it.
    pub stop: Arc<Stop>,
    pub purpose: Purpose,
}

impl Running {
    /// Starts a search; its end is an event.
    pub fn start(
        purpose: Purpose,
        writer: &Writer,
        events: &mpsc::Sender<Event>,
        search: impl FnOnce(&Stop, &Writer) + Send + 'static,
    ) -> Running {
        let held = matches!(purpose, Purpose::Ponder | Purpose::Infinite);
        let stop = Arc::new(Stop::new(held));
        let (writer, ending) = (writer.clone(), Ending(events.clone()));
        let shared = Arc::clone(&stop);
        thread::spawn(move || {
            let _ending = ending;
            search(&shared, &writer);
        });
        Running { stop, purpose }
    }
}

/// Tells the session that a search has ended, even if it panics.
struct Ending(mpsc::Sender<Event>);

impl Drop for Ending {
    fn drop(&mut self) {
        // Without a session there is nobody to tell.
        let _ = self.0.send(Event::SearchEnded);
    }
}
