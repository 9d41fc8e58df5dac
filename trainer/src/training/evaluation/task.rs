use std::path::Path;

use anyhow::Context as _;
use entente_cli::whole_file::replace_file;
use entente_search::scorer::HandWritten;
use serde::{Deserialize, Serialize};
use tch::{Device, Tensor};

use super::{
    EvaluationRecipe, Measures, Test,
    card::{Data, card},
    learner::{Learner, by_scorer, expected},
};
use crate::{
    evaluations::{EvaluationStore, LabelledPosition},
    files::{file_name, sha256_file},
    games::Split,
    progress::ProgressObserver,
    samples::Permutation,
    training::{BestOf, Inputs, Optimizer, Stretch, Task, TaskRecipe as _, TomlRecipe as _},
};

/// Training of evaluation networks.
pub struct Evaluation {
    recipe: EvaluationRecipe,
    device: Device,
    training: Vec<LabelledPosition>,
    validation: Vec<LabelledPosition>,
    test: Vec<LabelledPosition>,
    learner: Box<dyn Learner>,
    threads: usize,
    batch: Vec<LabelledPosition>,
    data: Data,
}

/// Empty: the number of steps alone determines the next samples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct Place {}

/// A row of `metrics.csv`: one validation.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Record {
    /// Number of positions used in training so far.
    pub positions: u64,
    /// Mean squared error of the expected scores in training, against score and result.
    pub train_error: f64,
    /// The same for the validation positions, against the score alone.
    pub squared_error: f64,
    /// Correlation with the engine's expected scores.
    pub correlation: f64,
    /// The share of positions in which network and engine favour the same side.
    pub sign_agreement: f64,
    /// Learning rate of the last batch.
    pub learning_rate: f64,
    /// Training speed since the previous row.
    pub positions_per_second: f64,
    /// Seconds of training since the run began, without validations.
    pub seconds: f64,
}

/// Number of positions of the store on which the exported network is compared with the trained one.
const PARITY: usize = 1000;
/// The maximum mean difference between expected scores of the engine and of training.
const TOLERANCE: f32 = 0.01;

impl Task for Evaluation {
    type Recipe = EvaluationRecipe;
    type Place = Place;
    type Measures = Measures;
    type Record = Record;
    type Test = Test;
    type Parity = Vec<LabelledPosition>;

    const KEEPS_LOWEST: bool = true;
    const EXTENSION: &'static str = "safetensors";
    const AXES: [&'static str; 2] = ["positions", "mean squared error of the expected score"];

    fn open(
        recipe: &EvaluationRecipe,
        inputs: &Inputs<'_>,
        observer: &dyn ProgressObserver,
    ) -> anyhow::Result<Evaluation> {
        inputs.reject_policy_options()?;
        observer.begin("reading positions", 1, "store");
        let store = EvaluationStore::read(inputs.store)?;
        observer.end();
        let of = |splits: &[Split]| -> Vec<LabelledPosition> {
            let quiet = store.positions.iter().filter(|position| position.is_quiet());
            quiet.filter(|position| splits.contains(&position.split())).copied().collect()
        };
        // The reference policy does not learn from evaluations, so the positions of its split can be used, too.
        let training = of(&[Split::Training, Split::Reference]);
        let (validation, test) = (of(&[Split::Validation]), of(&[Split::Test]));
        anyhow::ensure!(
            !training.is_empty() && !validation.is_empty(),
            "{}: no quiet positions in the training or validation split",
            inputs.store.display()
        );
        let data = Data {
            store: file_name(inputs.store),
            hash: sha256_file(inputs.store).with_context(|| inputs.store.display().to_string())?,
            files: store.description.files,
            training: training.len(),
        };
        let threads = inputs.threads.unwrap_or(inputs.cores);
        let learner = recipe.network.learner(recipe, threads);
        let (recipe, device, batch) = (recipe.clone(), inputs.device, Vec::new());
        Ok(Evaluation { recipe, device, training, validation, test, learner, threads, batch, data })
    }

    fn data(&self) -> String {
        format!("{} quiet positions", self.training.len())
    }

    fn threads(&self) -> usize {
        self.threads
    }

    fn count(recipe: &EvaluationRecipe) -> i64 {
        recipe.network.learner(recipe, 1).count() as i64
    }

    fn weights(&self) -> Tensor {
        self.learner.random(self.recipe.seed).to_device(self.device)
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
            .expect("it was just computed");
            self.batch.push(self.training[order.at(sample % length) as usize]);
        }
        let (gradient, loss) = self.learner.gradient(weights, &self.batch);
        (gradient, vec![loss])
    }

    fn measure(&self, weights: &Tensor) -> Measures {
        measured(&self.learner.chances(weights, &self.validation), &self.validation)
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
            "{:.1} M positions: squared error {:.5} in training, {:.5}{} against the engine; correlation {:.4}, same \
             side favoured {:.2}%; {:.0} positions/s",
            record.positions as f64 / 1e6,
            record.train_error,
            record.squared_error,
            if kept { " (best)" } else { "" },
            record.correlation,
            100.0 * record.sign_agreement,
            record.positions_per_second
        )
    }

    fn is_out_of_patience(recipe: &EvaluationRecipe, records: &[Record]) -> bool {
        let lowest =
            records.iter().enumerate().min_by(|(_, a), (_, b)| a.squared_error.total_cmp(&b.squared_error));
        lowest.is_some_and(|(index, _)| records.len() - 1 - index >= recipe.patience)
    }

    fn test(
        &self,
        recipe: &EvaluationRecipe,
        network: &[u8],
        _: &dyn ProgressObserver,
    ) -> anyhow::Result<Option<Test>> {
        if self.test.is_empty() {
            return Ok(None);
        }
        let played = |positions: &[LabelledPosition]| -> anyhow::Result<Measures> {
            Ok(measured(&self.learner.played(recipe.network(), network, positions)?, positions))
        };
        Ok(Some(Test {
            validation: played(&self.validation)?,
            network: played(&self.test)?,
            hand_written: measured(&by_scorer(&HandWritten, &self.test), &self.test),
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
        let producer = concat!("entente-trainer ", env!("CARGO_PKG_VERSION"));
        let origin = format!("# {producer}, {date}\n{}", recipe.toml());
        let learner = recipe.network.learner(recipe, 1);
        let bytes = learner.file(recipe.network(), &weights, origin)?;
        // Compute the values from the file, as the engine will.
        let played = learner.played(recipe.network(), &bytes, parity)?;
        let trained = learner.chances(&weights, parity);
        let differences = played.iter().zip(&trained).map(|(played, trained)| (played - trained).abs());
        let mean = differences.sum::<f32>() / parity.len() as f32;
        anyhow::ensure!(
            mean < TOLERANCE,
            "{}: the engine and the trainer disagree on the network: expected scores differ by {mean:.4} on average",
            path.display()
        );
        replace_file(path, &bytes).with_context(|| path.display().to_string())?;
        Ok(bytes)
    }

    fn card(&self, best: &BestOf<Evaluation>, _: Option<&str>, hash: &str) -> Option<String> {
        Some(card(best, &self.data, &self.learner.description(), hash))
    }
}

fn measured(found: &[f32], positions: &[LabelledPosition]) -> Measures {
    Measures::of(found.iter().copied().zip(positions.iter().map(expected)))
}
