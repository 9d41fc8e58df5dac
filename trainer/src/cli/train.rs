//! `entente-trainer train`: a recipe and a store into a network.

use std::{
    io::IsTerminal,
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

use anyhow::{Context, bail};
use entente::constraint::thesis::Counts;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tch::Device;

use super::interrupt;
use crate::{
    dataset::SatisfactionSet,
    export::sha256_file,
    games::{GameStore, Split},
    training::{
        Checkpoint, DataDescription, Event, GameSelection, Outcome, Output, Recipe, RunOptions, Trainer,
        keep_freed_memory,
    },
};

const EXAMPLES: &str = "\
Examples:
  entente-trainer train models/recipes/thesis-1.toml --store games.store --output runs/thesis-1
  entente-trainer train models/recipes/thesis-1.toml --store games.store --output runs/thesis-1 --resume

The output folder gets checkpoint.safetensors, metrics.csv (a row for each validation), loss.svg, and whenever the
validation loss is the lowest so far the network (NAME.onnx) and its card (NAME.md).

Ctrl-C saves and ends; --resume goes on with the very samples and weights that the run would have had. Resumed with
more epochs in the recipe, a finished run is trained further. Not restored: the time of the next validation.

Exit status: 0 the run ended or was interrupted and saved, 2 an error.";

/// Options of `train`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The recipe (TOML)
    recipe: PathBuf,

    /// The game store (made by `import`)
    #[arg(short, long, value_name = "FILE")]
    store: PathBuf,

    /// The run's folder
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,

    /// Go on from the checkpoint in the folder
    #[arg(long)]
    resume: bool,

    /// Threads of the network's arithmetic; reading the games takes all cores [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,

    /// Save and end after this time
    #[arg(long, value_name = "N")]
    max_minutes: Option<f64>,

    /// Minutes between two checkpoints within an epoch
    #[arg(long, value_name = "N", default_value_t = 5.0)]
    save_minutes: f64,

    /// Minutes between two validations within an epoch
    #[arg(long, value_name = "N", default_value_t = 10.0)]
    validate_minutes: f64,
}

/// Trains.
pub fn run(arguments: Arguments) -> anyhow::Result<()> {
    keep_freed_memory();
    let recipe = Recipe::read(&arguments.recipe)?;
    let checkpoint_path = arguments.output.join(Checkpoint::FILE);
    if !arguments.resume && checkpoint_path.exists() {
        bail!("{} exists: add --resume to go on, or give another folder", checkpoint_path.display());
    }
    let options = RunOptions {
        save_every: minutes("--save-minutes", arguments.save_minutes)?,
        validate_every: minutes("--validate-minutes", arguments.validate_minutes)?,
        limit: arguments.max_minutes.map(|limit| minutes("--max-minutes", limit)).transpose()?,
    };
    let cores = thread::available_parallelism().map_or(1, usize::from);
    if let Some(threads) = arguments.threads {
        tch::set_num_threads(i32::from(threads));
    }
    let device = Device::cuda_if_available();

    let store = GameStore::open(&arguments.store)?;
    let set = |split, mirror, name| {
        read_set(&store, split, recipe.games, mirror, name, recipe.constraints.constraints(), cores)
    };
    let training = set(Split::Training, recipe.mirror, "training")?;
    let validation = set(Split::Validation, false, "validation")?;
    let hash = sha256_file(&arguments.store)
        .with_context(|| format!("cannot read {}", arguments.store.display()))?;
    let name = file_name(&arguments.store);
    let data = DataDescription::new(&store, name, hash, &training, &validation, recipe.validation_pairs);
    let output = Output::new(&arguments.output, data, command(), &validation)?;

    let mut trainer = Trainer::new(&recipe, &training, &validation, device)?;
    if arguments.resume {
        let checkpoint = Checkpoint::read(&checkpoint_path, device)?;
        trainer
            .restore(checkpoint)
            .map_err(|reason| anyhow::anyhow!("{}: {reason}", checkpoint_path.display()))?;
    }
    let screen = Screen::new(&trainer);
    screen.say(&format!(
        "{}: {} games, {} positions, {} pairs, on {device:?}",
        recipe.network,
        training.games(),
        training.positions(),
        training.pairs()
    ));
    let outcome = trainer.run(&options, interrupt::flag(), |trainer, event| {
        match event {
            Event::Steps => screen.steps(trainer),
            Event::Save => output.save(trainer)?,
            Event::Validated(improved) => {
                output.save_records(trainer)?;
                if improved {
                    output.export(trainer)?;
                }
                screen.validated(trainer, improved);
            }
        }
        anyhow::Ok(())
    })?;
    screen.bar.finish_and_clear();
    let end = match outcome {
        Outcome::Finished => "all epochs are done",
        Outcome::NoImprovement => "stopped: the validation loss no longer falls",
        Outcome::TimeLimit => "saved: the time is up; --resume goes on",
        Outcome::Interrupted => "saved: interrupted; --resume goes on",
        Outcome::Diverged => bail!(
            "the loss is no longer finite after {} steps: lower learning_rate in {} and go on with --resume from the \
             last checkpoint, if there is one",
            trainer.progress().steps,
            arguments.recipe.display()
        ),
    };
    if trainer.progress().best.is_some() {
        let model = output.export(&trainer)?;
        println!("{}", model.display());
    }
    screen.say(end);
    Ok(())
}

