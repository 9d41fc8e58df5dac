use std::{
    sync::{Arc, mpsc},
    thread,
};

use super::{event::Event, stop::Stop, writer::Writer};

/// The search that runs, in a thread of its own.
pub(super) struct Running {
    /// Ends it.
    pub stop: Arc<Stop>,
    /// True for `go generate`, which ends by itself.
    pub is_generation: bool,
}

impl Running {
    /// Starts a search; its end is an event.
    pub fn start(
        stop: Arc<Stop>,
        is_generation: bool,
        writer: &Writer,
        events: &mpsc::Sender<Event>,
        search: impl FnOnce(&Stop, &Writer) + Send + 'static,
    ) -> Running {
        let (writer, ending) = (writer.clone(), Ending(events.clone()));
        let shared = Arc::clone(&stop);
        thread::spawn(move || {
            let _ending = ending;
            search(&shared, &writer);
        });
        Running { stop, is_generation }
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
