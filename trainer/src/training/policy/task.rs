use std::{
    fs,
    ops::Range,
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::{Context as _, bail};
use entente_constraint::counted;
use entente_network::{NetworkKind as _, Policy as Network};
use serde::{Deserialize, Serialize};
use tch::{Device, Tensor};

use super::{
    HeldOut, Measures, Optimization, PolicyRecipe, Record, RecordedMeasures, Store, Test,
    loss::Weights,
    measured,
    objective::{Objective, gradient},
    policy_card,
    predictions::predict,
    taught::Teacher,
};
use crate::{
    export::{Metadata, is_lc0, lc0_weights, tower_weights, write_policy},
    files::{file_name, sha256_file},
    games::{GameStore, Split},
    labels::LabelFile,
    progress::ProgressObserver,
    samples::goal::{Archive, Rounds, Sample, Source, own_games},
    training::{
        BestOf, Checkpoint, Inputs, Optimizer, Stretch, Task, TaskRecipe as _, TomlRecipe as _, Workers,
        output::first_games,
    },
};

/// Number of samples in a round, within which they are shuffled.
const ROUND: usize = 1 << 17;
/// Numbers of validation samples: plain positions for each kind of games, and samples with goals.
const HELD_OUT: (usize, usize) = (8192, 16384);
/// Number of positions on which an exported network is checked.
const PARITY: usize = 100;

/// Training of policies.
pub struct Policy {
    recipe: PolicyRecipe,
    device: Device,
    threads: usize,
    store: GameStore,
    source: Source,
    held_out: HeldOut,
    compared: Option<HeldOut>,
    start: Option<Start>,
    workers: Workers<Vec<Sample>>,
    rounds: Option<Rounds>,
    /// The samples of the current round.
    samples: Vec<Sample>,
    /// What cards say about the store.
    described: Store,
}

/// Initial weights from other networks.
struct Start {
    weights: Tensor,
    /// For each weight, 1 if it was copied from a network of Leela Chess Zero; `None` if there is no such network.
    copied: Option<Tensor>,
    /// The names and SHA-256 of the files.
    name: String,
}

/// The position of a run in its samples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct Place {
    /// The number of the current or next round.
    pub round: u64,
    /// Number of batches of this round that are used.
    pub batches: u64,
}

impl Policy {
    /// The range of the next batch in the samples of the current round. Advances `place` past it.
    fn next_batch(&mut self, place: &mut Place) -> Range<usize> {
        let batch = self.recipe.batch as usize;
        if self.rounds.is_none() {
            let (source, sampler) = (self.source.clone(), self.recipe.sampler());
            let mut rounds = Rounds::new(source, sampler, ROUND, self.recipe.seed, place.round, self.threads);
            self.samples = rounds.next_round();
            self.rounds = Some(rounds);
        }
        while self.samples.len() < (place.batches as usize + 1) * batch {
            let rounds = self.rounds.as_mut().expect("created above");
            self.samples = rounds.next_round();
            *place = Place { round: place.round + 1, batches: 0 };
        }
        let first = place.batches as usize * batch;
        place.batches += 1;
        first..first + batch
    }

    fn measure_on(&self, held_out: &HeldOut, weights: &Tensor) -> Measures {
        let tower = &self.recipe.tower;
        held_out.measure(&predict(tower, weights, held_out.samples(), self.device, self.threads))
    }
}

impl Task for Policy {
    type Recipe = PolicyRecipe;
    type Place = Place;
    type Measures = RecordedMeasures;
    type Record = Record;
    type Test = Test;
    type Parity = Vec<Sample>;

    const MAX_GRADIENT: Option<f64> = Some(1.0);
    const KEEPS_LOWEST: bool = false;
    const AXES: [&str; 2] = ["million positions", "cross-entropy of moves (nats)"];

