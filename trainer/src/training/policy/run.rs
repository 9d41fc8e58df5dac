use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use tch::{Device, Tensor};

use super::{
    HeldOut, Measures, PolicyRecipe,
    held_out::{ONLINE, OVER_THE_BOARD, TIMED},
    loss::Losses,
    optimizer::Optimizer,
    predictions::predict,
    progress::{PolicyProgress, PolicyRecord},
    workers::{Objective, Workers},
};
use crate::{
    dataset::goal::{Archive, Rounds, Sample, Source},
    network::tower::Weights,
    training::{CheckpointError, tensors},
};

/// Samples of a round, within which they are shuffled.
const ROUND: usize = 1 << 17;
/// Gradients longer than this are shortened to it.
const MOST_GRADIENT: f64 = 1.0;
/// Steps between two looks at the clock.
const STEPS_BETWEEN_LOOKS: u64 = 20;

/// A policy in training.
pub struct PolicyTrainer {
    device: Device,
    threads: usize,
    archive: Arc<Archive>,
    own: Option<Arc<Archive>>,
    held_out: HeldOut,
    compared: Option<HeldOut>,
    weights: Tensor,
    average: Tensor,
    optimizer: Optimizer,
    progress: PolicyProgress,
    since: Since,
}

/// What was seen since the last record.
#[derive(Clone, Copy, Debug, Default)]
struct Since {
    steps: u64,
    losses: Losses,
    seconds: f64,
}

/// Something worth saving or showing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PolicyEvent {
    /// Some more steps are done.
    Steps,
    /// It is time for a checkpoint.
    Save,
    /// A validation was made.
    Validated,
}

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PolicyEnd {
    /// All samples are done.
    Finished,
    /// The stop flag was raised, or the time is up.
    Stopped,
    /// The loss or a weight is no longer a finite number.
    Diverged,
}

impl PolicyTrainer {
    /// A new run on the games of `archive`, measured on `held_out`.
    pub fn new(
        recipe: &PolicyRecipe,
        archive: Arc<Archive>,
        held_out: HeldOut,
        device: Device,
        threads: usize,
    ) -> PolicyTrainer {
        let weights = Weights::random(&recipe.tower, device, recipe.seed as i64).flat().shallow_clone();
        PolicyTrainer {
            device,
            threads,
            average: weights.copy(),
            optimizer: Optimizer::new(recipe.optimizer, &recipe.tower, &weights, recipe.precision.kind()),
            progress: PolicyProgress {
                recipe: recipe.clone(),
                start: None,
                games: archive.len() as u64,
                own_games: 0,
                steps: 0,
                round: 0,
                batches: 0,
                seconds: 0.0,
                records: Vec::new(),
                measures: None,
            },
            weights,
            archive,
            own: None,
            held_out,
            compared: None,
            since: Since::default(),
        }
    }

    /// Learns from games of its own, too.
    pub fn learn_from(&mut self, own: Archive) {
        self.progress.own_games = own.len() as u64;
        self.own = Some(Arc::new(own));
    }

    /// Measures progress on these samples, too.
    pub fn compare_on(&mut self, samples: HeldOut) {
        self.compared = Some(samples);
    }

    /// Begins with these weights, of the network that `name` tells of, instead of random ones.
    ///
    /// # Panics
    /// If they are another network's.
    pub fn start_with(&mut self, weights: &Tensor, name: String) {
        self.progress.start = Some(name);
        assert_eq!(weights.size(), self.weights.size());
        self.weights = weights.to_device(self.device).copy();
        self.average = self.weights.copy();
    }

    /// Goes on where the checkpoint at `path` left off; the recipe may differ in some keys (see
    /// [`PolicyRecipe::incompatible_key`]).
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is no whole checkpoint, or what differs that may not.
    pub fn restore(&mut self, path: &Path) -> anyhow::Result<()> {
        let (progress, rows) = PolicyTrainer::read(path, self.device)?;
        if let Some(key) = progress.recipe.incompatible_key(&self.progress.recipe) {
            anyhow::bail!("{}: the checkpoint was made with another `{key}`", path.display());
        }
        if progress.games != self.progress.games {
            anyhow::bail!(
                "{}: the checkpoint was made with {} games, expected {}",
                path.display(),
                progress.games,
                self.progress.games
            );
        }
        if progress.own_games != self.progress.own_games {
            anyhow::bail!(
                "{}: the checkpoint was made with {} own games, expected {}",
                path.display(),
                progress.own_games,
                self.progress.own_games
            );
        }
        let recipe = self.progress.recipe.clone();
        self.progress = PolicyProgress { recipe, ..progress };
        let [weights, average, first, second] = rows;
        (self.weights, self.average) = (weights, average);
        (self.optimizer.first, self.optimizer.second) = (first, second);
        Ok(())
    }

