use std::{
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, mpsc},
    thread,
    time::Instant,
};

use entente_search::TimeBudget;
use log::error;

use super::{
    reply::{Info, Reply},
    stop::Stop,
    writer::Writer,
};

/// The stack of each thread of a session, in bytes. A deep line has more than a hundred nested calls, each with lists
/// of moves.
pub(super) const STACK: usize = 16 << 20;

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

/// The thread that runs all jobs of a session, one after the other. A new thread for each job would cost a loaded
/// machine milliseconds that a short game does not have.
#[derive(Debug)]
pub(super) struct Worker {
    jobs: mpsc::Sender<Job>,
}

/// A job, which returns its answer.
type Job = Box<dyn FnOnce() -> Option<Reply> + Send>;

impl Worker {
    /// Starts the thread. It ends when this value is dropped and the last job is done. `ended` receives the answer of
    /// each job when the job is over.
    ///
    /// # Errors
    /// If the system cannot start a thread.
    pub(super) fn start(mut ended: impl FnMut(Option<Reply>) + Send + 'static) -> io::Result<Worker> {
        let (sender, jobs) = mpsc::channel::<Job>();
        let work = move || jobs.into_iter().for_each(|job| ended(job()));
        thread::Builder::new().name("search".to_owned()).stack_size(STACK).spawn(work)?;
        Ok(Worker { jobs: sender })
    }
}

/// The running job.
pub(super) struct Running {
    /// Stops the job.
    pub stop: Arc<Stop>,
    pub purpose: Purpose,
}

impl Running {
    /// Starts a job. Its answer is sent by whoever learns of its end, so that the job is over before a GUI can react to
    /// the answer. If the job panics, the answer is `otherwise`: without one, a GUI would wait forever.
    pub(super) fn start(
        purpose: Purpose,
        writer: &Writer,
        worker: &Worker,
        otherwise: Option<Reply>,
        job: impl FnOnce(&Stop, &Writer) -> Option<Reply> + Send + 'static,
    ) -> Running {
        let held = matches!(purpose, Purpose::Ponder(_) | Purpose::Infinite);
        let stop = Arc::new(Stop::new(held));
        let writer = writer.clone();
        let shared = Arc::clone(&stop);
        let answered = move || {
            catch_unwind(AssertUnwindSafe(|| job(&shared, &writer))).unwrap_or_else(|_| {
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
            })
        };
        worker.jobs.send(Box::new(answered)).expect("the thread lives as long as its worker");
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
    use std::io::Write;

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
        let worker = Worker::start(move |answer| events.send(answer).expect("the test listens")).unwrap();
        let writer = Writer::new(Lines(sender));
        let otherwise = Some(Reply::no_move());
        Running::start(Purpose::Move, &writer, &worker, otherwise, |_, _| panic!("on purpose"));
        assert!(matches!(inbox.recv(), Ok(Some(Reply::BestMove { best: None, .. }))));
        let sent: Vec<String> = lines.try_iter().collect();
        assert!(sent[0].starts_with("info string error: this failed"), "{sent:?}");
        assert!(sent.len() == 2 && sent[1].contains(" score "), "{sent:?}");
    }

    #[test]
    fn jobs_run_in_order_in_one_thread_also_after_a_panic() {
        let (events, inbox) = mpsc::channel();
        let worker =
            Worker::start(move |_| events.send(thread::current().id()).expect("the test listens")).unwrap();
        let writer = Writer::new(io::sink());
        let (sender, numbers) = mpsc::channel();
        for number in 0..3 {
            let sender = sender.clone();
            Running::start(Purpose::Work, &writer, &worker, None, move |_, _| {
                sender.send(number).expect("the test listens");
                assert_ne!(number, 1, "on purpose");
                None
            });
        }
        let threads: Vec<_> = inbox.iter().take(3).collect();
        assert!(threads.iter().all(|thread| *thread == threads[0]));
        assert_eq!(numbers.try_iter().collect::<Vec<_>>(), [0, 1, 2]);
    }
}
