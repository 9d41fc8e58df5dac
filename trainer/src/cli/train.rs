//! `entente-trainer train`: a recipe and a store into a network.

use std::{
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

use anyhow::{Context, anyhow, bail};
use tch::Device;

use super::{bars::Bars, interrupt, screen::Screen, words::command};
use crate::training::{
    CHECKPOINT, Checkpoint, Event, Inputs, Kind, Outcome, Output, RunOptions, Task, TaskRecipe as _,
    TomlRecipe as _, Trainer, check_recipe, evaluation::Evaluation, keep_freed_memory, policy::Policy,
    prepare, satisfaction::Satisfaction, transformer::MovePrediction,
};

const EXAMPLES: &str = "\
Examples:
  entente-trainer train models/recipes/thesis-1.toml -s games.store -o runs/thesis-1
  entente-trainer train models/recipes/thesis-1.toml -s games.store -o runs/thesis-1 --resume

The output folder gets checkpoint.safetensors, metrics.csv (a row for each validation), loss.svg, and whenever the \
validation loss is the lowest so far the network (NAME.onnx) and its card (NAME.md). When the run ends the network is \
measured on the test split, too.

Ctrl-C saves and ends; --resume goes on with the very samples that the run would have had, and with as many threads on \
the same device it gets the very weights, too. Resumed with more epochs in the recipe, a finished run is trained \
further.

Exit status: 0 the run ended or was interrupted and saved, 2 an error.";

/// Options of `train`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The recipe (TOML)
    recipe: PathBuf,

    /// The game store (made by `import`); for an evaluation network that of positions (made by `evaluations`); for a
    /// transformer also a folder of text files (made by `sequence`)
    #[arg(short, long, value_name = "FILE")]
    store: PathBuf,

    /// The run's folder
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,

    /// Go on from the checkpoint in the folder
    #[arg(long)]
    resume: bool,

    /// Begin with this network, an ONNX file or a checkpoint, instead of random weights (policies only)
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    start: Option<PathBuf>,

    /// Learn from the games of this tournament, too, that the policy played at given ratings without search's help; may be
    /// given more than once (policies only)
    #[arg(long, value_name = "DIR")]
    own: Vec<PathBuf>,

    /// Learn from these labels of the store's positions, too (made by `label`; policies only)
    #[arg(long, value_name = "FILE")]
    labels: Option<PathBuf>,

    /// Measure progress on the validation games of this store, too, for comparison with networks that were measured on them
    /// (policies only)
    #[arg(long, value_name = "FILE")]
    compare: Option<PathBuf>,

    /// Threads of the network's arithmetic: another number gives slightly other weights. Reading the games takes all
    /// cores [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,

    /// Save and end after this time
    #[arg(long, value_name = "N")]
    max_minutes: Option<f64>,

    /// Minutes between two checkpoints without a validation
    #[arg(long, value_name = "N", default_value_t = 5.0)]
    save_minutes: f64,
}

/// Trains.
pub(super) fn run(arguments: Arguments) -> anyhow::Result<()> {
    match Kind::of(&arguments.recipe)? {
        Kind::Satisfaction => train::<Satisfaction>(&arguments),
        Kind::Policy => train::<Policy>(&arguments),
        Kind::Evaluation => train::<Evaluation>(&arguments),
        Kind::Transformer => train::<MovePrediction>(&arguments),
    }
}

fn train<T: Task>(arguments: &Arguments) -> anyhow::Result<()> {
    keep_freed_memory();
    let Arguments { store, output: folder, .. } = arguments;
    let recipe = T::Recipe::read(&arguments.recipe)?;
    let options = RunOptions {
        command: command("entente-trainer", std::env::args_os().skip(1)),
        save_every: minutes("--save-minutes", arguments.save_minutes)?,
        limit: arguments.max_minutes.map(|limit| minutes("--max-minutes", limit)).transpose()?,
    };
    let inputs = Inputs {
        store,
        start: arguments.start.as_deref(),
        own: &arguments.own,
        labels: arguments.labels.as_deref(),
        compare: arguments.compare.as_deref(),
        threads: arguments.threads.map(usize::from),
        cores: thread::available_parallelism().map_or(1, usize::from),
        device: Device::cuda_if_available(),
    };
    // Whatever is wrong with the folder shows before the games are read, which may take long.
    let path = folder.join(CHECKPOINT);
    let checkpoint = resumed::<T>(&path, arguments.resume, &recipe, inputs.device)?;
    prepare(folder)?;

    let bars = Bars::default();
    let task = T::open(&recipe, &inputs, &bars)?;
    let output = Output::new(folder, &recipe, store)?;
    let (data, threads) = (task.data(), task.threads());
    let mut trainer = Trainer::new(&recipe, task, inputs.device);
    if let Some(checkpoint) = checkpoint {
        trainer.restore(checkpoint).map_err(|reason| anyhow!("{}: {reason}", path.display()))?;
    }
    let screen = Screen::new(&trainer);
    screen.say(&format!("{}: {data}, on {:?}, {threads} threads", recipe.network(), inputs.device));
    let outcome = trainer.run(&options, interrupt::flag(), |trainer, event| {
        match event {
            Event::Steps => screen.steps(trainer),
            Event::Save => output.save(trainer)?,
            Event::Validated(kept) => {
                output.save_records(trainer)?;
                if kept {
                    output.export(trainer)?;
                }
                screen.validated(trainer, kept);
            }
        }
        anyhow::Ok(())
    })?;
    screen.finish();
    screen.say(match outcome {
        Outcome::Finished => "all samples are done",
        Outcome::NoImprovement => "stopped: the validation loss no longer falls",
        Outcome::TimeLimit => "saved: the time is up; --resume goes on",
        Outcome::Interrupted => "saved: interrupted; --resume goes on",
        Outcome::Diverged => bail!(
            "the loss or a weight is no longer finite after {} steps: lower learning_rate in {} and go on with --resume \
             from the last checkpoint, if there is one",
            trainer.progress().steps,
            arguments.recipe.display()
        ),
    });
    let Some((model, bytes)) = output.export(&trainer)? else { return Ok(()) };
    let best = trainer.progress().best.as_ref().filter(|best| best.test.is_none());
    if let Some(best) = best
        && matches!(outcome, Outcome::Finished | Outcome::NoImprovement)
    {
        // Should it be interrupted, all is saved, and --resume comes back here.
        let test = interrupt::at_once(|| trainer.task().test(&best.origin.recipe, &bytes, &bars))?;
        if let Some(test) = test {
            trainer.keep_test(test);
            output.save(&trainer)?;
            output.export(&trainer)?;
        }
    }
    println!("{}", model.display());
    Ok(())
}

/// The checkpoint to go on from, if any, that fits the recipe.
fn resumed<T: Task>(
    path: &Path,
    resume: bool,
    recipe: &T::Recipe,
    device: Device,
) -> anyhow::Result<Option<Checkpoint<T>>> {
    if resume {
        let checkpoint = Checkpoint::read(path, device)?;
        check_recipe(&checkpoint, recipe).map_err(|reason| anyhow!("{}: {reason}", path.display()))?;
        return Ok(Some(checkpoint));
    }
    if path.exists() {
        bail!("{} exists: add --resume to go on, or give another folder", path.display());
    }
    Ok(None)
}

fn minutes(option: &str, minutes: f64) -> anyhow::Result<Duration> {
    Duration::try_from_secs_f64(minutes * 60.0)
        .with_context(|| format!("option {option}: expected a number of minutes, found {minutes}"))
}
