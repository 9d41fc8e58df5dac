//! What `train` shows while it runs.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressDrawTarget};

use super::read::bar;
use crate::training::Trainer;

/// Standard error: a progress bar, or on a file a line for each validation.
pub struct Screen {
    bar: ProgressBar,
}

impl Screen {
    /// The bar of a run, as far as it is.
    pub fn new(trainer: &Trainer<'_>) -> Screen {
        let recipe = &trainer.progress().recipe;
        let bar = bar(recipe.epochs * recipe.pairs_per_epoch, "{bar:32} {msg}, {per_sec}, {eta} left");
        if std::io::stderr().is_terminal() {
            bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(4));
        }
        bar.set_position(trainer.progress().steps * recipe.batch);
        bar.reset_eta();
        Screen { bar }
    }

    /// Prints a line above the bar.
    pub fn say(&self, line: &str) {
        self.bar.suspend(|| eprintln!("{line}"));
    }

    /// Takes the bar off.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }

    /// After some steps.
    pub fn steps(&self, trainer: &Trainer<'_>) {
        let progress = trainer.progress();
        let epoch = progress.steps as f64 / progress.recipe.steps_per_epoch() as f64;
        self.bar.set_position(progress.steps * progress.recipe.batch);
        self.bar.set_message(format!(
            "epoch {epoch:.2} of {}, loss {:.4}",
            progress.recipe.epochs,
            trainer.recent_loss()
        ));
    }

    /// After a validation.
    pub fn validated(&self, trainer: &Trainer<'_>, improved: bool) {
        let Some(record) = trainer.progress().records.last() else { return };
        self.say(&format!(
            "epoch {:.3}: training loss {:.5}, validation loss {:.5}{}, AUC {:.4}, {:.0} samples/s",
            record.epoch,
            record.train_loss,
            record.validation_loss,
            if improved { " (best)" } else { "" },
            record.auc.unwrap_or(f64::NAN),
            record.samples_per_second
        ));
    }
}
