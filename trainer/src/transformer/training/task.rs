use std::{ops::Range, path::Path, sync::Arc};

use anyhow::Context as _;
use entente_constraint::counted;
use entente_network::{NetworkKind as _, Policy};
use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};
use serde::{Deserialize, Serialize};
use shakmaty::Position;
use tch::{Device, Tensor};

use super::{
    Groups, Measures, Objective, Test, TransformerRecipe,
    card::card,
    games::{Data, Games},
    habits::Habits,
    measures::groups,
};
use crate::{
    export::Metadata,
    games::Split,
    network::weights::{WeightShape, Weights},
    progress::ProgressObserver,
    samples::goal::Archive,
    training::{BestOf, Inputs, Optimizer, Stretch, Task, Teacher, TomlRecipe as _, Workers},
    transformer::{
        MoveSample, Stretching, batch, index, network::Compute, sample, transformer_bytes, write_transformer,
    },
};

/// Training of transformers.
pub struct MovePrediction {
    recipe: TransformerRecipe,
    device: Device,
    threads: usize,
    stretching: Stretching,
    validation: Vec<MoveSample>,
    workers: Workers<Range<u64>>,
    training: Arc<Archive>,
    games: Games,
    data: Data,
}

/// Empty: the number of steps alone determines the next samples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct Place {}

/// A row of `metrics.csv`: one validation.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Record {
    /// Number of samples used in training so far.
    pub positions: u64,
    /// … in epochs, each of which visits all games once.
    pub epochs: f64,
    /// Cross-entropy in training, among all moves, in nats.
    pub train_cross_entropy: f64,
    /// The share of training samples in which no move of the vocabulary was more likely than the one that was played.
    pub train_top_1: f64,
    /// Cross-entropy of the validation positions among all moves.
    pub raw_cross_entropy: f64,
    /// … among the legal moves.
    pub cross_entropy: f64,
    /// The share of validation positions in which no legal move was more likely than the one that was played.
    pub top_1: f64,
    /// … at most two were more likely.
    pub top_3: f64,
    /// … at most four were more likely.
    pub top_5: f64,
    /// The mean of the total probability of illegal moves.
    pub illegal: f64,
    /// Learning rate of the last batch.
    pub learning_rate: f64,
    /// Training speed since the previous row.
    pub positions_per_second: f64,
    /// Seconds of training since the run began, without validations.
    pub seconds: f64,
}

/// Number of positions from the validation split.
const VALIDATION: usize = 10_000;
/// The number of these on which the untrained network is measured.
const UNTRAINED: usize = 2000;
/// Number of positions on which the exported network is compared with the trained one.
const PARITY: usize = 100;
/// Number of positions in a batch of the validation.
const TOGETHER: usize = 512;

impl Task for MovePrediction {
    type Recipe = TransformerRecipe;
    type Place = Place;
    type Measures = Measures;
    type Record = Record;
    type Test = Test;
    type Parity = Vec<MoveSample>;

