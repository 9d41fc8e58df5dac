//! `entente-trainer train`: trains a network according to a recipe.

use std::{
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

use anyhow::{Context, anyhow, bail};
use entente_constraint::counted;
use tch::Device;

use super::{bars::Bars, interrupt, screen::Screen, words::command};
use crate::{
    training::{
        CHECKPOINT, Checkpoint, Event, Inputs, Kind, Outcome, Output, RunOptions, Task, TaskRecipe as _,
        TomlRecipe as _, Trainer, check_recipe, evaluation::Evaluation, keep_freed_memory, policy::Policy,
        prepare, satisfaction::Satisfaction,
    },
    transformer::training::MovePrediction,
};

const EXAMPLES: &str = "\
Examples:
  entente-trainer train models/recipes/thesis-1.toml -s games.store -o runs/thesis-1
  entente-trainer train models/recipes/thesis-1.toml -s games.store -o runs/thesis-1 --resume

The output folder gets checkpoint.safetensors, metrics.csv (a row for each validation) and loss.svg. Whenever the \
validation loss is the lowest so far, it also gets the network (NAME.onnx) and its card (NAME.md). At the end of the \
run, the network is measured on the test split.

Ctrl-C saves the run and ends it. --resume continues it with exactly the samples that it would have had. With the same \
number of threads on the same device, the weights are the same, too. To train a finished run further, resume it with \
more epochs in the recipe.

Exit status: 0 the run ended, or was interrupted and saved; 2 an error.";

/// Options of `train`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The recipe (TOML)
    recipe: PathBuf,

    /// The stage of the recipe to train, if it has several
    #[arg(long, value_name = "NAME")]
    stage: Option<String>,

    /// The game store (made by `import`). For an evaluation network, the store of positions (made by `evaluations`).
    /// For a transformer, also a folder of text files (made by `sequence`)
    #[arg(short, long, value_name = "FILE")]
    store: PathBuf,

    /// The folder of the run
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,

    /// Continue from the checkpoint in the folder
    #[arg(long)]
    resume: bool,

    /// Start with the weights of this network, an ONNX file or a checkpoint, instead of random weights (policies only).
    /// For a tower with several trunks, give one network of Leela Chess Zero for each of them
    #[arg(long, value_name = "FILE")]
    start: Vec<PathBuf>,

    /// Also learn from the games that the policy played in this tournament, at given ratings and without search. May be
    /// given more than once (policies only)
    #[arg(long, value_name = "DIR")]
    own: Vec<PathBuf>,

    /// Also learn from these labels of the store's positions (made by `label`; policies only)
    #[arg(long, value_name = "FILE")]
    labels: Option<PathBuf>,

    /// Also validate on the validation games of this store, for comparison with networks that were measured on them
    /// (policies only)
    #[arg(long, value_name = "FILE")]
    compare: Option<PathBuf>,

    /// Threads that compute the network; their number changes the weights slightly. Games are always read on all cores
    /// [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,

    /// Save the run and end it after N minutes
    #[arg(long, value_name = "N")]
    max_minutes: Option<f64>,

    /// Minutes between checkpoints that are saved without a validation
    #[arg(long, value_name = "N", default_value_t = 5.0)]
    save_minutes: f64,
}

/// Trains the kind of network that the recipe names.
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
    let recipe = T::Recipe::read(&arguments.recipe, arguments.stage.as_deref())?;
    let options = RunOptions {
        command: command("entente-trainer", std::env::args_os().skip(1)),
        save_every: minutes("--save-minutes", arguments.save_minutes)?,
        limit: arguments.max_minutes.map(|limit| minutes("--max-minutes", limit)).transpose()?,
    };
    let inputs = Inputs {
        store,
        start: &arguments.start,
        own: &arguments.own,
        labels: arguments.labels.as_deref(),
        compare: arguments.compare.as_deref(),
        threads: arguments.threads.map(usize::from),
        cores: thread::available_parallelism().map_or(1, usize::from),
        device: Device::cuda_if_available(),
    };
    // Check the folder first, because reading the games may take long.
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
    screen.say(&format!(
        "{}: {data}, on {:?}, {}",
        recipe.network(),
        inputs.device,
        counted(threads, "thread", "threads")
    ));
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
        Outcome::Finished => "finished: all samples were used",
        Outcome::NoImprovement => "finished: the validation loss no longer falls",
        Outcome::TimeLimit => "saved: the time limit is reached; --resume continues the run",
        Outcome::Interrupted => "saved: interrupted; --resume continues the run",
        Outcome::Diverged => bail!(
            "the loss or a weight is no longer finite after {} steps: lower learning_rate in {} and continue with \
             --resume from the last checkpoint, if there is one",
            trainer.progress().steps,
            arguments.recipe.display()
        ),
    });
    let Some((model, bytes)) = output.export(&trainer)? else { return Ok(()) };
    let best = trainer.progress().best.as_ref().filter(|best| best.test.is_none());
    if let Some(best) = best
        && matches!(outcome, Outcome::Finished | Outcome::NoImprovement)
    {
        // If this is interrupted, everything is saved, and --resume returns here.
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

/// With `--resume`, the checkpoint to continue from, which must fit the recipe.
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
        bail!("{} exists: add --resume to continue the run, or give another folder", path.display());
    }
    Ok(None)
}

fn minutes(option: &str, minutes: f64) -> anyhow::Result<Duration> {
    Duration::try_from_secs_f64(minutes * 60.0)
        .with_context(|| format!("option {option}: expected a number of minutes, found {minutes}"))
}
