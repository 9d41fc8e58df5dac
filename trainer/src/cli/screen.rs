//! The output of `train` while it runs.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressDrawTarget};

use super::bars::bar;
use crate::training::{Task, TaskRecipe as _, Trainer};

/// Shows a progress bar and a line for each validation on standard error. If that is a file, only the lines.
pub(super) struct Screen {
    bar: ProgressBar,
}

impl Screen {
    /// Creates the bar at the current progress of a run.
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

    /// Removes the bar.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    /// Updates the bar after some steps.
    pub(super) fn steps<T: Task>(&self, trainer: &Trainer<T>) {
        let progress = trainer.progress();
        let place = progress.recipe.progress(progress.steps);
        self.bar.set_position(progress.samples());
        self.bar.set_message(format!("{place}loss {:.4}", trainer.recent_loss()));
    }

    /// Prints the results of a validation.
    pub(super) fn validated<T: Task>(&self, trainer: &Trainer<T>, kept: bool) {
        if let Some(record) = trainer.progress().records.last() {
            self.say(&T::line(record, kept));
        }
    }
}
