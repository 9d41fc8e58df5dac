//! How far a long run has come: a bar on a terminal, and elsewhere a line now and then.

use std::{
    fmt::Write as _,
    io::{self, Write as _},
    sync::mpsc::{self, RecvTimeoutError, Sender},
    thread,
    time::Duration,
};

use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};

/// How often a log is told how far a run has come; a terminal sees it all the time.
const TELL_EVERY: Duration = Duration::from_secs(10);

/// The progress of a run, on standard error.
pub(super) struct Progress {
    bar: ProgressBar,
    /// Who tells a log ends with it.
    _teller: Option<Sender<()>>,
}

impl Progress {
    /// Of `total` things, which `noun` names, so many are done already.
    pub(super) fn new(total: u64, done: u64, noun: &'static str) -> Progress {
        let template =
            format!("{{bar:30}} {{pos}}/{{len}} {noun}  {{rate}}  {{elapsed}} passed, {{left}}  {{msg}}");
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
        let style = ProgressStyle::with_template(&template).expect("a template of ours");
        let style = style.with_key("rate", rate).with_key("left", left);
        let bar = ProgressBar::new(total).with_style(style);
        bar.set_position(done);
        // One thing may take a minute.
        bar.enable_steady_tick(Duration::from_millis(500));
        let teller = bar.is_hidden().then(|| {
            let (sender, receiver) = mpsc::channel();
            let bar = bar.clone();
            thread::spawn(move || {
                while receiver.recv_timeout(TELL_EVERY) == Err(RecvTimeoutError::Timeout) {
                    let _ = writeln!(io::stderr(), "{}", line(&bar, done, noun));
                }
            });
            sender
        });
        Progress { bar, _teller: teller }
    }

    /// There are so many to be done: what came of some may ask for more.
    pub(super) fn set_total(&self, total: u64) {
        self.bar.set_length(total);
    }

    /// So many are done by now; `message` says more, or nothing.
    pub(super) fn set(&mut self, done: u64, message: &str) {
        self.bar.set_position(done);
        self.bar.set_message(message.to_owned());
    }

    /// Takes the bar away.
    pub(super) fn finish(self) {
        self.bar.finish_and_clear();
    }
}

/// How far a run has come that had done so many things before.
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
        None => write!(line, ", {:#} passed", HumanDuration(bar.elapsed())),
    };
    line
}

/// How fast things are done, on average since a run began: a single one may take minutes, and what the last seconds alone
/// say would then be that the run never ends.
struct Pace {
    a_second: f64,
    left: Duration,
}

impl Pace {
    /// Of a run that went from `before` things to `done` of `total`; `None` if nothing has been done yet.
    fn of(before: u64, done: u64, total: u64, elapsed: Duration) -> Option<Pace> {
        let new = done.checked_sub(before).filter(|new| *new > 0)? as f64;
        let seconds = elapsed.as_secs_f64().max(1e-3);
        let left = Duration::try_from_secs_f64(seconds * total.saturating_sub(done) as f64 / new);
        Some(Pace { a_second: new / seconds, left: left.unwrap_or(Duration::MAX) })
    }

    fn rate(&self) -> String {
        match self.a_second {
            slow if slow < 0.5 / 60.0 => format!("{:.1} an hour", 3600.0 * slow),
            slow if slow < 0.5 => format!("{:.1} a minute", 60.0 * slow),
            fast => format!("{fast:.1} a second"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_takes_as_long_as_what_was_done() {
        let minute = Duration::from_secs(60);
        assert!(Pace::of(4, 4, 10, minute).is_none(), "nothing has been done yet");
        let pace = Pace::of(4, 6, 10, minute).unwrap();
        assert_eq!((pace.left, pace.rate()), (minute * 2, "2.0 a minute".to_owned()));
        assert_eq!(Pace::of(0, 1, 9, 3 * minute).unwrap().rate(), "20.0 an hour");
        assert_eq!(Pace::of(0, 90, 90, minute).unwrap().rate(), "1.5 a second");
        assert_eq!(Pace::of(0, 11, 10, minute).unwrap().left, Duration::ZERO);
    }

    #[test]
    fn a_line_says_how_long_it_takes_or_has_taken() {
        let bar = ProgressBar::hidden();
        bar.set_length(9);
        assert_eq!(line(&bar, 0, "games"), "0 of 9 games, 0s passed");
        bar.set_position(3);
        bar.set_message("1 not found");
        let text = line(&bar, 0, "games");
        assert!(text.starts_with("3 of 9 games, ") && text.contains(" a second, 1 not found, "), "{text}");
        assert!(text.ends_with(" left"), "{text}");
    }
}
