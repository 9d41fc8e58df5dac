//! The progress of a long run: a bar on a terminal, and elsewhere a line every ten seconds.

use std::{
    fmt::Write as _,
    io::{self, Write as _},
    sync::mpsc::{self, RecvTimeoutError, Sender},
    thread,
    time::Duration,
};

use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};

/// The interval between lines of progress where there is no terminal.
const REPORT_EVERY: Duration = Duration::from_secs(10);

/// The progress of a run, on standard error.
pub(super) struct ProgressLine {
    bar: ProgressBar,
    /// Dropping it ends the thread that writes the lines.
    _reporter: Option<Sender<()>>,
}

impl ProgressLine {
    /// Shows the progress of a run with `total` items, called `noun`. `done` of them were done earlier.
    pub(super) fn new(total: u64, done: u64, noun: &'static str) -> ProgressLine {
        let template =
            format!("{{bar:30}} {{pos}}/{{len}} {noun}  {{rate}}  {{elapsed}} elapsed, {{left}}  {{msg}}");
        let pace = move |state: &ProgressState| {
            Pace::of(done, state.pos(), state.len().unwrap_or(0), state.elapsed())
        };
        let rate = move |state: &ProgressState, text: &mut dyn std::fmt::Write| {
            let _ = pace(state).map_or(Ok(()), |pace| text.write_str(&pace.rate()));
        };
        let left = move |state: &ProgressState, text: &mut dyn std::fmt::Write| {
            let _ = match pace(state) {
                Some(pace) => write!(text, "{:#} left", HumanDuration(pace.left)),
                None => text.write_str("time left unknown"),
            };
        };
        let style = ProgressStyle::with_template(&template).expect("the template is valid");
        let style = style.with_key("rate", rate).with_key("left", left);
        let bar = ProgressBar::new(total).with_style(style);
        bar.set_position(done);
        // A single item may take a minute, and the time should be updated meanwhile.
        bar.enable_steady_tick(Duration::from_millis(500));
        let reporter = bar.is_hidden().then(|| {
            let (sender, receiver) = mpsc::channel();
            let bar = bar.clone();
            thread::spawn(move || {
                while receiver.recv_timeout(REPORT_EVERY) == Err(RecvTimeoutError::Timeout) {
                    let _ = writeln!(io::stderr(), "{}", line(&bar, done, noun));
                }
            });
            sender
        });
        ProgressLine { bar, _reporter: reporter }
    }

    /// Sets the number of items, which may grow during a run.
    pub(super) fn set_total(&self, total: u64) {
        self.bar.set_length(total);
    }

    /// Sets the number of items done, and a message to show after it, which may be empty.
    pub(super) fn set(&self, done: u64, message: &str) {
        self.bar.set_position(done);
        self.bar.set_message(message.to_owned());
    }

    /// Removes the bar.
    pub(super) fn finish(self) {
        self.bar.finish_and_clear();
    }
}

/// A line of progress. `before` items were done before the run.
fn line(bar: &ProgressBar, before: u64, noun: &str) -> String {
    let (done, total) = (bar.position(), bar.length().unwrap_or(0));
    let mut line = format!("{done} of {total} {noun}");
    let pace = Pace::of(before, done, total, bar.elapsed());
    if let Some(pace) = &pace {
        let _ = write!(line, ", {}", pace.rate());
    }
    let message = bar.message();
    if !message.is_empty() {
        let _ = write!(line, ", {message}");
    }
    let _ = match pace {
        Some(pace) => write!(line, ", {:#} left", HumanDuration(pace.left)),
        None => write!(line, ", {:#} elapsed", HumanDuration(bar.elapsed())),
    };
    line
}

/// The average speed since the run began. The speed of the last few seconds alone would mislead, because a single item
/// may take minutes.
struct Pace {
    per_second: f64,
    left: Duration,
}

impl Pace {
    /// The pace of a run that went from `before` to `done` of `total` items; `None` if it has done nothing yet.
    fn of(before: u64, done: u64, total: u64, elapsed: Duration) -> Option<Pace> {
        let new = done.checked_sub(before).filter(|new| *new > 0)? as f64;
        let seconds = elapsed.as_secs_f64().max(1e-3);
        let left = Duration::try_from_secs_f64(seconds * total.saturating_sub(done) as f64 / new);
        Some(Pace { per_second: new / seconds, left: left.unwrap_or(Duration::MAX) })
    }

    fn rate(&self) -> String {
        match self.per_second {
            slow if slow < 0.5 / 60.0 => format!("{:.1} per hour", 3600.0 * slow),
            slow if slow < 0.5 => format!("{:.1} per minute", 60.0 * slow),
            fast => format!("{fast:.1} per second"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_follows_from_the_average_speed() {
        let minute = Duration::from_secs(60);
        assert!(Pace::of(4, 4, 10, minute).is_none(), "nothing has been done yet");
        let pace = Pace::of(4, 6, 10, minute).unwrap();
        assert_eq!((pace.left, pace.rate()), (minute * 2, "2.0 per minute".to_owned()));
        assert_eq!(Pace::of(0, 1, 9, 3 * minute).unwrap().rate(), "20.0 per hour");
        assert_eq!(Pace::of(0, 90, 90, minute).unwrap().rate(), "1.5 per second");
        assert_eq!(Pace::of(0, 11, 10, minute).unwrap().left, Duration::ZERO);
    }

    #[test]
    fn a_line_shows_the_time_left_or_else_the_time_elapsed() {
        let bar = ProgressBar::hidden();
        bar.set_length(9);
        assert_eq!(line(&bar, 0, "games"), "0 of 9 games, 0s elapsed");
        bar.set_position(3);
        bar.set_message("1 not found");
        let text = line(&bar, 0, "games");
        assert!(text.starts_with("3 of 9 games, ") && text.contains(" per second, 1 not found, "), "{text}");
        assert!(text.ends_with(" left"), "{text}");
    }
}
