//! Training a policy: a recipe and a store into `goal-policy` or `reference-policy`.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, SystemTime},
};

use anyhow::{Context, bail};
use entente::network::{NetworkKind as _, Policy};
use indicatif::ProgressBar;
use tch::{Device, Tensor};

use super::super::{
    interrupt,
    read::bar,
    words::{command, file_name},
};
use crate::{
    dataset::goal::{Archive, Sampler, own_games},
    export::{sha256, sha256_file, tower_weights, utc_date},
    games::{GameStore, Split},
    training::{
        Checkpoint, Output, TomlRecipe as _, keep_freed_memory,
        policy::{
            HeldOut, Measures, PolicyCard, PolicyEnd, PolicyEvent, PolicyOutput, PolicyRecipe, PolicyRecord,
            PolicyTrainer, RatingMatrix, policy_card, test_measures,
        },
    },
};

/// Plain positions of either kind that progress is measured on, and samples with goals.
const HELD_OUT: (usize, usize) = (8192, 16384);

/// What the command line says of a run.
pub struct Run<'a> {
    pub recipe: &'a Path,
    pub store: &'a Path,
    pub output: &'a Path,
    pub resume: bool,
    pub start: Option<&'a Path>,
    pub own: &'a [PathBuf],
    pub compare: Option<&'a Path>,
    pub threads: usize,
    pub save_every: Duration,
    pub limit: Option<Duration>,
}

impl Run<'_> {
    /// Trains.
    pub fn run(&self) -> anyhow::Result<()> {
        keep_freed_memory();
        let recipe = PolicyRecipe::read(self.recipe)?;
        let device = Device::cuda_if_available();
        let path = self.output.join(Checkpoint::FILE);
        if path.exists() && !self.resume {
            bail!("{} exists: add --resume to go on, or give another folder", path.display());
        }
        let start = self.start.map(|path| start_weights(path, &recipe, device)).transpose()?;
        // What is wrong with them shows before the games of the store are read, which takes longer.
        let own = (!self.own.is_empty()).then(|| own_games(self.own)).transpose()?;
        Output::prepare(self.output)?;

        let store = GameStore::open(self.store)?;
        let archive = read(&store, recipe.games.split(), self.threads)?;
        let validation = read(&store, Split::Validation, self.threads)?;
        let held_out = HeldOut::new(&validation, &recipe.sampler(), HELD_OUT.0, HELD_OUT.1, 1);
        let mut trainer = PolicyTrainer::new(&recipe, Arc::clone(&archive), held_out, device, self.threads);
        if let (Some(weights), Some(path)) = (start, self.start) {
            let hash = sha256_file(path).with_context(|| path.display().to_string())?;
            trainer.start_with(&weights, format!("`{}`, SHA-256 `{hash}`", file_name(path)));
        }
        if let Some(own) = own {
            trainer.learn_from(own);
        }
        if let Some(path) = self.compare {
            let games = read(&GameStore::open(path)?, Split::Validation, self.threads)?;
            trainer.compare_on(HeldOut::new(&games, &recipe.sampler(), HELD_OUT.0, 0, 1));
        }
        if self.resume {
            trainer.restore(&path)?;
        }
        let output = PolicyOutput(self.output);
        let screen = bar(recipe.positions, "{bar:32} {msg}, {per_sec}, {eta} left");
        screen.set_position(trainer.progress().steps * recipe.batch);
        screen.reset_eta();
        let say = |line: &str| screen.suspend(|| eprintln!("{line}"));
        say(&format!(
            "{}: {} games, {} plies, on {device:?}, {} threads",
            recipe.network.name(),
            archive.len(),
            archive.plies(),
            self.threads
        ));
        let end = trainer.run(self.save_every, self.limit, interrupt::flag(), |trainer, event| {
            match event {
                PolicyEvent::Steps => show(&screen, trainer),
                PolicyEvent::Save => trainer.save(&path)?,
                PolicyEvent::Validated => {
                    trainer.save(&path)?;
                    output.records(trainer)?;
                    if let Some(record) = trainer.progress().records.last() {
                        say(&line(record));
                    }
                }
            }
            anyhow::Ok(())
        })?;
        screen.finish_and_clear();
        match end {
            PolicyEnd::Finished => say("all samples are done"),
            PolicyEnd::Stopped => say("saved; --resume goes on"),
            PolicyEnd::Diverged => bail!(
                "the loss or a weight is no longer finite after {} steps: lower learning_rate in {} and go on with \
                 --resume from the last checkpoint, if there is one",
                trainer.progress().steps,
                self.recipe.display()
            ),
        }
        let date = utc_date(SystemTime::now());
        let samples = trainer.held_out().samples();
        let bytes = output.network(&recipe, trainer.average(), samples, &date)?;
        if end == PolicyEnd::Finished {
            interrupt::at_once(|| self.card(&store, &trainer, &bytes, &date))?;
        }
        println!("{}", self.output.join(format!("{}.onnx", recipe.network.name())).display());
        Ok(())
    }

    /// Measures the network on the test split and writes its card.
    fn card(
        &self,
        store: &GameStore,
        trainer: &PolicyTrainer,
        bytes: &[u8],
        date: &str,
    ) -> anyhow::Result<()> {
        let progress = trainer.progress();
        let recipe = &progress.recipe;
        let name = recipe.network.name();
        let policy = Policy::from_bytes(name, bytes)?;
        let test = read(store, Split::Test, self.threads)?;
        let (measures, matrix) = measured(&policy, &recipe.sampler(), &test, self.threads)?;
        let hash =
            sha256_file(self.store).with_context(|| format!("cannot read {}", self.store.display()))?;
        let card = policy_card(&PolicyCard {
            recipe,
            start: progress.start.as_deref(),
            positions: progress.steps * recipe.batch,
            model_hash: &sha256(bytes),
            command: &command("entente-trainer", std::env::args_os().skip(1)),
            date,
            store: (&file_name(self.store), &hash),
            files: &store.description().files,
            games: progress.games,
            own_games: progress.own_games,
            test_games: test.len(),
            measures: &measures,
            matrix: &matrix,
        });
        PolicyOutput(self.output).card(name, &card)
    }
}

