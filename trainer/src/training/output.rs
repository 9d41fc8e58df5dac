use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::Context;

use super::{
    Checkpoint, DataDescription, TomlRecipe as _, Trainer, history, loss_plot, model_card, replace::replace,
};
use crate::{
    dataset::SatisfactionSet,
    export::{Metadata, sample_inputs, sha256, write_model},
};

/// The folder of a run: checkpoint, `metrics.csv`, `loss.svg`, and the best network with its card.
#[derive(Debug)]
pub struct Output {
    folder: PathBuf,
    data: DataDescription,
    parity_inputs: Vec<Vec<f32>>,
}

impl Output {
    /// Makes the folder if it is missing, and makes sure that files can be written there: better before hours of work
    /// than after.
    ///
    /// # Errors
    ///
    /// If one of the two fails.
    pub fn prepare(folder: &Path) -> anyhow::Result<()> {
        fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
        let trial = folder.join(format!(".{}.part", std::process::id()));
        fs::write(&trial, b"")
            .and_then(|()| fs::remove_file(&trial))
            .with_context(|| format!("cannot write into the folder {}", folder.display()))
    }

    /// Output to `folder`, which [`Output::prepare`] has made. The parity of exported networks is checked on
    /// positions of `validation`.
    pub fn new(folder: &Path, data: DataDescription, validation: &SatisfactionSet) -> Output {
        Output { folder: folder.to_owned(), data, parity_inputs: sample_inputs(validation) }
    }

    /// Where the checkpoint is.
    pub fn checkpoint_path(&self) -> PathBuf {
        self.folder.join(Checkpoint::FILE)
    }

    /// Writes the checkpoint.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn save(&self, trainer: &Trainer<'_>) -> anyhow::Result<()> {
        Ok(trainer.checkpoint().write(&self.checkpoint_path())?)
    }

    /// Writes the checkpoint, `metrics.csv` and `loss.svg`.
    ///
    /// # Errors
    ///
    /// If one of them cannot be written.
    pub fn save_records(&self, trainer: &Trainer<'_>) -> anyhow::Result<()> {
        self.save(trainer)?;
        let records = &trainer.progress().records;
        let metrics = self.folder.join("metrics.csv");
        history::write_csv(records, &metrics)
            .with_context(|| format!("cannot write {}", metrics.display()))?;
        let plot = self.folder.join("loss.svg");
        let svg = loss_plot(trainer.architecture().name(), records)
            .map_err(|error| anyhow::anyhow!("cannot plot the losses: {error}"))?;
        replace(&plot, svg.as_bytes()).with_context(|| format!("cannot write {}", plot.display()))
    }

    /// Writes the best network, after a check that it computes the same in the engine, and its card; the same network
    /// gives the same files. Returns the network's path; `None` before the first validation.
    ///
    /// # Errors
    ///
    /// If the check fails or a file cannot be written.
    pub fn export(&self, trainer: &Trainer<'_>) -> anyhow::Result<Option<PathBuf>> {
        let Some(best) = &trainer.progress().best else { return Ok(None) };
        let path = self.folder.join(format!("{}.onnx", trainer.architecture().name()));
        let metadata = Metadata { recipe: best.origin.recipe.toml(), date: best.origin.date.clone() };
        let bytes =
            write_model(trainer.architecture(), &trainer.best(), &metadata, &self.parity_inputs, &path)?;
        let card = model_card(best, &self.data, &sha256(&bytes));
        let card_path = path.with_extension("md");
        replace(&card_path, card.as_bytes())
            .with_context(|| format!("cannot write {}", card_path.display()))?;
        Ok(Some(path))
    }
}