    const MAX_GRADIENT: Option<f64> = Some(1.0);
    const KEEPS_LOWEST: bool = true;
    const AXES: [&'static str; 2] = ["million positions", "cross-entropy of all moves (nats)"];

    fn open(
        recipe: &TransformerRecipe,
        inputs: &Inputs<'_>,
        observer: &dyn ProgressObserver,
    ) -> anyhow::Result<Self> {
        inputs.reject_policy_options()?;
        let Inputs { store: path, cores, device, .. } = *inputs;
        let threads = inputs.threads.unwrap_or(cores);
        // Each worker has a thread of its own.
        if device == Device::Cpu {
            tch::set_num_threads(1);
        }
        let games = Games::open(path)?;
        let splits = [Split::Training, Split::Validation];
        let [training, validation] = games.read(splits, cores, observer)?.map(Arc::new);
        let data = Data { games: training.len(), ..games.description()? };
        let stretching = Stretching::new(Arc::clone(&training), recipe.stretches, recipe.seed)
            .with_context(|| format!("{}: no moves to learn from", path.display()))?;
        let teacher = recipe.teacher.as_ref().map(Teacher::open).transpose()?;
        let (drawn, objective) =
            (stretching.clone(), Objective { transformer: recipe.transformer, device, teacher });
        let gradient = move |samples: &Range<u64>, row: &Tensor| {
            objective.gradient(&drawn.samples(samples.start, samples.end - samples.start), row)
        };
        Ok(MovePrediction {
            recipe: recipe.clone(),
            device,
            threads,
            stretching,
            validation: drawn_once(&validation, VALIDATION, 1),
            workers: Workers::new(threads, device, gradient),
            training,
            games,
            data,
        })
    }

    fn data(&self) -> String {
        counted(self.data.games, "game", "games")
    }

    fn threads(&self) -> usize {
        self.threads
    }

    fn count(recipe: &TransformerRecipe) -> i64 {
        WeightShape::total(&recipe.transformer.weight_shapes())
    }

    fn weights(&self) -> Tensor {
        untrained(&self.recipe, self.device).flat().shallow_clone()
    }

    fn optimizer(&self, weights: &Tensor) -> Optimizer {
        Optimizer::adam(weights)
    }

    fn gradient(&mut self, _: &mut Place, step: u64, weights: &Tensor) -> (Tensor, Vec<f64>) {
        let first = step * self.recipe.batch;
        let share = self.recipe.batch.div_ceil(self.workers.count() as u64);
        let starts = (first..first + self.recipe.batch).step_by(share as usize);
        let parts = starts.map(|start| {
            let end = (start + share).min(first + self.recipe.batch);
            (start..end, (end - start) as f64 / self.recipe.batch as f64)
        });
        self.workers.gradient(parts, weights)
    }

    fn measure(&self, weights: &Tensor) -> Measures {
        let _guard = tch::no_grad_guard();
        let transformer = &self.recipe.transformer;
        let weights = Weights::of(transformer.weight_shapes(), weights.shallow_clone());
        let mut measures = Measures::default();
        for samples in self.validation.chunks(TOGETHER) {
            let (inputs, _) = batch(samples, transformer.moves as usize, self.device);
            let logits = Compute::logits(transformer, &weights, &inputs).to_device(Device::Cpu);
            let row = logits.size()[1] as usize;
            let logits: Vec<f32> = logits.view(-1).try_into().expect("floats");
            for (sample, logits) in samples.iter().zip(logits.chunks(row)) {
                add(&mut measures, sample, logits, &index);
            }
        }
        measures.means()
    }

    fn loss(measures: &Measures) -> f64 {
        measures.raw_cross_entropy
    }

    fn record(&self, stretch: &Stretch, measures: &Measures) -> Record {
        let loss = |index: usize| stretch.losses.get(index).copied().unwrap_or(f64::NAN);
        Record {
            positions: stretch.samples,
            epochs: stretch.samples as f64 / self.stretching.epoch() as f64,
            train_cross_entropy: loss(0),
            train_top_1: loss(1),
            raw_cross_entropy: measures.raw_cross_entropy,
            cross_entropy: measures.cross_entropy,
            top_1: measures.top_1,
            top_3: measures.top_3,
            top_5: measures.top_5,
            illegal: measures.illegal,
            learning_rate: stretch.learning_rate,
            positions_per_second: stretch.samples_per_second,
            seconds: stretch.seconds,
        }
    }

    fn point(record: &Record) -> [f64; 3] {
        [record.positions as f64 / 1e6, record.train_cross_entropy, record.raw_cross_entropy]
    }

    fn line(record: &Record, kept: bool) -> String {
        format!(
            "{:.2} M positions ({:.2} epochs): cross-entropy {:.4} in training, {:.4}{} in validation, {:.4} among \
             legal moves; top 1 {:.2}%, top 3 {:.2}%; {:.2}% on illegal moves; {:.0} positions/s",
            record.positions as f64 / 1e6,
            record.epochs,
            record.train_cross_entropy,
            record.raw_cross_entropy,
            if kept { " (best)" } else { "" },
            record.cross_entropy,
            100.0 * record.top_1,
            100.0 * record.top_3,
            100.0 * record.illegal,
            record.positions_per_second
        )
    }

    fn test(
        &self,
        recipe: &TransformerRecipe,
        network: &[u8],
        observer: &dyn ProgressObserver,
    ) -> anyhow::Result<Option<Test>> {
        let [games] = self.games.read([Split::Test], self.threads, observer)?.map(Arc::new);
        let samples = drawn_once(&games, recipe.test_positions, 2);
        let first = untrained(recipe, Device::Cpu);
        let metadata = Metadata { recipe: String::new(), date: String::new(), reads_goals: None };
        let first = transformer_bytes(&recipe.network, &recipe.transformer, &first, &metadata);
        let first = as_played(&recipe.network, &first, &samples[..UNTRAINED.min(samples.len())], observer)?;
        let groups = as_played(&recipe.network, network, &samples, observer)?;
        let habits = Habits::of(&self.training, self.threads, observer).measures(&samples);
        Ok(Some(Test { untrained: first["all"], groups, habits }))
    }

    fn parity(_: &TransformerRecipe, store: &Path) -> anyhow::Result<Vec<MoveSample>> {
        Ok(drawn_once(&Games::open(store)?.first()?, PARITY, 3))
    }

    fn export(
        recipe: &TransformerRecipe,
        weights: Tensor,
        date: &str,
        parity: &Vec<MoveSample>,
        path: &Path,
    ) -> anyhow::Result<Vec<u8>> {
        let weights = Weights::of(recipe.transformer.weight_shapes(), weights);
        let metadata = Metadata { recipe: recipe.toml(), date: date.to_owned(), reads_goals: None };
        Ok(write_transformer(&recipe.network, &recipe.transformer, &weights, &metadata, parity, path)?)
    }

    fn card(&self, best: &BestOf<MovePrediction>, _: Option<&str>, hash: &str) -> Option<String> {
        best.test.as_ref()?;
        Some(card(best, &self.data, Self::count(&best.origin.recipe), hash))
    }
}

/// The initial weights of a run.
fn untrained(recipe: &TransformerRecipe, device: Device) -> Weights {
    Weights::random(recipe.transformer.weight_shapes(), device, recipe.seed as i64)
}

/// Draws positions from random games, with all moves before them. All plies of a game are equally likely.
fn drawn_once(archive: &Archive, positions: usize, seed: u64) -> Vec<MoveSample> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let games: Vec<usize> = (0..archive.len()).filter(|game| archive.game_plies(*game) > 0).collect();
    let wanted = if games.is_empty() { 0 } else { positions };
    let drawn = (0..wanted).map(|_| {
        let game = games[rng.random_range(0..games.len())];
        let replayed: Vec<_> = archive.replay(game).collect();
        let ply = rng.random_range(0..replayed.len());
        sample(&replayed, 0, ply, *archive.info(game))
    });
    drawn.collect()
}

