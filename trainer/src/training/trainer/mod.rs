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
use crate::export::utc_date;

/// Steps between two looks at the clock, the loss and the weights.
const STEPS_BETWEEN_LOOKS: u64 = 20;

/// When a run stops to save, and when it ends early: nothing that changes a weight.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// What was run, for model cards.
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
    /// Nothing improved any more.
    NoImprovement,
    /// The time limit was reached.
    TimeLimit,
    /// The stop flag was raised.
    Interrupted,
    /// The loss or a weight is no longer a finite number; the last checkpoint is from before.
    Diverged,
}

/// Something worth saving or showing. Errors of the receiver end the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// Some more steps are done.
    Steps,
    /// It is time for a checkpoint.
    Save,
    /// A validation was made; `true`: its network is kept.
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
    /// Of the steps since the last look.
    looked: Sums,
    /// The mean loss of the steps between the last two looks.
    recent_loss: f64,
}

impl<T: Task> Trainer<T> {
    /// A new run.
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

    /// Goes on where `checkpoint` left off; its recipe may differ from this run's in some keys (see
    /// [`TaskRecipe::incompatible_key`]).
    ///
    /// # Errors
    ///
    /// What differs that may not.
    pub fn restore(&mut self, checkpoint: Checkpoint<T>) -> Result<(), String> {
        let recipe = self.progress.recipe.clone();
        check_recipe(&checkpoint, &recipe)?;
        let (found, expected) = (&checkpoint.progress.data, &self.progress.data);
        if found != expected {
            return Err(format!("the checkpoint was made with other games: {found}, expected {expected}"));
        }
        self.progress = Progress { recipe, ..checkpoint.progress };
        let Rows { weights, average, first, second, best } = checkpoint.rows;
        (self.weights, self.average, self.best) = (weights, average, best);
        (self.optimizer.first, self.optimizer.second) = (first, second);
        Ok(())
    }

    /// Writes all that the run needs to go on to `path`, replacing it at once or not at all.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), CheckpointError> {
        checkpoint::write(path, &self.progress, &self.rows())
    }

    /// The rows of numbers as they are.
    pub fn rows(&self) -> Rows {
        let [weights, average, first, second, best] =
            [&self.weights, &self.average, &self.optimizer.first, &self.optimizer.second, &self.best]
                .map(Tensor::shallow_clone);
        Rows { weights, average, first, second, best }
    }

    /// Where the run is.
    pub fn progress(&self) -> &Progress<T> {
        &self.progress
    }

    /// What is trained, and on what.
    pub fn task(&self) -> &T {
        &self.task
    }

    /// The mean loss of the last few batches; NaN before the first.
    pub fn recent_loss(&self) -> f64 {
        self.recent_loss
    }

    /// Keeps what the kept network says of the test split; nothing happens before the first validation.
    pub fn keep_test(&mut self, test: T::Test) {
        if let Some(best) = &mut self.progress.best {
            best.test = Some(test);
        }
    }

    /// Trains until the recipe's steps are done, nothing improves, the time is up or `stop` is raised. The last two
    /// call for a checkpoint; nothing else that a clock decides.
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
            if T::gives_up(&self.progress.recipe, &self.progress.records) {
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
        if let Some(most) = T::MOST_GRADIENT {
            let length = gradient.norm().double_value(&[]);
            if length > most {
                gradient *= most / length;
            }
        }
        let recipe = &self.progress.recipe;
        self.optimizer.step(&self.weights, &gradient, step + 1, recipe.rate(step));
        // Early on the average follows the weights closely: the first ones are random.
        let keep = recipe.averaging().min((step + 1) as f64 / (step + 10) as f64);
        let _ = self.average.lerp_(&self.weights, 1.0 - keep);
        let seconds = start.elapsed().as_secs_f64();
        self.progress.steps += 1;
        self.progress.seconds += seconds;
        self.progress.recent.add(&losses, seconds);
        self.looked.add(&losses, seconds);
    }

    /// True if the losses of the last steps and the weights after them are numbers. The losses alone do not tell: they
    /// were taken before the last step.
    fn look(&mut self) -> bool {
        let means = std::mem::take(&mut self.looked).means();
        self.recent_loss = means.first().copied().unwrap_or(f64::NAN);
        let finite = |row: &Tensor| row.isfinite().all().int64_value(&[]) == 1;
        means.iter().all(|loss| loss.is_finite()) && finite(&self.weights) && finite(&self.average)
    }

    /// Measures the averaged weights and keeps them if they are to be kept, which the result says. `None`, and nothing is
    /// changed, if their loss is not a finite number.
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

/// Checks that the run of a checkpoint can go on with `recipe`.
///
/// # Errors
///
/// What differs that may not.
pub fn check_recipe<T: Task>(checkpoint: &Checkpoint<T>, recipe: &T::Recipe) -> Result<(), String> {
    match checkpoint.progress.recipe.incompatible_key(recipe) {
        Some(key) => Err(format!("the checkpoint was made with another `{key}`")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests;