/// The samples of a split, with a progress bar.
pub(super) fn read_set(
    store: &GameStore,
    split: Split,
    selection: GameSelection,
    mirror: bool,
    name: &str,
    constraints: &[Counts],
    threads: usize,
) -> anyhow::Result<SatisfactionSet> {
    let bar = bar(store.block_count() as u64, "{msg} {bar:32} {pos}/{len} blocks, {per_sec}, {eta} left");
    bar.set_message(format!("reading the {name} split"));
    let read = |block| {
        let games = store.read_block(block)?;
        Ok::<_, crate::games::StoreError>(
            games
                .into_iter()
                .filter(|game| selection.contains(game) && game.split() == split)
                .map(|game| game.moves)
                .collect(),
        )
    };
    let set =
        SatisfactionSet::build(name, constraints, store.block_count(), read, mirror, threads, || bar.inc(1))?;
    bar.finish_and_clear();
    Ok(set)
}

fn minutes(option: &str, minutes: f64) -> anyhow::Result<Duration> {
    Duration::try_from_secs_f64(minutes * 60.0)
        .with_context(|| format!("option {option}: expected a number of minutes, found {minutes}"))
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// What was run, with folders left out of paths.
fn command() -> String {
    let mut words =
        std::env::args().map(|word| if word.contains('/') { file_name(word.as_ref()) } else { word });
    words.next();
    std::iter::once("entente-trainer".to_owned()).chain(words).collect::<Vec<_>>().join(" ")
}

pub(super) fn bar(length: u64, template: &str) -> ProgressBar {
    let bar = ProgressBar::new(length);
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}

/// Standard error: a progress bar, or on a file a line for each validation.
struct Screen {
    bar: ProgressBar,
}

impl Screen {
    fn new(trainer: &Trainer<'_>) -> Screen {
        let recipe = &trainer.progress().recipe;
        let bar = bar(recipe.epochs * recipe.pairs_per_epoch, "{bar:32} {msg}, {per_sec}, {eta} left");
        if std::io::stderr().is_terminal() {
            bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(4));
        }
        bar.set_position(trainer.progress().steps * recipe.batch);
        bar.reset_eta();
        Screen { bar }
    }

    fn say(&self, line: &str) {
        self.bar.suspend(|| eprintln!("{line}"));
    }

    fn steps(&self, trainer: &Trainer<'_>) {
        let progress = trainer.progress();
        let epoch = progress.steps as f64 / progress.recipe.steps_per_epoch() as f64;
        self.bar.set_position(progress.steps * progress.recipe.batch);
        self.bar.set_message(format!(
            "epoch {epoch:.2} of {}, loss {:.4}",
            progress.recipe.epochs,
            trainer.recent_loss()
        ));
    }

    fn validated(&self, trainer: &Trainer<'_>, improved: bool) {
        let Some(record) = trainer.progress().records.last() else { return };
        self.say(&format!(
            "epoch {:.3}: training loss {:.5}, validation loss {:.5}{}, AUC {:.4}, {:.0} samples/s",
            record.epoch,
            record.train_loss,
            record.validation_loss,
            if improved { " (best)" } else { "" },
            record.auc.unwrap_or(f64::NAN),
            record.samples_per_second
        ));
    }
}
