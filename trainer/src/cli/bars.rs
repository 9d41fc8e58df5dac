//! Progress bars for long work.

use std::sync::Mutex;

use indicatif::{ProgressBar, ProgressStyle};

use crate::progress::ProgressObserver;

/// Shows one progress bar at a time.
#[derive(Default)]
pub(super) struct Bars(Mutex<Option<ProgressBar>>);

impl Bars {
    fn current(&self) -> std::sync::MutexGuard<'_, Option<ProgressBar>> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl ProgressObserver for Bars {
    fn begin(&self, what: &str, length: u64, things: &str) {
        let bar =
            bar(length, &format!("{{msg}} {{bar:32}} {{pos}}/{{len}} {things}, {{per_sec}}, {{eta}} left"));
        bar.set_message(what.to_owned());
        *self.current() = Some(bar);
    }

    fn done(&self, more: u64) {
        if let Some(bar) = &*self.current() {
            bar.inc(more);
        }
    }

    fn end(&self) {
        if let Some(bar) = self.current().take() {
            bar.finish_and_clear();
        }
    }
}

/// A progress bar over `length` things.
pub(super) fn bar(length: u64, template: &str) -> ProgressBar {
    let bar = ProgressBar::new(length);
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}
