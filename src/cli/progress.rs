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
pub struct Progress {
    bar: ProgressBar,
    /// Who tells a log ends with it.
    _teller: Option<Sender<()>>,
}

impl Progress {
    /// Of `total` things, which `noun` names, so many are done already.
    pub fn new(total: u64, done: u64, noun: &'static str) -> Progress {
        let template =
            format!("{{bar:30}} {{pos}}/{{len}} {noun}  {{per_sec}}  {{elapsed}} passed, {{left}}  {{msg}}");
        let left = move |state: &ProgressState, text: &mut dyn std::fmt::Write| {
            let _ = if state.pos() > done {
                write!(text, "{:#} left", HumanDuration(state.eta()))
            } else {
                text.write_str("time left unknown")
            };
        };
        let style =
            ProgressStyle::with_template(&template).expect("a template of ours").with_key("left", left);
        let bar = ProgressBar::new(total).with_style(style);
        bar.set_position(done);
        bar.reset_eta();
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
    pub fn set_total(&self, total: u64) {
        self.bar.set_length(total);
    }

    /// So many are done by now; `message` says more, or nothing.
    pub fn set(&mut self, done: u64, message: &str) {
        self.bar.set_position(done);
        self.bar.set_message(message.to_owned());
    }

    /// Takes the bar away.
    pub fn finish(self) {
        self.bar.finish_and_clear();
    }
}

/// How far a run has come that had done so many things before.
fn line(bar: &ProgressBar, before: u64, noun: &str) -> String {
    let (done, total) = (bar.position(), bar.length().unwrap_or(0));
    let mut line = format!("{done} of {total} {noun}");
    if done > before {
        let _ = write!(line, ", {:.1} a second", bar.per_sec());
    }
    let message = bar.message();
    if !message.is_empty() {
        let _ = write!(line, ", {message}");
    }
    let _ = if done > before {
        write!(line, ", {:#} left", HumanDuration(bar.eta()))
    } else {
        write!(line, ", {:#} passed", HumanDuration(bar.elapsed()))
    };
    line
}

#[cfg(test)]
mod tests {
    use super::*;

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
