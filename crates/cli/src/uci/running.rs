use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, mpsc},
    thread,
    time::Instant,
};

use entente_search::Allotment;
use log::error;

use super::{
    event::SessionEvent,
    reply::{Info, Reply},
    stop::Stop,
    writer::Writer,
};

/// The stack of a search, in bytes: a deep line has more than a hundred calls, each with lists of moves.
const STACK: usize = 16 << 20;

/// What a job is for, which decides what makes it answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// `isready`: something is made that takes long.
    Prepare,
    /// `go generate`, `bench` and the like: answers when it is done, and is finished even behind `quit`.
    Work,
    /// A plain `go`: answers when it is done.
    Move,
    /// `go ponder`: answers when it is done, but not before `ponderhit` or `stop`. From `ponderhit` on it has
    /// this time.
    Ponder(Option<Allotment>),
    /// `go infinite`: answers on `stop`.
    Infinite,
}

impl Purpose {
    /// True if it is finished even behind `quit`, unless that comes twice.
    pub(super) fn outlives_quit(self) -> bool {
        matches!(self, Purpose::Prepare | Purpose::Work)
    }
}

/// The job that runs, in a thread of its own.
pub(super) struct Running {
    /// Ends it.
    pub stop: Arc<Stop>,
    pub purpose: Purpose,
}

impl Running {
    /// Starts a job. Its end is an event, and its last word part of that: what a GUI says to it must find no job in its
    /// way. Should it panic, it is answered all the same, with `otherwise`: a GUI would wait for ever.
    pub(super) fn start(
        purpose: Purpose,
        writer: &Writer,
        events: &mpsc::Sender<SessionEvent>,
        otherwise: Option<Reply>,
        job: impl FnOnce(&Stop, &Writer) -> Option<Reply> + Send + 'static,
    ) -> Running {
        let held = matches!(purpose, Purpose::Ponder(_) | Purpose::Infinite);
        let stop = Arc::new(Stop::new(held));
        let (writer, events) = (writer.clone(), events.clone());
        let shared = Arc::clone(&stop);
        let answered = move || {
            let answer = catch_unwind(AssertUnwindSafe(|| job(&shared, &writer))).unwrap_or_else(|_| {
                error!("a job of purpose {purpose:?} panicked");
                let fault = "this failed, by a fault of Entente; please report it";
                writer.send(&Reply::Error(fault.to_owned()));
                if matches!(otherwise, Some(Reply::BestMove { .. })) {
                    // GUIs need a score before every move.
                    writer.send(&Reply::Info(Info::nothing()));
                }
                otherwise
            });
            // Without a session there is nobody to tell.
            let _ = events.send(SessionEvent::JobEnded(answer));
        };
        thread::Builder::new()
            .name("search".to_owned())
            .stack_size(STACK)
            .spawn(answered)
            .expect("there is memory for a thread");
        Running { stop, purpose }
    }

    /// The move pondered on was played at this time: from now on the clock runs.
    pub(super) fn ponder_hit(&self, read: Instant) {
        if let Purpose::Ponder(allotment) = self.purpose {
            allotment.iter().for_each(|allotment| self.stop.timer.set(read, *allotment));
            self.stop.release();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{self, Write};

    use super::*;

    struct Lines(mpsc::Sender<String>);

    impl Write for Lines {
        fn write(&mut self, text: &[u8]) -> io::Result<usize> {
            self.0.send(String::from_utf8_lossy(text).into_owned()).map_err(io::Error::other)?;
            Ok(text.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_job_that_panics_is_answered_and_ends() {
        let (sender, lines) = mpsc::channel();
        let (events, inbox) = mpsc::channel();
        let writer = Writer::new(Lines(sender));
        let otherwise = Some(Reply::BestMove { best: None, ponder: None });
        Running::start(Purpose::Move, &writer, &events, otherwise, |_, _| panic!("on purpose"));
        assert!(matches!(inbox.recv(), Ok(SessionEvent::JobEnded(Some(Reply::BestMove { best: None, .. })))));
        let said: Vec<String> = lines.try_iter().collect();
        assert!(said[0].starts_with("info string error: this failed"), "{said:?}");
        assert!(said.len() == 2 && said[1].contains(" score "), "{said:?}");
    }
}
