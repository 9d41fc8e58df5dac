use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant, SystemTime},
};

use tch::{Device, Kind, Tensor};

use super::{
    Adam, Best, Checkpoint, Origin, Progress, Recipe, Record, TestFigures, Validation,
    schedule::learning_rate,
};
use crate::{
    dataset::{Sampler, SatisfactionSet},
    export::utc_date,
    network::{Architecture, NetworkError, Parameters, write_gradients},
};

/// Steps between two looks at the clock, the loss and the weights.
const STEPS_BETWEEN_LOOKS: u64 = 50;

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
    /// All epochs are done.
    Finished,
    /// The validation loss no longer fell.
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
    /// A validation was made; `true`: it is the best so far.
    Validated(bool),
}

/// A network in training.
#[derive(Debug)]
pub struct Trainer<'a> {
    architecture: Architecture,
    device: Device,
    sampler: Sampler<'a>,
    validation: Validation<'a>,
    parameters: Parameters,
    average: Parameters,
    gradients: Parameters,
    adam: Adam,
    best: Tensor,
    progress: Progress,
    recent_loss: f64,
}

impl<'a> Trainer<'a> {
    /// A new run.
    ///
    /// # Errors
    ///
    /// If the recipe names no network.
    pub fn new(
        recipe: &Recipe,
        training: &'a SatisfactionSet,
        validation: &'a SatisfactionSet,
        device: Device,
    ) -> Result<Trainer<'a>, NetworkError> {
        let architecture = recipe.architecture()?;
        let mut parameters = Parameters::random(&architecture, device, recipe.seed as i64);
        if recipe.counting {
            parameters = parameters.counting(&architecture);
        }
        let progress = Progress {
            recipe: recipe.clone(),
            games: training.games(),
            positions: training.positions() as u64,
            steps: 0,
            loss_sum: 0.0,
            loss_count: 0,
            seconds: 0.0,
            total_seconds: 0.0,
            best: None,
            best_epoch_loss: None,
            epochs_without_improvement: 0,
            records: Vec::new(),
        };
        Ok(Trainer {
            sampler: recipe.sampling.of(training, recipe.seed).altering(recipe.altered, recipe.altered_moves),
            validation: Validation::new(validation, recipe.sampling, recipe.validation_pairs),
            average: parameters.with(parameters.flat().copy()),
            gradients: Parameters::zeros(&architecture, device),
            adam: Adam::new(&architecture, device),
            best: parameters.flat().copy(),
            parameters,
            architecture,
            device,
            progress,
            recent_loss: f64::NAN,
        })
    }

    /// Goes on where `checkpoint` left off; its recipe may differ from this run's in some keys (see
    /// [`Recipe::incompatible_key`]).
    ///
    /// # Errors
    ///
    /// What differs that may not.
    pub fn restore(&mut self, checkpoint: Checkpoint) -> Result<(), String> {
        let recipe = &self.progress.recipe;
        checkpoint.progress.check_recipe(recipe)?;
        if (checkpoint.progress.games, checkpoint.progress.positions)
            != (self.progress.games, self.progress.positions)
        {
            return Err(format!(
                "the checkpoint was made with other games: {} with {} positions, expected {} with {}",
                checkpoint.progress.games,
                checkpoint.progress.positions,
                self.progress.games,
                self.progress.positions
            ));
        }
        self.progress = Progress { recipe: recipe.clone(), ..checkpoint.progress };
        self.parameters = self.parameters.with(checkpoint.parameters);
        self.average = self.average.with(checkpoint.average);
        self.adam = Adam { first: checkpoint.first, second: checkpoint.second };
        self.best = checkpoint.best;
        Ok(())
    }

    /// All that the run needs to go on.
    pub fn checkpoint(&self) -> Checkpoint {
        let row = |tensor: &Tensor| tensor.shallow_clone();
        Checkpoint {
            progress: self.progress.clone(),
            parameters: row(self.parameters.flat()),
            average: row(self.average.flat()),
            first: row(&self.adam.first),
            second: row(&self.adam.second),
            best: row(&self.best),
        }
    }

    /// Where the run is.
    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// The mean loss of the last few batches; NaN before the first.
    pub fn recent_loss(&self) -> f64 {
        self.recent_loss
    }

    /// The architecture in training.
    pub fn architecture(&self) -> &Architecture {
        &self.architecture
    }

    /// The weights of the best validation; the initial ones before the first.
    pub fn best(&self) -> Parameters {
        self.parameters.with(self.best.to_device(Device::Cpu))
    }

    /// Keeps what the best network says of the test split; nothing happens before the first validation.
    pub fn keep_test(&mut self, figures: TestFigures) {
        if let Some(best) = &mut self.progress.best {
            best.test = Some(figures);
        }
    }

    /// Trains until the recipe's epochs are done, nothing improves, the time is up or `stop` is raised. The last two
    /// call for a checkpoint; nothing else that a clock decides.
    ///
    /// # Errors
    ///
    /// The first error of `on_event`.
    pub fn run<E>(
        &mut self,
        options: &RunOptions,
        stop: &AtomicBool,
        mut on_event: impl FnMut(&Trainer<'a>, Event) -> Result<(), E>,
    ) -> Result<Outcome, E> {
        let start = Instant::now();
        let mut saved = start;
        let per_epoch = self.progress.recipe.steps_per_epoch();
        let all = per_epoch * self.progress.recipe.epochs;
        loop {
            if self.progress.steps >= all {
                return Ok(Outcome::Finished);
            }
            if self.progress.epochs_without_improvement >= self.progress.recipe.patience {
                return Ok(Outcome::NoImprovement);
            }
            if stop.load(Ordering::Relaxed) {
                on_event(self, Event::Save)?;
                return Ok(Outcome::Interrupted);
            }
            if options.limit.is_some_and(|limit| start.elapsed() >= limit) {
                on_event(self, Event::Save)?;
                return Ok(Outcome::TimeLimit);
            }
            let due = self.progress.recipe.next_validation(self.progress.steps);
            self.steps(STEPS_BETWEEN_LOOKS.min(due - self.progress.steps));
            if !self.is_finite() {
                return Ok(Outcome::Diverged);
            }
            on_event(self, Event::Steps)?;
            if self.progress.steps == due {
                let Some(improved) = self.validate(&options.command) else { return Ok(Outcome::Diverged) };
                on_event(self, Event::Validated(improved))?;
                saved = Instant::now();
            } else if saved.elapsed() >= options.save_every {
                on_event(self, Event::Save)?;
                saved = Instant::now();
            }
        }
    }

    fn steps(&mut self, count: u64) {
        let start = Instant::now();
        let recipe = &self.progress.recipe;
        let sum = Tensor::zeros([1], (Kind::Double, self.device));
        let (mut planes, mut labels) = (Vec::new(), Vec::new());
        for step in self.progress.steps..self.progress.steps + count {
            let first = step * recipe.batch;
            self.sampler.fill(first..first + recipe.batch, &mut planes, &mut labels);
            let planes = Tensor::from_slice(&planes).view([-1, 17, 8, 8]).to_device(self.device);
            let labels = Tensor::from_slice(&labels).to_device(self.device);
            let loss = write_gradients(
                &self.architecture,
                &self.parameters,
                &planes,
                &labels,
                recipe.precision,
                &self.gradients,
            );
            let _ = sum.shallow_clone().g_add_(&loss);
            if recipe.counting {
                self.gradients.clear_counting();
            }
            let rate = learning_rate(recipe, first);
            self.adam.step(self.parameters.flat(), self.gradients.flat(), step + 1, rate);
            // Early on the average follows the weights closely: the first ones are random.
            let keep = recipe.averaging.min((step + 1) as f64 / (step + 10) as f64);
            let _ = self.average.flat().shallow_clone().lerp_(self.parameters.flat(), 1.0 - keep);
        }
        let sum = sum.double_value(&[0]);
        let seconds = start.elapsed().as_secs_f64();
        self.recent_loss = sum / count as f64;
        self.progress.steps += count;
        self.progress.loss_sum += sum;
        self.progress.loss_count += count;
        self.progress.seconds += seconds;
        self.progress.total_seconds += seconds;
    }

    /// True if the loss of the last steps and the weights after them are numbers. The loss alone does not tell: it
    /// was taken before the last step.
    fn is_finite(&self) -> bool {
        let finite = |row: &Parameters| row.flat().isfinite().all().int64_value(&[]) == 1;
        self.recent_loss.is_finite() && finite(&self.parameters) && finite(&self.average)
    }

    /// Measures the averaged weights and keeps them if they are the best so far, which the result says. `None`, and
    /// nothing is changed, if their loss is not a finite number.
    fn validate(&mut self, command: &str) -> Option<bool> {
        let measured = self.validation.measure(&self.architecture, &self.average, self.device);
        if !measured.score.loss.is_finite() {
            return None;
        }
        let progress = &mut self.progress;
        let recipe = &progress.recipe;
        let train_loss = progress.loss_sum / progress.loss_count as f64;
        progress.records.push(Record {
            epoch: progress.steps as f64 / recipe.steps_per_epoch() as f64,
            pairs: progress.steps * recipe.batch,
            train_loss,
            validation_loss: measured.score.loss,
            auc: measured.score.auc,
            learning_rate: learning_rate(recipe, progress.steps.saturating_sub(1) * recipe.batch),
            samples_per_second: (progress.loss_count * recipe.batch) as f64 / progress.seconds,
            seconds: progress.total_seconds,
        });
        (progress.loss_sum, progress.loss_count, progress.seconds) = (0.0, 0, 0.0);
        let loss = measured.score.loss;
        if progress.steps.is_multiple_of(recipe.steps_per_epoch()) {
            if progress.best_epoch_loss.is_none_or(|best| loss < best) {
                progress.best_epoch_loss = Some(loss);
                progress.epochs_without_improvement = 0;
            } else {
                progress.epochs_without_improvement += 1;
            }
        }
        let improved = progress.best.as_ref().is_none_or(|best| loss < best.score.loss);
        if improved {
            progress.best = Some(Best {
                steps: progress.steps,
                train_loss,
                score: measured.score,
                by_constraint: measured.by_constraint,
                origin: Origin {
                    recipe: recipe.clone(),
                    command: command.to_owned(),
                    date: utc_date(SystemTime::now()),
                    device: device_name(self.device),
                    threads: u64::try_from(tch::get_num_threads()).unwrap_or(1),
                },
                test: None,
            });
            self.best = self.average.flat().copy();
        }
        Some(improved)
    }
}

fn device_name(device: Device) -> String {
    match device {
        Device::Cpu => "CPU".to_owned(),
        Device::Cuda(number) => format!("CUDA device {number}"),
        other => format!("{other:?}"),
    }
}

#[cfg(test)]
mod tests;