/// The weights to begin with: of an exported network, or the average of a checkpoint.
fn start_weights(path: &Path, recipe: &PolicyRecipe, device: Device) -> anyhow::Result<Tensor> {
    if path.extension().is_some_and(|extension| extension == "onnx") {
        let name = || path.display().to_string();
        return tower_weights(&fs::read(path).with_context(name)?, &recipe.tower).with_context(name);
    }
    let (progress, [_, average, ..]) = PolicyTrainer::read(path, device)?;
    if progress.recipe.tower != recipe.tower {
        bail!("{}: that network has another `tower`", path.display());
    }
    Ok(average)
}

/// What a policy says of the games of an archive, with a progress bar.
pub fn measured(
    policy: &Policy,
    sampler: &Sampler,
    archive: &Arc<Archive>,
    threads: usize,
) -> anyhow::Result<(Measures, RatingMatrix)> {
    let bar = bar(0, "measuring {bar:32} {pos}/{len} positions, {per_sec}, {eta} left");
    let (begin, done) = (|all| bar.set_length(all), |some| bar.inc(some));
    let measured = test_measures(policy, sampler, archive, threads, begin, done)?;
    bar.finish_and_clear();
    Ok(measured)
}

/// The games of a split, with a progress bar.
pub fn read(store: &GameStore, split: Split, threads: usize) -> anyhow::Result<Arc<Archive>> {
    let bar = bar(store.block_count() as u64, "{msg} {bar:32} {pos}/{len} blocks, {per_sec}, {eta} left");
    bar.set_message(format!("reading the {split} split"));
    let archive = Archive::read(store, split, threads, || bar.inc(1))?;
    bar.finish_and_clear();
    Ok(Arc::new(archive))
}

fn show(bar: &ProgressBar, trainer: &PolicyTrainer) {
    bar.set_position(trainer.progress().steps * trainer.progress().recipe.batch);
    bar.set_message(format!("loss {:.4}", trainer.recent_loss()));
}

fn line(record: &PolicyRecord) -> String {
    let number = |number: Option<f64>| number.map_or("–".to_owned(), |number| format!("{number:.4}"));
    format!(
        "{:.2} M: moves {:.4} in training, {:.4} online (top-1 {:.2}%), {:.4} over the board, {:.4} with hindsight, {} with \
         clocks hidden and {} told; on the other store {} online and {} over the board; AUC {} and {}; result {:.3}; {:.0} samples/s",
        record.positions as f64 / 1e6,
        record.train_policy,
        record.online_cross_entropy,
        100.0 * record.online_top_1,
        record.over_the_board_cross_entropy,
        record.hindsight_cross_entropy,
        number(record.hidden_clock_cross_entropy),
        number(record.told_clock_cross_entropy),
        number(record.compared_online_cross_entropy),
        number(record.compared_over_the_board_cross_entropy),
        number(record.value_auc),
        number(record.action_value_auc),
        record.result_loss,
        record.positions_per_second
    )
}

/// True if the recipe at `path` is one of a policy; what cannot be read is left to whoever reads it.
pub fn is_policy(path: &Path) -> bool {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let table: toml::Table = toml::from_str(&text).unwrap_or_default();
    table.get("network").and_then(toml::Value::as_str).is_some_and(|name| name.ends_with("-policy"))
}
