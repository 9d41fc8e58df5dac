use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, mpsc},
    thread,
    time::Instant,
};

use entente_search::TimeBudget;
use log::error;

use super::{
    event::SessionEvent,
    reply::{Info, Reply},
    stop::Stop,
    writer::Writer,
};

/// The stack of a search, in bytes. A deep line has more than a hundred nested calls, each with lists of moves.
const STACK: usize = 16 << 20;

/// The purpose of a job, which decides when it answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// `isready`: loads networks and allocates tables.
    Prepare,
    /// `go generate`, `bench` and the like: answers when it is done. It is finished even after `quit`.
    Work,
    /// A plain `go`: answers when it is done.
    Move,
    /// `go ponder`: answers when it is done, but not before `ponderhit` or `stop`. `ponderhit` gives it this time.
    Ponder(Option<TimeBudget>),
    /// `go infinite`: answers on `stop`.
    Infinite,
}

impl Purpose {
    /// True if the job is finished even after `quit`, unless a second `quit` follows.
    pub(super) fn outlives_quit(self) -> bool {
        matches!(self, Purpose::Prepare | Purpose::Work)
    }
}

/// The running job, in its own thread.
pub(super) struct Running {
    /// Stops the job.
    pub stop: Arc<Stop>,
    pub purpose: Purpose,
}

impl Running {
    /// Starts a job. Its end is an event that contains the answer, so that the job is over before a GUI can react to
    /// the answer. If the job panics, the answer is `otherwise`: without one, a GUI would wait forever.
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
                let fault = "this failed because of a bug in Entente; please report it";
                writer.send(&Reply::Error(fault.to_owned()));
                if shared.answered().is_some() {
                    return None;
                }
                if matches!(otherwise, Some(Reply::BestMove { .. })) {
                    // Some GUIs need a score before every `bestmove`.
                    writer.send(&Reply::Info(Info::nothing()));
                }
                otherwise
            });
            // Fails if the session is over, and then the answer does not matter.
            let _ = events.send(SessionEvent::JobEnded(answer));
        };
        thread::Builder::new()
            .name("search".to_owned())
            .stack_size(STACK)
            .spawn(answered)
            .expect("there is enough memory for a thread");
        Running { stop, purpose }
    }

    /// Starts the clock of a `go ponder`: the expected move was played at the time `read`.
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
        let sent: Vec<String> = lines.try_iter().collect();
        assert!(sent[0].starts_with("info string error: this failed"), "{sent:?}");
        assert!(sent.len() == 2 && sent[1].contains(" score "), "{sent:?}");
    }
}