/// Adds a position to `measures`. `logits` are those of all moves, and `index` gives the index of a move in them.
fn add(
    measures: &mut Measures,
    sample: &MoveSample,
    logits: &[f32],
    index: &dyn Fn(shakmaty::Move) -> usize,
) {
    let legal = sample.position.legal_moves();
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let sum: f64 = logits.iter().map(|logit| f64::from(logit - most).exp()).sum();
    let of_legal: Vec<f32> = legal.iter().map(|m| logits[index(*m)]).collect();
    measures.add(&of_legal, f64::from(most) + sum.ln(), sample.place_of_next(&legal));
}

/// Measures the network with these bytes on `samples`, as the engine runs it.
fn as_played(
    name: &str,
    network: &[u8],
    samples: &[MoveSample],
    observer: &dyn ProgressObserver,
) -> anyhow::Result<Groups> {
    let policy = Policy::from_bytes(name, network)?;
    let mut session = policy.session();
    let mut all = Groups::new();
    observer.begin("measuring", samples.len() as u64, "positions");
    for sample in samples {
        let legal = sample.position.legal_moves();
        let (_, logits) = session.ask_of_all_moves(&sample.query(&legal))?;
        let index = |m| policy.index(m, sample.position.turn());
        for group in groups(sample) {
            add(all.entry(group).or_default(), sample, &logits, &index);
        }
        observer.done(1);
    }
    observer.end();
    Ok(all.into_iter().map(|(group, measures)| (group, measures.means())).collect())
}
