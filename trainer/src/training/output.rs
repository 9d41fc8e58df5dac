use std::{
    fs,
    marker::PhantomData,
    path::{Path, PathBuf},
};

use anyhow::Context;
use entente_cli::whole_file::{WholeFile, replace_file};
use tch::Device;

use super::{CHECKPOINT, Task, TaskRecipe as _, Trainer, history::write_csv, loss_plot};
use crate::{
    files::sha256,
    games::{GameStore, StoreError, StoredGame},
};

/// The folder of a run: the checkpoint, `metrics.csv`, `loss.svg`, and the best network with its card.
#[derive(Debug)]
pub struct Output<T: Task> {
    folder: PathBuf,
    parity: T::Parity,
    task: PhantomData<T>,
}

impl<T: Task> Output<T> {
    /// Output to `folder`, which must have been created by [`prepare`]. Exported networks are checked on games of
    /// `store`.
    ///
    /// # Errors
    ///
    /// If the store cannot be read.
    pub fn new(folder: &Path, recipe: &T::Recipe, store: &Path) -> anyhow::Result<Output<T>> {
        let parity = T::parity(recipe, store)?;
        Ok(Output { folder: folder.to_owned(), parity, task: PhantomData })
    }

    /// Writes the checkpoint.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn save(&self, trainer: &Trainer<T>) -> anyhow::Result<()> {
        Ok(trainer.save(&self.folder.join(CHECKPOINT))?)
    }

    /// Writes the checkpoint, `metrics.csv` and `loss.svg`.
    ///
    /// # Errors
    ///
    /// If a file cannot be written.
    pub fn save_records(&self, trainer: &Trainer<T>) -> anyhow::Result<()> {
        self.save(trainer)?;
        let progress = trainer.progress();
        let metrics = self.folder.join("metrics.csv");
        write_csv(&progress.records, &metrics)
            .with_context(|| format!("cannot write {}", metrics.display()))?;
        let plot = self.folder.join("loss.svg");
        let points: Vec<[f64; 3]> = progress.records.iter().map(T::point).collect();
        let svg = loss_plot(progress.recipe.network(), T::AXES, &points)
            .map_err(|error| anyhow::anyhow!("cannot plot the losses: {error}"))?;
        replace_file(&plot, svg.as_bytes()).with_context(|| format!("cannot write {}", plot.display()))
    }

    /// Writes the best network and its card, after a check that the engine computes the same outputs. The same network
    /// gives the same files. Returns the path and the content of the network's file; `None` before the first
    /// validation.
    ///
    /// # Errors
    ///
    /// If the check fails or a file cannot be written.
    pub fn export(&self, trainer: &Trainer<T>) -> anyhow::Result<Option<(PathBuf, Vec<u8>)>> {
        let progress = trainer.progress();
        let Some(best) = &progress.best else { return Ok(None) };
        let path = self.folder.join(format!("{}.{}", progress.recipe.network(), T::EXTENSION));
        let (recipe, date) = (&best.origin.recipe, &best.origin.date);
        let weights = trainer.rows().best.to_device(Device::Cpu);
        let bytes = T::export(recipe, weights, date, &self.parity, &path)?;
        if let Some(card) = trainer.task().card(best, progress.start.as_deref(), &sha256(&bytes)) {
            let path = path.with_extension("md");
            replace_file(&path, card.as_bytes())
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok(Some((path, bytes)))
    }
}

/// Creates the folder of a run if it is missing, and checks that files can be written to it, before hours of work are
/// spent.
///
/// # Errors
///
/// If either fails.
pub fn prepare(folder: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    // A file that is not finished leaves nothing behind.
    WholeFile::create(&folder.join(CHECKPOINT))
        .map(drop)
        .with_context(|| format!("cannot write to the folder {}", folder.display()))
}

/// The first games of the store.
///
/// # Errors
///
/// If it cannot be read.
pub(crate) fn first_games(store: &Path) -> Result<Vec<StoredGame>, StoreError> {
    GameStore::open(store)?.read_block(0)
}
