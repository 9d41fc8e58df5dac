//! What `train` shows while it runs.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressDrawTarget};

use super::bars::bar;
use crate::training::{Task, TaskRecipe as _, Trainer};

/// Standard error: a progress bar, or on a file a line for each validation.
pub(super) struct Screen {
    bar: ProgressBar,
}

impl Screen {
    /// The bar of a run, as far as it is.
    pub(super) fn new<T: Task>(trainer: &Trainer<T>) -> Screen {
        let recipe = &trainer.progress().recipe;
        let bar = bar(recipe.steps() * recipe.batch(), "{bar:32} {msg}, {per_sec}, {eta} left");
        if std::io::stderr().is_terminal() {
            bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(4));
        }
        bar.set_position(trainer.progress().samples());
        bar.reset_eta();
        Screen { bar }
    }

    /// Prints a line above the bar.
    pub(super) fn say(&self, line: &str) {
        self.bar.suspend(|| eprintln!("{line}"));
    }

    /// Takes the bar off.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    /// After some steps.
    pub(super) fn steps<T: Task>(&self, trainer: &Trainer<T>) {
        let progress = trainer.progress();
        let place = progress.recipe.progress(progress.steps);
        self.bar.set_position(progress.samples());
        self.bar.set_message(format!("{place}loss {:.4}", trainer.recent_loss()));
    }

    /// After a validation.
    pub(super) fn validated<T: Task>(&self, trainer: &Trainer<T>, kept: bool) {
        if let Some(record) = trainer.progress().records.last() {
            self.say(&T::line(record, kept));
        }
    }
}
