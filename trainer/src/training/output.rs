use std::{
    fs,
    path::{Path, PathBuf},
    time::SystemTime,
};

use anyhow::Context;

use super::{Checkpoint, DataDescription, Trainer, history, loss_plot, model_card};
use crate::{
    dataset::SatisfactionSet,
    export::{Metadata, sample_inputs, sha256, utc_date, write_model},
};

/// The folder of a run: checkpoint, `metrics.csv`, `loss.svg`, and the best network with its card.
#[derive(Debug)]
pub struct Output {
    folder: PathBuf,
    data: DataDescription,
    command: String,
    parity_inputs: Vec<Vec<f32>>,
}

impl Output {
    /// Output to `folder`, which is made if it is missing. The parity of exported networks is checked on
    /// positions of `validation`.
    ///
    /// # Errors
    ///
    /// If the folder cannot be made.
    pub fn new(
        folder: &Path,
        data: DataDescription,
        command: String,
        validation: &SatisfactionSet,
    ) -> anyhow::Result<Output> {
        fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
        Ok(Output { folder: folder.to_owned(), data, command, parity_inputs: sample_inputs(validation) })
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
        history::replace(&plot, svg.as_bytes()).with_context(|| format!("cannot write {}", plot.display()))
    }

    /// Writes the best network, after a check that it computes the same through tract, and its card.
    ///
    /// # Errors
    ///
    /// If the parity fails or a file cannot be written.
    pub fn export(&self, trainer: &Trainer<'_>) -> anyhow::Result<PathBuf> {
        let progress = trainer.progress();
        let name = trainer.architecture().name();
        let path = self.folder.join(format!("{name}.onnx"));
        let metadata = Metadata { recipe_hash: progress.recipe.hash(), date: utc_date(SystemTime::now()) };
        let bytes =
            write_model(trainer.architecture(), &trainer.best(), &metadata, &self.parity_inputs, &path)?;
        let card = model_card(progress, &self.data, &sha256(&bytes), &metadata.date, &self.command);
        let card_path = path.with_extension("md");
        history::replace(&card_path, card.as_bytes())
            .with_context(|| format!("cannot write {}", card_path.display()))?;
        Ok(path)
    }
}
