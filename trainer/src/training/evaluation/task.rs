use std::{path::Path, sync::Arc};

use anyhow::Context as _;
use entente::{
    network::{EvaluationNetwork, SCALE, WIDTH},
    scorer::{HandWritten, NetworkScorer, Scorer},
};
use serde::{Deserialize, Serialize};
use shakmaty::{Board, CastlingMode, Chess, FromSetup, Setup};
use tch::{Device, Tensor};

use super::{
    EvaluationRecipe, Measures,
    card::{Data, card},
    gradient::{Gradient, chance, mean_gradient},
    weights::{COUNT, quantised, random},
};
use crate::{
    dataset::Permutation,
    evaluations::{EvaluationStore, LabelledPosition},
    export::{file_name, sha256_file},
    games::Split,
    training::{
        Best, Inputs, Optimizer, Stretch, Task, TaskRecipe as _, TomlRecipe as _, Watch, replace_file,
    },
};

/// Training of evaluation networks.
pub struct Evaluation {
    recipe: EvaluationRecipe,
    device: Device,
    training: Vec<LabelledPosition>,
    validation: Vec<LabelledPosition>,
    test: Vec<LabelledPosition>,
    /// One for each thread.
    parts: Vec<Gradient>,
    batch: Vec<LabelledPosition>,
    data: Data,
}

/// The steps alone say where in its samples a run is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct Place {}

/// A row of `metrics.csv`: one validation.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Record {
    /// Positions trained on so far.
    pub positions: u64,
    /// Mean squared error of the chances in training, against score and result.
    pub train_error: f64,
    /// The same of the validation's positions, against the score alone.
    pub squared_error: f64,
    /// Correlation with the engine's chances.
    pub correlation: f64,
    /// The share of positions in which network and engine favour the same side.
    pub sign_agreement: f64,
    /// Learning rate of the last batch.
    pub learning_rate: f64,
    /// Training speed since the row before.
    pub positions_per_second: f64,
    /// Seconds of training, validations left out, since the run began.
    pub seconds: f64,
}

/// What the kept network, in integers, and the hand-written evaluation say of the test split.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
pub struct Test {
    /// The network as the engine runs it.
    pub network: Measures,
    /// The evaluation that it takes the place of.
    pub hand_written: Measures,
}

/// Positions of the store on which the exported network is compared with the trained one.
const PARITY: usize = 1000;
/// How far, in centipawns, integers may be from what was trained, on average.
const TOLERANCE: f32 = 5.0;

impl Task for Evaluation {
    type Recipe = EvaluationRecipe;
    type Place = Place;
    type Measures = Measures;
    type Record = Record;
    type Test = Test;
    type Parity = Vec<LabelledPosition>;