    /// The state and the rows (weights, their average, both moments) of a checkpoint.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is no whole checkpoint.
    pub fn read(path: &Path, device: Device) -> Result<(PolicyProgress, [Tensor; 4]), CheckpointError> {
        let mut file = tensors::read(path)?;
        let progress: PolicyProgress = file.state()?;
        let length = Weights::count(&progress.recipe.tower);
        let mut row = |name| file.row(name, length, device);
        let rows = [row(ROWS[0])?, row(ROWS[1])?, row(ROWS[2])?, row(ROWS[3])?];
        Ok((progress, rows))
    }

    /// Writes a checkpoint to `path`, replacing it at once or not at all.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), CheckpointError> {
        let rows = [&self.weights, &self.average, &self.optimizer.first, &self.optimizer.second];
        let named: Vec<(&str, &Tensor)> = ROWS.into_iter().zip(rows).collect();
        tensors::write(path, &self.progress, &named)
    }

    /// Where the run is.
    pub fn progress(&self) -> &PolicyProgress {
        &self.progress
    }

    /// The averaged weights, in a row.
    pub fn average(&self) -> &Tensor {
        &self.average
    }

    /// The samples that progress is measured on.
    pub fn held_out(&self) -> &HeldOut {
        &self.held_out
    }

    /// The mean cross-entropy of the moves since the last record.
    pub fn recent_loss(&self) -> f64 {
        self.since.losses.policy / self.since.steps.max(1) as f64
    }

    /// Trains until the samples are done, `stop` is raised or the time is up.
    ///
    /// # Errors
    ///
    /// The first error of `on_event`.
    pub fn run<E>(
        &mut self,
        save_every: Duration,
        limit: Option<Duration>,
        stop: &AtomicBool,
        mut on_event: impl FnMut(&PolicyTrainer, PolicyEvent) -> Result<(), E>,
    ) -> Result<PolicyEnd, E> {
        let recipe = self.progress.recipe.clone();
        let workers = Workers::new(
            Objective {
                tower: recipe.tower,
                precision: recipe.precision,
                value_weight: recipe.value_weight,
                result_weight: recipe.result_weight,
                device: self.device,
            },
            self.threads,
        );
        let source = Source {
            archive: Arc::clone(&self.archive),
            online: recipe.online,
            player_games: recipe.player_games,
            own: self.own.as_ref().map(|own| (Arc::clone(own), recipe.own)),
        };
        let mut rounds =
            Rounds::new(source, recipe.sampler(), ROUND, recipe.seed, self.progress.round, self.threads);
        let (start, mut saved) = (Instant::now(), Instant::now());
        let batch = recipe.batch as usize;
        let every = recipe.validate_every / recipe.batch;
        loop {
            let round = rounds.next_round();
            let batches: Vec<&[Sample]> = round.chunks_exact(batch).collect();
            while (self.progress.batches as usize) < batches.len() {
                if self.progress.steps >= recipe.steps() {
                    return Ok(PolicyEnd::Finished);
                }
                let late = limit.is_some_and(|limit| start.elapsed() >= limit);
                if late || stop.load(Ordering::Relaxed) {
                    on_event(self, PolicyEvent::Save)?;
                    return Ok(PolicyEnd::Stopped);
                }
                self.step(
                    &workers,
                    batches[self.progress.batches as usize],
                    recipe.rate(self.progress.steps),
                );
                let steps = self.progress.steps;
                if steps.is_multiple_of(STEPS_BETWEEN_LOOKS) {
                    if !self.since.losses.policy.is_finite() {
                        return Ok(PolicyEnd::Diverged);
                    }
                    on_event(self, PolicyEvent::Steps)?;
                }
                if steps.is_multiple_of(every) || steps == recipe.steps() {
                    if !self.is_finite() {
                        return Ok(PolicyEnd::Diverged);
                    }
                    self.validate();
                    on_event(self, PolicyEvent::Validated)?;
                    saved = Instant::now();
                } else if saved.elapsed() >= save_every && self.is_finite() {
                    on_event(self, PolicyEvent::Save)?;
                    saved = Instant::now();
                }
            }
            self.progress.round += 1;
            self.progress.batches = 0;
        }
    }

    fn step(&mut self, workers: &Workers, samples: &[Sample], rate: f64) {
        let start = Instant::now();
        let (gradient, losses) = workers.gradient(samples, &self.weights);
        let _guard = tch::no_grad_guard();
        let length = gradient.norm().double_value(&[]);
        let gradient = if length > MOST_GRADIENT { gradient * (MOST_GRADIENT / length) } else { gradient };
        let step = self.progress.steps + 1;
        self.optimizer.step(&self.weights, &gradient, step, rate);
        // Early on the average follows the weights closely: the first ones are random.
        let keep = self.progress.recipe.averaging.min((step + 1) as f64 / (step + 10) as f64);
        let _ = self.average.lerp_(&self.weights, 1.0 - keep);
        let seconds = start.elapsed().as_secs_f64();
        self.progress.steps = step;
        self.progress.batches += 1;
        self.progress.seconds += seconds;
        let sums = &mut self.since;
        sums.steps += 1;
        sums.seconds += seconds;
        sums.losses.policy += losses.policy;
        sums.losses.value += losses.value;
        sums.losses.action_value += losses.action_value;
        sums.losses.result += losses.result;
    }

    fn is_finite(&self) -> bool {
        [&self.weights, &self.average].iter().all(|row| row.isfinite().all().int64_value(&[]) == 1)
    }

    /// What the averaged weights say of held-out samples.
    fn measure(&self, held_out: &HeldOut) -> Measures {
        let tower = &self.progress.recipe.tower;
        held_out.measure(&predict(tower, &self.average, held_out.samples(), self.device, self.threads))
    }

    fn validate(&mut self) {
        let measures = self.measure(&self.held_out);
        let compared = self.compared.as_ref().map(|held_out| self.measure(held_out)).unwrap_or_default();
        let Since { steps, losses, seconds } = std::mem::take(&mut self.since);
        let count = steps.max(1) as f64;
        let progress = &mut self.progress;
        let moves = |group: &str| measures.moves.get(group).copied().unwrap_or_default();
        let reach = measures.reach.get("all").cloned().unwrap_or_default();
        let timed = TIMED.map(|group| measures.moves.get(group).map(|score| score.cross_entropy));
        let compared = [ONLINE, OVER_THE_BOARD].map(|group| compared.moves.get(group).copied());
        progress.records.push(PolicyRecord {
            positions: progress.steps * progress.recipe.batch,
            train_policy: losses.policy / count,
            train_value: losses.value / count,
            train_action_value: losses.action_value / count,
            train_result: losses.result / count,
            online_cross_entropy: moves(ONLINE).cross_entropy,
            online_top_1: moves(ONLINE).top_1,
            over_the_board_cross_entropy: moves(OVER_THE_BOARD).cross_entropy,
            over_the_board_top_1: moves(OVER_THE_BOARD).top_1,
            hindsight_cross_entropy: moves("hindsight online").cross_entropy,
            hidden_clock_cross_entropy: timed[0],
            told_clock_cross_entropy: timed[1],
            compared_online_cross_entropy: compared[0].map(|score| score.cross_entropy),
            compared_online_top_1: compared[0].map(|score| score.top_1),
            compared_over_the_board_cross_entropy: compared[1].map(|score| score.cross_entropy),
            compared_over_the_board_top_1: compared[1].map(|score| score.top_1),
            value_auc: reach.value_auc,
            action_value_auc: reach.action_value_auc,
            result_loss: measures.result_loss,
            learning_rate: progress.recipe.rate(progress.steps.saturating_sub(1)),
            positions_per_second: (steps * progress.recipe.batch) as f64 / seconds.max(1e-9),
            seconds: progress.seconds,
        });
        progress.measures = Some(measures);
    }
}

/// The names of a checkpoint's rows.
const ROWS: [&str; 4] = ["weights", "average", "first", "second"];
