use std::{
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant, SystemTime},
};

use tch::{Device, Tensor};

use super::{
    Best, Checkpoint, CheckpointError, Optimizer, Origin, Progress, Rows, Stretch, Sums, Task, TaskRecipe,
    checkpoint, task::device_name,
};
use crate::files::utc_date;

/// Number of steps between two checks of the clock, the loss and the weights.
const STEPS_BETWEEN_LOOKS: u64 = 20;

/// When a run saves checkpoints, and when it ends early. The options do not affect the weights.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// The command, for model cards.
    pub command: String,
    /// Time between two checkpoints without a validation.
    pub save_every: Duration,
    /// The run ends after this time; it can be resumed.
    pub limit: Option<Duration>,
}

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All steps are done.
    Finished,
    /// The validation loss no longer improved.
    NoImprovement,
    /// The time limit was reached.
    TimeLimit,
    /// The stop flag was set.
    Interrupted,
    /// The loss or a weight is no longer finite. The last checkpoint was saved before that.
    Diverged,
}

/// Something to save or show. An error of the receiver ends the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// More steps are done.
    Steps,
    /// It is time for a checkpoint.
    Save,
    /// A validation was made; `true` if its network is kept as the best.
    Validated(bool),
}

/// A network in training.
pub struct Trainer<T: Task> {
    task: T,
    device: Device,
    weights: Tensor,
    average: Tensor,
    best: Tensor,
    optimizer: Optimizer,
    progress: Progress<T>,
    /// Sums over the steps since the last check.
    looked: Sums,
    /// The mean loss of the steps between the last two checks.
    recent_loss: f64,
}

impl<T: Task> Trainer<T> {
    /// Begins a new run.
    pub fn new(recipe: &T::Recipe, task: T, device: Device) -> Trainer<T> {
        let weights = task.weights().to_device(device);
        let progress = Progress {
            data: task.data(),
            start: task.start().map(str::to_owned),
            steps: 0,
            seconds: 0.0,
            recent: Sums::default(),
            recipe: recipe.clone(),
            place: T::Place::default(),
            best: None,
            records: Vec::new(),
        };
        Trainer {
            average: weights.copy(),
            best: weights.copy(),
            optimizer: task.optimizer(&weights),
            weights,
            task,
            device,
            progress,
            looked: Sums::default(),
            recent_loss: f64::NAN,
        }
    }

    /// Continues the run of `checkpoint`. Its recipe may differ from this run's in some keys (see
    /// [`TaskRecipe::incompatible_key`]).
    ///
    /// # Errors
    ///
    /// If something differs that must not change; the message says what.
    pub fn restore(&mut self, checkpoint: Checkpoint<T>) -> Result<(), String> {
        let recipe = self.progress.recipe.clone();
        check_recipe(&checkpoint, &recipe)?;
        let (found, expected) = (&checkpoint.progress.data, &self.progress.data);
        if found != expected {
            return Err(format!("the checkpoint belongs to other games: {found}, expected {expected}"));
        }
        let (found, expected) = (&checkpoint.progress.start, &self.progress.start);
        if expected.is_some() && found != expected {
            let name = |start: &Option<String>| start.clone().unwrap_or_else(|| "random weights".to_owned());
            return Err(format!("the checkpoint began with {}, not with {}", name(found), name(expected)));
        }
        self.progress = Progress { recipe, ..checkpoint.progress };
        let Rows { weights, average, first, second, best } = checkpoint.rows;
        (self.weights, self.average, self.best) = (weights, average, best);
        (self.optimizer.first, self.optimizer.second) = (first, second);
        Ok(())
    }

