//! A call that runs on a thread of its own, until it is done, its time is over, or no one waits for it.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use tokio::{
    sync::mpsc::{self, UnboundedReceiver},
    task::{self, JoinHandle},
    time::{Instant, Interval, MissedTickBehavior, interval_at, sleep_until},
};

use crate::{Answer, Arguments, Call, Refusal, Report, Shared, Tool};

/// How often those who wait hear that the call still runs.
const TICK: Duration = Duration::from_secs(1);
/// After its time, how much longer a call may take to stop before it is given up.
const GRACE: Duration = Duration::from_secs(10);

/// A call that runs. Dropping it stops the work.
#[derive(Debug)]
pub struct Running {
    tool: &'static Tool,
    reports: UnboundedReceiver<Report>,
    work: JoinHandle<Result<Answer, Refusal>>,
    /// Only to be dropped.
    _stop: StopOnDrop,
    /// Stops the work when its time is over, even if its client does not read.
    timer: JoinHandle<()>,
    begun: Instant,
    deadline: Instant,
    ticks: Interval,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.timer.abort();
    }
}

/// Why a call has no answer.
#[derive(Debug)]
pub enum Failure {
    /// The tool refused it.
    Refused(Refusal),
    /// The tool panicked, which the hook has reported on standard error.
    Panicked(Refusal),
    /// The tool did not stop in time.
    Late(Refusal),
}

impl Failure {
    /// The sentence for the client.
    pub fn into_refusal(self) -> Refusal {
        let (Failure::Refused(refusal) | Failure::Panicked(refusal) | Failure::Late(refusal)) = self;
        refusal
    }
}

/// What happens next to a call.
#[derive(Debug)]
pub enum Step {
    /// It tells something.
    Report(Report),
    /// A second has passed.
    Tick,
    /// It is over.
    Done(Result<Answer, Failure>),
}

/// Stops the work of a call that no one waits for.
#[derive(Debug)]
pub struct StopOnDrop(pub Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Running {
    /// Begins the work, within a runtime of tokio. It keeps `permit` until it ends, also if no one waits any more: the
    /// number of permits bounds the number of threads.
    pub fn start(
        tool: &'static Tool,
        arguments: Arguments,
        shared: Shared,
        permit: impl Send + 'static,
    ) -> Running {
        let (sender, reports) = mpsc::unbounded_channel();
        // The receiver is gone only when no one waits.
        let report = move |report| drop(sender.send(report));
        let call = Call::new(arguments.seconds(), shared, report);
        let (stop, deadline) = (StopOnDrop(Arc::clone(&call.stop)), Instant::from_std(call.deadline));
        let work = task::spawn_blocking(move || {
            let _permit = permit;
            (tool.run)(&arguments, &call)
        });
        let flag = Arc::clone(&stop.0);
        let timer = tokio::spawn(async move {
            sleep_until(deadline).await;
            flag.store(true, Ordering::Relaxed);
        });
        let begun = Instant::now();
        let mut ticks = interval_at(begun + TICK, TICK);
        // A reader that is slow misses ticks.
        ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);
        Running { tool, reports, work, _stop: stop, timer, begun, deadline, ticks }
    }

    /// How long the call has run, in seconds.
    pub fn seconds(&self) -> f64 {
        (self.begun.elapsed().as_secs_f64() * 10.0).round() / 10.0
    }

    /// Waits for what happens next. After [`Step::Done`] nothing does.
    pub async fn next(&mut self) -> Step {
        tokio::select! {
            // In this order: no report is lost when the work is done.
            biased;
            Some(report) = self.reports.recv() => Step::Report(report),
            done = &mut self.work => Step::Done(match done {
                Ok(result) => result.map_err(Failure::Refused),
                Err(_) => {
                    let reason = format!("{}: the program failed on this call", self.tool.name);
                    Err(Failure::Panicked(Refusal::failure(reason)))
                }
            }),
            () = sleep_until(self.deadline + GRACE) => {
                let reason = format!("{}: the call did not end in time; ask for less", self.tool.name);
                Step::Done(Err(Failure::Late(Refusal::failure(reason))))
            }
            _ = self.ticks.tick() => Step::Tick,
        }
    }

    /// Waits for the answer alone.
    pub async fn answer(mut self) -> Result<Answer, Failure> {
        loop {
            if let Step::Done(result) = self.next().await {
                return result;
            }
        }
    }
}