    const KEEPS_LOWEST: bool = true;
    const EXTENSION: &'static str = "safetensors";
    const AXES: [&'static str; 2] = ["positions", "mean squared error of the chance to win"];

    fn open(recipe: &EvaluationRecipe, inputs: &Inputs<'_>, watch: &dyn Watch) -> anyhow::Result<Evaluation> {
        for (is_given, option) in [
            (inputs.start.is_some(), "start"),
            (!inputs.own.is_empty(), "own"),
            (inputs.compare.is_some(), "compare"),
        ] {
            anyhow::ensure!(!is_given, "option --{option}: only policies have it");
        }
        watch.begin("reading positions", 1, "store");
        let store = EvaluationStore::read(inputs.store)?;
        watch.end();
        let of = |splits: &[Split]| -> Vec<LabelledPosition> {
            let quiet = store.positions.iter().filter(|position| position.is_quiet());
            quiet.filter(|position| splits.contains(&position.split())).copied().collect()
        };
        // No judge of human games learns from evaluations, so those of its split may serve.
        let training = of(&[Split::Training, Split::Reference]);
        let (validation, test) = (of(&[Split::Validation]), of(&[Split::Test]));
        anyhow::ensure!(
            !training.is_empty() && !validation.is_empty(),
            "{}: no quiet positions to learn from, or none to validate with",
            inputs.store.display()
        );
        let data = Data {
            store: file_name(inputs.store),
            hash: sha256_file(inputs.store).with_context(|| inputs.store.display().to_string())?,
            files: store.description.files,
            training: training.len(),
        };
        let threads = inputs.threads.unwrap_or(inputs.cores);
        let parts = (0..threads).map(|_| Gradient::default()).collect();
        let (recipe, device) = (recipe.clone(), inputs.device);
        Ok(Evaluation { recipe, device, training, validation, test, parts, batch: Vec::new(), data })
    }

    fn data(&self) -> String {
        format!("{} quiet positions", self.training.len())
    }

    fn threads(&self) -> usize {
        self.parts.len()
    }

    fn count(_: &EvaluationRecipe) -> i64 {
        COUNT as i64
    }

    fn weights(&self) -> Tensor {
        random(self.recipe.seed).to_device(self.device)
    }

    fn optimizer(&self, weights: &Tensor) -> Optimizer {
        Optimizer::adam(weights)
    }

    fn gradient(&mut self, _: &mut Place, step: u64, weights: &Tensor) -> (Tensor, Vec<f64>) {
        let length = self.training.len() as u64;
        let first = step * self.recipe.batch;
        self.batch.clear();
        let mut order = None;
        for sample in first..first + self.recipe.batch {
            let epoch = sample / length;
            let (_, order) = match &order {
                Some((of, _)) if *of == epoch => order.as_ref(),
                _ => {
                    order = Some((epoch, Permutation::new(length, self.recipe.seed ^ epoch << 32)));
                    order.as_ref()
                }
            }
            .expect("just made");
            self.batch.push(self.training[order.at(sample % length) as usize]);
        }
        let (gradient, loss) =
            mean_gradient(&mut self.parts, &row(weights), &self.batch, self.recipe.score_weight as f32);
        (Tensor::from_slice(&gradient).to_device(self.device), vec![loss])
    }

    fn measure(&self, weights: &Tensor) -> Measures {
        let (weights, mut gradient) = (row(weights), Gradient::default());
        let pair =
            |position: &LabelledPosition| (chance(gradient.value(&weights, position)), expected(position));
        Measures::of(self.validation.iter().map(pair))
    }

    fn loss(measures: &Measures) -> f64 {
        measures.squared_error
    }

    fn record(&self, stretch: &Stretch, measures: &Measures) -> Record {
        Record {
            positions: stretch.samples,
            train_error: stretch.losses.first().copied().unwrap_or(f64::NAN),
            squared_error: measures.squared_error,
            correlation: measures.correlation,
            sign_agreement: measures.sign_agreement,
            learning_rate: stretch.learning_rate,
            positions_per_second: stretch.samples_per_second,
            seconds: stretch.seconds,
        }
    }

    fn point(record: &Record) -> [f64; 3] {
        [record.positions as f64, record.train_error, record.squared_error]
    }

    fn line(record: &Record, kept: bool) -> String {
        format!(
            "{:.1} M: squared error {:.5} in training, {:.5}{} against the engine, correlation {:.4}, same side {:.2}%; \
             {:.0} positions/s",
            record.positions as f64 / 1e6,
            record.train_error,
            record.squared_error,
            if kept { " (best)" } else { "" },
            record.correlation,
            100.0 * record.sign_agreement,
            record.positions_per_second
        )
    }

    fn gives_up(recipe: &EvaluationRecipe, records: &[Record]) -> bool {
        let lowest =
            records.iter().enumerate().min_by(|(_, a), (_, b)| a.squared_error.total_cmp(&b.squared_error));
        lowest.is_some_and(|(index, _)| records.len() - 1 - index >= recipe.patience)
    }

    fn test(&self, recipe: &EvaluationRecipe, network: &[u8], _: &dyn Watch) -> anyhow::Result<Option<Test>> {
        if self.test.is_empty() {
            return Ok(None);
        }
        let scorer = NetworkScorer::new(Arc::new(EvaluationNetwork::from_bytes(recipe.network(), network)?));
        Ok(Some(Test {
            network: measured(&scorer, &self.test),
            hand_written: measured(&HandWritten, &self.test),
        }))
    }

    fn parity(_: &EvaluationRecipe, store: &Path) -> anyhow::Result<Vec<LabelledPosition>> {
        let positions = EvaluationStore::read(store)?.positions;
        anyhow::ensure!(!positions.is_empty(), "{}: no positions", store.display());
        let distance = positions.len().div_ceil(PARITY);
        Ok(positions.into_iter().step_by(distance).collect())
    }

    fn export(
        recipe: &EvaluationRecipe,
        weights: Tensor,
        date: &str,
        parity: &Vec<LabelledPosition>,
        path: &Path,
    ) -> anyhow::Result<Vec<u8>> {
        let weights = row(&weights);
        let producer = concat!("entente-trainer ", env!("CARGO_PKG_VERSION"));
        let origin = format!("# {producer}, {date}\n{}", recipe.toml());
        let bytes = quantised(recipe.network(), &weights)?.to_bytes(Some(origin));
        // As it will be read.
        let network = EvaluationNetwork::from_bytes(recipe.network(), &bytes)?;
        let (scorer, mut gradient) = (NetworkScorer::new(Arc::new(network)), Gradient::default());
        let differences = parity.iter().map(|position| {
            let trained = SCALE as f32 * gradient.value(&weights, position);
            (value(&scorer, position) as f32 - trained).abs().min(trained.abs().max(TOLERANCE))
        });
        let mean = differences.sum::<f32>() / parity.len() as f32;
        anyhow::ensure!(
            mean < TOLERANCE,
            "{}: the network of {WIDTH} neurons a side says in integers something else than in training: {mean:.1} \
             centipawns on average",
            path.display()
        );
        replace_file(path, &bytes).with_context(|| path.display().to_string())?;
        Ok(bytes)
    }

    fn card(&self, best: &Best<Evaluation>, _: Option<&str>, hash: &str) -> Option<String> {
        Some(card(best, &self.data, hash))
    }
}

/// What the engine says of a position, as a chance.
fn expected(position: &LabelledPosition) -> f32 {
    chance(f32::from(position.score()) / SCALE as f32)
}

fn row(weights: &Tensor) -> Vec<f32> {
    Vec::try_from(weights.to_device(Device::Cpu)).expect("a row of floats")
}

fn measured(scorer: &impl Scorer, positions: &[LabelledPosition]) -> Measures {
    let found = |position: &LabelledPosition| chance(value(scorer, position) as f32 / SCALE as f32);
    Measures::of(positions.iter().map(|position| (found(position), expected(position))))
}

/// What a scorer says of a position, in centipawns for the side to move.
fn value(scorer: &impl Scorer, position: &LabelledPosition) -> i32 {
    let mut board = Board::empty();
    position.men().for_each(|(piece, square)| board.set_piece_at(square, piece));
    let setup = Setup { board, turn: position.turn(), ..Setup::empty() };
    let position = Chess::from_setup(setup, CastlingMode::Standard)
        .or_else(shakmaty::PositionError::ignore_too_much_material)
        .or_else(shakmaty::PositionError::ignore_impossible_check)
        .expect("kings on both sides, and no check that could be taken advantage of");
    scorer.value(&scorer.root(&position), &position)
}
