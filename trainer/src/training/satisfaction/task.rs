use std::{path::Path, sync::Arc};

use anyhow::Context as _;
use entente_constraint::counted;
use entente_network::{NetworkKind as _, SatisfactionNetwork};
use tch::{Device, Tensor};

use super::{
    DataDescription, Measured, Recipe, Record, TestFigures, Validation, model_card, split_set, test_figures,
};
use crate::{
    export::{Metadata, sample_inputs, write_model},
    games::{GameStore, Split},
    network::{Architecture, Parameters, write_gradients},
    progress::ProgressObserver,
    samples::{Sampler, SatisfactionSet},
    training::{
        BestOf, Inputs, Optimizer, Stretch, Task, TaskRecipe as _, TomlRecipe as _, output::first_games,
    },
};

/// Training of the networks of the thesis.
pub struct Satisfaction {
    recipe: Recipe,
    architecture: Architecture,
    device: Device,
    cores: usize,
    store: Option<GameStore>,
    set: Arc<SatisfactionSet>,
    sampler: Sampler,
    validation: Validation,
    gradients: Parameters,
    planes: Vec<f32>,
    labels: Vec<f32>,
    /// What cards say about the data.
    data: Option<DataDescription>,
}

/// Empty: the number of steps alone determines the next samples.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Deserialize, serde::Serialize)]
pub struct Place {}

impl Satisfaction {
    /// Trains on `training` and validates on `validation`.
    ///
    /// # Panics
    ///
    /// If the recipe was not checked.
    pub fn new(
        recipe: &Recipe,
        training: Arc<SatisfactionSet>,
        validation: &Arc<SatisfactionSet>,
        device: Device,
    ) -> Satisfaction {
        let architecture = recipe.architecture().expect("a recipe that was checked");
        Satisfaction {
            sampler: recipe
                .sampling
                .of(&training, recipe.seed)
                .altering(recipe.altered, recipe.altered_moves),
            validation: Validation::new(validation, recipe.sampling, recipe.validation_pairs),
            gradients: Parameters::zeros(&architecture, device),
            recipe: recipe.clone(),
            architecture,
            device,
            cores: 1,
            store: None,
            set: training,
            planes: Vec::new(),
            labels: Vec::new(),
            data: None,
        }
    }

    /// The architecture in training.
    pub fn architecture(&self) -> &Architecture {
        &self.architecture
    }

    fn parameters(&self, flat: &Tensor) -> Parameters {
        self.gradients.with(flat.shallow_clone())
    }
}

impl Task for Satisfaction {
    type Recipe = Recipe;
    type Place = Place;
    type Measures = Measured;
    type Record = Record;
    type Test = TestFigures;
    type Parity = Vec<Vec<f32>>;

    const KEEPS_LOWEST: bool = true;
    const AXES: [&str; 2] = ["epoch", "binary cross-entropy (nats)"];

    fn open(
        recipe: &Recipe,
        inputs: &Inputs<'_>,
        observer: &dyn ProgressObserver,
    ) -> anyhow::Result<Satisfaction> {
        inputs.reject_policy_options()?;
        let Inputs { store, cores, device, .. } = *inputs;
        if let Some(threads) = inputs.threads {
            tch::set_num_threads(i32::try_from(threads).unwrap_or(i32::MAX));
        }
        let games = GameStore::open(store)?;
        let set = |split, mirror| {
            split_set(&games, split, recipe.games, mirror, recipe.constraints.constraints(), cores, observer)
                .map(|set| Arc::new(set.with_ahead(recipe.ahead)))
        };
        let (training, validation) = (set(Split::Training, recipe.mirror)?, set(Split::Validation, false)?);
        let pairs = recipe.validation_pairs;
        let data = DataDescription::new(&games, store, &training, &validation, pairs)
            .with_context(|| format!("cannot read {}", store.display()))?;
        let task = Satisfaction::new(recipe, training, &validation, device);
        Ok(Satisfaction { cores, store: Some(games), data: Some(data), ..task })
    }

    fn data(&self) -> String {
        format!("{}, {} positions", counted(self.set.games(), "game", "games"), self.set.positions())
    }

    fn threads(&self) -> usize {
        usize::try_from(tch::get_num_threads()).unwrap_or(1)
    }

    fn count(recipe: &Recipe) -> i64 {
        recipe.architecture().map_or(0, |architecture| Parameters::count(&architecture))
    }

    fn weights(&self) -> Tensor {
        let parameters = Parameters::random(&self.architecture, self.device, self.recipe.seed as i64);
        let parameters =
            if self.recipe.counting { parameters.counting(&self.architecture) } else { parameters };
        parameters.flat().shallow_clone()
    }