    /// Writes a checkpoint to `path`, which is replaced atomically.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), CheckpointError> {
        checkpoint::write(path, &self.progress, &self.rows())
    }

    /// The current rows of numbers.
    pub fn rows(&self) -> Rows {
        let [weights, average, first, second, best] =
            [&self.weights, &self.average, &self.optimizer.first, &self.optimizer.second, &self.best]
                .map(Tensor::shallow_clone);
        Rows { weights, average, first, second, best }
    }

    /// The progress of the run.
    pub fn progress(&self) -> &Progress<T> {
        &self.progress
    }

    /// The task.
    pub fn task(&self) -> &T {
        &self.task
    }

    /// The mean loss of the last few batches; NaN before the first.
    pub fn recent_loss(&self) -> f64 {
        self.recent_loss
    }

    /// Stores the test results of the best network. Does nothing before the first validation.
    pub fn keep_test(&mut self, test: T::Test) {
        if let Some(best) = &mut self.progress.best {
            best.test = Some(test);
        }
    }

    /// Trains until all steps of the recipe are done, the loss no longer improves, the time limit is reached or `stop`
    /// is set. In the last two cases, it asks for a checkpoint. The clock decides nothing else, except when checkpoints
    /// are saved.
    ///
    /// # Errors
    ///
    /// The first error of `on_event`.
    pub fn run<E>(
        &mut self,
        options: &RunOptions,
        stop: &AtomicBool,
        mut on_event: impl FnMut(&Trainer<T>, Event) -> Result<(), E>,
    ) -> Result<Outcome, E> {
        let start = Instant::now();
        let mut saved = start;
        let all = self.progress.recipe.steps();
        while self.progress.steps < all {
            if T::is_out_of_patience(&self.progress.recipe, &self.progress.records) {
                return Ok(Outcome::NoImprovement);
            }
            let is_late = options.limit.is_some_and(|limit| start.elapsed() >= limit);
            if is_late || stop.load(Ordering::Relaxed) {
                on_event(self, Event::Save)?;
                return Ok(if is_late { Outcome::TimeLimit } else { Outcome::Interrupted });
            }
            let due = self.progress.recipe.next_validation(self.progress.steps);
            self.step();
            let is_due = self.progress.steps == due;
            if !is_due && !self.progress.steps.is_multiple_of(STEPS_BETWEEN_LOOKS) {
                continue;
            }
            if !self.look() {
                return Ok(Outcome::Diverged);
            }
            on_event(self, Event::Steps)?;
            if is_due {
                let Some(kept) = self.validate(&options.command) else { return Ok(Outcome::Diverged) };
                on_event(self, Event::Validated(kept))?;
                saved = Instant::now();
            } else if saved.elapsed() >= options.save_every {
                on_event(self, Event::Save)?;
                saved = Instant::now();
            }
        }
        Ok(Outcome::Finished)
    }

    fn step(&mut self) {
        let start = Instant::now();
        let step = self.progress.steps;
        let (mut gradient, losses) = self.task.gradient(&mut self.progress.place, step, &self.weights);
        let _guard = tch::no_grad_guard();
        if let Some(most) = T::MAX_GRADIENT {
            let length = gradient.norm().double_value(&[]);
            if length > most {
                gradient *= most / length;
            }
        }
        let recipe = &self.progress.recipe;
        self.optimizer.step(&self.weights, &gradient, step + 1, recipe.rate(step));
        // At the beginning, the average follows the weights closely, because the initial weights are random.
        let keep = recipe.averaging().min((step + 1) as f64 / (step + 10) as f64);
        let _ = self.average.lerp_(&self.weights, 1.0 - keep);
        let seconds = start.elapsed().as_secs_f64();
        self.progress.steps += 1;
        self.progress.seconds += seconds;
        self.progress.recent.add(&losses, seconds);
        self.looked.add(&losses, seconds);
    }

    /// True if the losses of the last steps and the current weights are finite. The losses alone are not enough,
    /// because they were computed before the last step.
    fn look(&mut self) -> bool {
        let means = std::mem::take(&mut self.looked).means();
        self.recent_loss = means.first().copied().unwrap_or(f64::NAN);
        let finite = |row: &Tensor| row.isfinite().all().int64_value(&[]) == 1;
        means.iter().all(|loss| loss.is_finite()) && finite(&self.weights) && finite(&self.average)
    }

    /// Validates the averaged weights. Returns whether they are kept as the best. If their loss is not finite, returns
    /// `None` and changes nothing.
    fn validate(&mut self, command: &str) -> Option<bool> {
        let measures = self.task.measure(&self.average);
        let loss = T::loss(&measures);
        if !loss.is_finite() {
            return None;
        }
        let progress = &mut self.progress;
        let recent = std::mem::take(&mut progress.recent);
        let stretch = Stretch {
            samples: progress.samples(),
            losses: recent.means(),
            learning_rate: progress.recipe.rate(progress.steps.saturating_sub(1)),
            samples_per_second: (recent.steps * progress.recipe.batch()) as f64 / recent.seconds.max(1e-9),
            seconds: progress.seconds,
        };
        progress.records.push(self.task.record(&stretch, &measures));
        let is_lower = progress.best.as_ref().is_none_or(|best| loss < T::loss(&best.measures));
        let is_kept = is_lower || !T::KEEPS_LOWEST;
        if is_kept {
            progress.best = Some(Best {
                steps: progress.steps,
                losses: stretch.losses,
                origin: Origin {
                    command: command.to_owned(),
                    date: utc_date(SystemTime::now()),
                    device: device_name(self.device),
                    threads: self.task.threads() as u64,
                    recipe: progress.recipe.clone(),
                },
                measures,
                test: None,
            });
            self.best = self.average.copy();
        }
        Some(is_kept)
    }
}

/// Checks that the run of a checkpoint can be resumed with `recipe`.
///
/// # Errors
///
/// If something differs that must not change; the message says what.
pub fn check_recipe<T: Task>(checkpoint: &Checkpoint<T>, recipe: &T::Recipe) -> Result<(), String> {
    match checkpoint.progress.recipe.incompatible_key(recipe) {
        Some(key) => Err(format!("the checkpoint belongs to a recipe with another `{key}`")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests;
