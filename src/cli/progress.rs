//! How far a long run has come: a bar on a terminal, and elsewhere a line now and then.

use std::{
    io::{self, Write},
    time::{Duration, Instant},
};

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

/// How often a log is told how far a run has come; a terminal sees it all the time.
const TELL_EVERY: Duration = Duration::from_secs(10);

/// The progress of a run, on standard error.
pub struct Progress {
    bar: ProgressBar,
    noun: &'static str,
    told: Instant,
}

impl Progress {
    /// Of `total` things, which `noun` names, so many are done already.
    pub fn new(total: u64, done: u64, noun: &'static str) -> Progress {
        let template = format!(
            "{{bar:30}} {{pos}}/{{len}} {noun}  {{per_sec}}  {{elapsed}} passed, {{eta}} left  {{msg}}"
        );
        let style = ProgressStyle::with_template(&template).expect("a template of ours");
        let bar = ProgressBar::new(total).with_style(style);
        bar.set_position(done);
        bar.reset_eta();
        // One thing may take a minute.
        bar.enable_steady_tick(Duration::from_millis(500));
        Progress { bar, noun, told: Instant::now() }
    }

    /// So many are done by now; `message` says more, or nothing.
    pub fn set(&mut self, done: u64, message: &str) {
        self.bar.set_position(done);
        self.bar.set_message(message.to_owned());
        if self.bar.is_hidden() && self.told.elapsed() >= TELL_EVERY {
            self.told = Instant::now();
            let (rate, left) = (self.bar.per_sec(), HumanDuration(self.bar.eta()));
            let (noun, total) = (self.noun, self.bar.length().unwrap_or(0));
            let message = if message.is_empty() { String::new() } else { format!("{message}, ") };
            let text = format!("{done} of {total} {noun}, {rate:.1} a second, {message}{left:#} left");
            let _ = writeln!(io::stderr(), "{text}");
        }
    }

    /// Takes the bar away.
    pub fn finish(self) {
        self.bar.finish_and_clear();
    }
}