    fn optimizer(&self, weights: &Tensor) -> Optimizer {
        Optimizer::adam(weights)
    }

    fn gradient(&mut self, _: &mut Place, step: u64, weights: &Tensor) -> (Tensor, Vec<f64>) {
        let first = step * self.recipe.batch;
        self.sampler.fill(first..first + self.recipe.batch, &mut self.planes, &mut self.labels);
        let planes = Tensor::from_slice(&self.planes).view([-1, 17, 8, 8]).to_device(self.device);
        let labels = Tensor::from_slice(&self.labels).to_device(self.device);
        let (parameters, precision) = (self.parameters(weights), self.recipe.precision);
        let loss =
            write_gradients(&self.architecture, &parameters, &planes, &labels, precision, &self.gradients);
        if self.recipe.counting {
            self.gradients.clear_counting();
        }
        (self.gradients.flat().shallow_clone(), vec![loss.double_value(&[])])
    }

    fn measure(&self, weights: &Tensor) -> Measured {
        self.validation.measure(&self.architecture, &self.parameters(weights), self.device)
    }

    fn loss(measures: &Measured) -> f64 {
        measures.score.loss
    }

    fn record(&self, stretch: &Stretch, measures: &Measured) -> Record {
        Record {
            epoch: stretch.samples as f64 / self.recipe.pairs_per_epoch as f64,
            pairs: stretch.samples,
            train_loss: stretch.losses.first().copied().unwrap_or(f64::NAN),
            validation_loss: measures.score.loss,
            auc: measures.score.auc,
            learning_rate: stretch.learning_rate,
            samples_per_second: stretch.samples_per_second,
            seconds: stretch.seconds,
        }
    }

    fn point(record: &Record) -> [f64; 3] {
        [record.epoch, record.train_loss, record.validation_loss]
    }

    fn line(record: &Record, kept: bool) -> String {
        format!(
            "epoch {:.3}: training loss {:.5}, validation loss {:.5}{}, AUC {:.4}, {:.0} samples/s",
            record.epoch,
            record.train_loss,
            record.validation_loss,
            if kept { " (best)" } else { "" },
            record.auc.unwrap_or(f64::NAN),
            record.samples_per_second
        )
    }

    fn is_out_of_patience(recipe: &Recipe, records: &[Record]) -> bool {
        recipe.is_out_of_patience(records)
    }

    fn test(
        &self,
        recipe: &Recipe,
        network: &[u8],
        observer: &dyn ProgressObserver,
    ) -> anyhow::Result<Option<TestFigures>> {
        let Some(store) = &self.store else { return Ok(None) };
        let constraints = recipe.constraints.constraints();
        let set = match split_set(store, Split::Test, recipe.games, false, constraints, self.cores, observer)
        {
            Err(error) if error.no_games() => {
                eprintln!("the card has no figures for the test split: {error}");
                return Ok(None);
            }
            set => Arc::new(set?.with_ahead(recipe.ahead)),
        };
        let network = SatisfactionNetwork::from_bytes(recipe.network(), network)?;
        Ok(Some(test_figures(&network, recipe, &set, self.cores, observer)?))
    }

    fn parity(recipe: &Recipe, store: &Path) -> anyhow::Result<Vec<Vec<f32>>> {
        let games = first_games(store)?;
        let moves =
            || Ok::<_, std::convert::Infallible>(games.iter().map(|game| game.moves.clone()).collect());
        let constraints = recipe.constraints.constraints();
        let set = SatisfactionSet::build("first block", constraints, 1, |_| moves(), false, 1, || ())
            .with_context(|| store.display().to_string())?;
        Ok(sample_inputs(&Arc::new(set)))
    }

    fn export(
        recipe: &Recipe,
        weights: Tensor,
        date: &str,
        parity: &Vec<Vec<f32>>,
        path: &Path,
    ) -> anyhow::Result<Vec<u8>> {
        let architecture = recipe.architecture()?;
        let parameters = Parameters::zeros(&architecture, Device::Cpu).with(weights);
        let metadata = Metadata { recipe: recipe.toml(), date: date.to_owned(), reads_goals: None };
        Ok(write_model(&architecture, &parameters, &metadata, parity, path)?)
    }

    fn card(&self, best: &BestOf<Satisfaction>, _: Option<&str>, hash: &str) -> Option<String> {
        self.data.as_ref().map(|data| model_card(best, data, hash))
    }
}