    fn open(
        recipe: &PolicyRecipe,
        inputs: &Inputs<'_>,
        observer: &dyn ProgressObserver,
    ) -> anyhow::Result<Policy> {
        let Inputs { store: path, cores, device, .. } = *inputs;
        let threads = inputs.threads.unwrap_or(cores);
        // Open these first, so that errors are reported before the games are read, which takes longer.
        let start = start(inputs.start, recipe, device)?;
        let teacher = recipe.teacher.as_ref().map(|recipe| Teacher::open(recipe, device)).transpose()?;
        let own = (!inputs.own.is_empty()).then(|| own_games(inputs.own)).transpose()?;
        // Each worker has its own thread, and the threads of libtorch would only wait actively between the steps.
        if device == Device::Cpu {
            tch::set_num_threads(1);
        } else {
            // All batches have the same size, so it is worthwhile to try the algorithms of each convolution once.
            tch::Cuda::cudnn_set_benchmark(true);
        }
        let store = GameStore::open(path)?;
        let hash = sha256_file(path).with_context(|| format!("cannot read {}", path.display()))?;
        let labels = labels(recipe, inputs.labels, &hash)?;
        let splits = [recipe.games.split(), Split::Validation];
        let [archive, validation] =
            Archive::read_with(&store, labels.as_ref(), splits, cores, observer)?.map(Arc::new);
        let compared = inputs.compare.map(|path| {
            let [games] = Archive::read(&GameStore::open(path)?, [Split::Validation], cores, observer)?;
            anyhow::Ok(HeldOut::new(&Arc::new(games), &recipe.sampler(), HELD_OUT.0, 0, 1))
        });
        let objective = Objective {
            tower: recipe.tower,
            precision: recipe.precision,
            weights: Weights { value: recipe.value_weight, result: recipe.result_weight },
            teacher,
            labels: recipe.label_share.unwrap_or_default(),
            device,
        };
        Ok(Policy {
            held_out: HeldOut::new(&validation, &recipe.sampler(), HELD_OUT.0, HELD_OUT.1, 1),
            compared: compared.transpose()?,
            source: Source {
                archive,
                online: recipe.online,
                player_games: recipe.player_games,
                own: own.map(|own| (Arc::new(own), recipe.own)),
            },
            workers: Workers::new(threads, device, move |samples: &Vec<Sample>, weights| {
                gradient(&objective, samples, weights)
            }),
            described: Store { name: file_name(path), hash, files: store.description().files.clone() },
            recipe: recipe.clone(),
            device,
            threads,
            store,
            start,
            rounds: None,
            samples: Vec::new(),
        })
    }

    fn data(&self) -> String {
        let Source { archive, own, .. } = &self.source;
        let own = own.as_ref().map(|(own, _)| format!(", {}", counted(own.len(), "own game", "own games")));
        let labelled = archive.labelled();
        let labelled = if labelled > 0 {
            format!(", {} with labels", counted(labelled, "game", "games"))
        } else {
            String::new()
        };
        format!(
            "{}, {} plies{}{labelled}",
            counted(archive.len(), "game", "games"),
            archive.plies(),
            own.unwrap_or_default()
        )
    }

    fn start(&self) -> Option<&str> {
        self.start.as_ref().map(|start| start.name.as_str())
    }

    fn threads(&self) -> usize {
        self.threads
    }

    fn count(recipe: &PolicyRecipe) -> i64 {
        recipe.tower.count()
    }

    fn weights(&self) -> Tensor {
        match &self.start {
            Some(start) => start.weights.copy(),
            None => self.recipe.tower.random(self.device, self.recipe.seed as i64).flat().shallow_clone(),
        }
    }

    fn optimizer(&self, weights: &Tensor) -> Optimizer {
        match self.recipe.optimizer {
            Optimization::Adam => {
                let copied = self.start.as_ref().and_then(|start| start.copied.as_ref());
                let factors = copied.filter(|_| self.recipe.tells_copied());
                Optimizer::adam(weights)
                    .with_factors(factors.map(|copied| copied * (self.recipe.copied_rate - 1.0) + 1.0))
            }
            Optimization::Muon => {
                let shapes = self.recipe.tower.weight_shapes();
                Optimizer::muon(weights, &shapes, self.recipe.precision.kind())
            }
        }
    }

    fn gradient(&mut self, place: &mut Place, _: u64, weights: &Tensor) -> (Tensor, Vec<f64>) {
        let batch = self.next_batch(place);
        let samples = &self.samples[batch];
        let parts = samples.chunks(samples.len().div_ceil(self.workers.count()));
        let parts = parts.map(|part| (part.to_vec(), part.len() as f64 / samples.len() as f64));
        self.workers.gradient(parts, weights)
    }

    fn measure(&self, weights: &Tensor) -> RecordedMeasures {
        RecordedMeasures {
            whole: self.measure_on(&self.held_out, weights),
            compared: self.compared.as_ref().map(|held_out| self.measure_on(held_out, weights)),
        }
    }

    fn loss(measures: &RecordedMeasures) -> f64 {
        measures.whole.plain_cross_entropy()
    }

    fn record(&self, stretch: &Stretch, measures: &RecordedMeasures) -> Record {
        Record::new(stretch, measures)
    }

    fn point(record: &Record) -> [f64; 3] {
        // A store may have only one kind of games.
        let validated = record.online_cross_entropy.or(record.over_the_board_cross_entropy);
        [record.positions as f64 / 1e6, record.train_policy, validated.unwrap_or(f64::NAN)]
    }

    fn line(record: &Record, _: bool) -> String {
        record.line()
    }

    fn test(
        &self,
        recipe: &PolicyRecipe,
        network: &[u8],
        observer: &dyn ProgressObserver,
    ) -> anyhow::Result<Option<Test>> {
        let policy = Network::from_bytes(recipe.network(), network)?;
        let [games] = Archive::read(&self.store, [Split::Test], self.threads, observer)?.map(Arc::new);
        let (measures, matrix) = measured(&policy, &recipe.sampler(), &games, self.threads, observer)?;
        Ok(Some(Test { games: games.len(), measures, matrix }))
    }

    fn parity(recipe: &PolicyRecipe, store: &Path) -> anyhow::Result<Vec<Sample>> {
        let games = first_games(store)?;
        let archive = Arc::new(Archive::stored(games.iter()));
        let held_out = HeldOut::new(&archive, &recipe.sampler(), PARITY / 4, PARITY / 2, 1);
        let samples = held_out.samples();
        Ok(samples.iter().step_by(samples.len().div_ceil(PARITY).max(1)).cloned().collect())
    }

    fn export(
        recipe: &PolicyRecipe,
        weights: Tensor,
        date: &str,
        parity: &Vec<Sample>,
        path: &Path,
    ) -> anyhow::Result<Vec<u8>> {
        let weights = recipe.tower.weights(weights);
        let metadata = Metadata {
            recipe: recipe.toml(),
            date: date.to_owned(),
            reads_goals: Some(recipe.reads_goals()),
        };
        Ok(write_policy(recipe.network(), &recipe.tower, &weights, &metadata, parity, path)?)
    }

    fn card(&self, best: &BestOf<Policy>, start: Option<&str>, hash: &str) -> Option<String> {
        let test = best.test.as_ref()?;
        let games = self.source.archive.len();
        let own = self.source.own.as_ref().map_or(0, |(own, _)| own.len());
        Some(policy_card(best, test, start, hash, &self.described, [games, own]))
    }
}

/// Opens the labels for the store with this SHA-256, if the recipe learns from labels.
fn labels(recipe: &PolicyRecipe, path: Option<&Path>, store: &str) -> anyhow::Result<Option<LabelFile>> {
    match (recipe.label_share, path) {
        (Some(_), None) => bail!("key `label_share` of the recipe: requires --labels"),
        (None, Some(_)) => bail!("option --labels: requires the key `label_share` in the recipe"),
        (None, None) => Ok(None),
        (Some(_), Some(path)) => {
            let labels = LabelFile::open(path)?;
            labels.check(store)?;
            Ok(Some(labels))
        }
    }
}

/// The initial weights from networks of Leela Chess Zero, an exported network, or the average of a checkpoint; `None`
/// without files.
fn start(paths: &[PathBuf], recipe: &PolicyRecipe, device: Device) -> anyhow::Result<Option<Start>> {
    let Some(path) = paths.first() else {
        anyhow::ensure!(
            !recipe.tells_copied(),
            "key `copied_rate` of the recipe: requires --start, also with --resume"
        );
        return Ok(None);
    };
    let names = || paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ");
    let mut copied = None;
    let weights = if path.extension().is_some_and(|extension| extension == "onnx") {
        let read = |path: &PathBuf| fs::read(path).with_context(|| path.display().to_string());
        let models: Vec<Vec<u8>> = paths.iter().map(read).collect::<Result<_, _>>()?;
        if is_lc0(&models[0]) {
            let grafted = lc0_weights(&models, &recipe.tower, recipe.seed as i64).with_context(names)?;
            copied = Some(grafted.copied.to_device(device));
            grafted.weights
        } else {
            tower_weights(&models[0], &recipe.tower).with_context(names)?
        }
    } else {
        let Checkpoint { progress, rows } = Checkpoint::<Policy>::read(path, device)?;
        if progress.recipe.tower != recipe.tower {
            bail!("{}: this network has another `tower`", path.display());
        }
        rows.average
    };
    if copied.is_none() {
        let option = "option --start";
        anyhow::ensure!(paths.len() == 1, "{option}: expected one file, or networks of Leela Chess Zero");
        anyhow::ensure!(
            !recipe.tells_copied(),
            "{option}: key `copied_rate` of the recipe requires networks of Leela Chess Zero"
        );
    }
    let mut described = Vec::new();
    for path in paths {
        let hash = sha256_file(path).with_context(|| path.display().to_string())?;
        described.push(format!("`{}`, SHA-256 `{hash}`", file_name(path)));
    }
    Ok(Some(Start { weights: weights.to_device(device), copied, name: described.join(" and ") }))
}
