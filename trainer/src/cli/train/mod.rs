//! `entente-trainer train`: a recipe and a store into a network.

use std::{
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

use anyhow::{Context, anyhow, bail};
use entente::network::{NetworkKind as _, SatisfactionNetwork};
use tch::Device;

pub mod policy;

use super::{
    interrupt,
    read::{bar, read_split},
    screen::Screen,
    words::{command, file_name},
};
use crate::{
    export::sha256_file,
    games::{GameStore, Split},
    training::{
        Checkpoint, DataDescription, Event, Outcome, Output, Recipe, RunOptions, TomlRecipe as _, Trainer,
        keep_freed_memory, test_figures,
    },
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

    /// Begin with this network, an ONNX file or a checkpoint, instead of random weights (policies only)
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    start: Option<PathBuf>,

    /// Learn from the games of this tournament, too, that the policy played at given ratings without search's help; may be
    /// given more than once (policies only)
    #[arg(long, value_name = "DIR")]
    own: Vec<PathBuf>,

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
pub fn run(arguments: Arguments) -> anyhow::Result<()> {
    if policy::is_policy(&arguments.recipe) {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        return policy::Run {
            recipe: &arguments.recipe,
            store: &arguments.store,
            output: &arguments.output,
            resume: arguments.resume,
            start: arguments.start.as_deref(),
            own: &arguments.own,
            compare: arguments.compare.as_deref(),
            threads: arguments.threads.map_or(cores, usize::from),
            save_every: minutes("--save-minutes", arguments.save_minutes)?,
            limit: arguments.max_minutes.map(|limit| minutes("--max-minutes", limit)).transpose()?,
        }
        .run();
    }
    if arguments.start.is_some() {
        bail!("option --start: only policies begin with another network");
    }
    if !arguments.own.is_empty() {
        bail!("option --own: only policies learn from generated games");
    }
    if arguments.compare.is_some() {
        bail!("option --compare: only policies are measured on two stores");
    }
    keep_freed_memory();
    let recipe = Recipe::read(&arguments.recipe)?;
    let options = RunOptions {
        command: command("entente-trainer", std::env::args_os().skip(1)),
        save_every: minutes("--save-minutes", arguments.save_minutes)?,
        limit: arguments.max_minutes.map(|limit| minutes("--max-minutes", limit)).transpose()?,
    };
    let cores = thread::available_parallelism().map_or(1, usize::from);
    if let Some(threads) = arguments.threads {
        tch::set_num_threads(i32::from(threads));
    }
    let device = Device::cuda_if_available();
    // Whatever is wrong with the folder shows before the games are read, which may take long.
    let path = arguments.output.join(Checkpoint::FILE);
    let checkpoint = resumed(&path, arguments.resume, &recipe, device)?;
    Output::prepare(&arguments.output)?;

    let store = GameStore::open(&arguments.store)?;
    let set = |split, mirror| {
        read_split(&store, split, recipe.games, mirror, recipe.constraints.constraints(), cores)
            .map(|set| set.with_ahead(recipe.ahead))
    };
    let training = set(Split::Training, recipe.mirror)?;
    let validation = set(Split::Validation, false)?;
    let hash = sha256_file(&arguments.store)
        .with_context(|| format!("cannot read {}", arguments.store.display()))?;
    let name = file_name(&arguments.store);
    let data = DataDescription::new(&store, name, hash, &training, &validation, recipe.validation_pairs);
    let output = Output::new(&arguments.output, data, &validation);

    let mut trainer = Trainer::new(&recipe, &training, &validation, device)?;
    if let Some(checkpoint) = checkpoint {
        trainer.restore(checkpoint).map_err(|reason| anyhow!("{}: {reason}", path.display()))?;
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
    screen.finish();
    let end = match outcome {
        Outcome::Finished => "all epochs are done",
        Outcome::NoImprovement => "stopped: the validation loss no longer falls",
        Outcome::TimeLimit => "saved: the time is up; --resume goes on",
        Outcome::Interrupted => "saved: interrupted; --resume goes on",
        Outcome::Diverged => bail!(
            "the loss or a weight is no longer finite after {} steps: lower learning_rate in {} and go on with --resume \
             from the last checkpoint, if there is one",
            trainer.progress().steps,
            arguments.recipe.display()
        ),
    };
    screen.say(end);
    let Some(model) = output.export(&trainer)? else { return Ok(()) };
    if matches!(outcome, Outcome::Finished | Outcome::NoImprovement) {
        test(&mut trainer, &store, &model, &output, cores)?;
    }
    println!("{}", model.display());
    Ok(())
}

/// The checkpoint to go on from, if any, that fits the recipe.
fn resumed(path: &Path, resume: bool, recipe: &Recipe, device: Device) -> anyhow::Result<Option<Checkpoint>> {
    if resume {
        let checkpoint = Checkpoint::read(path, device)?;
        checkpoint.progress.check_recipe(recipe).map_err(|reason| anyhow!("{}: {reason}", path.display()))?;
        return Ok(Some(checkpoint));
    }
    if path.exists() {
        bail!("{} exists: add --resume to go on, or give another folder", path.display());
    }
    Ok(None)
}

/// Measures the best network, which is `model`, on the test split and writes its card with the figures; once
/// for each network.
fn test(
    trainer: &mut Trainer<'_>,
    store: &GameStore,
    model: &Path,
    output: &Output,
    threads: usize,
) -> anyhow::Result<()> {
    let Some(best) = trainer.progress().best.as_ref().filter(|best| best.test.is_none()) else {
        return Ok(());
    };
    // Should it be interrupted, all is saved, and --resume comes back here.
    let figures = interrupt::at_once(|| {
        let recipe = &best.origin.recipe;
        let constraints = recipe.constraints.constraints();
        let set = match read_split(store, Split::Test, recipe.games, false, constraints, threads) {
            Err(error) if error.no_games() => {
                eprintln!("the card has no figures of the test split: {error}");
                return Ok(None);
            }
            set => set?.with_ahead(recipe.ahead),
        };
        let network = SatisfactionNetwork::load(model)?;
        let bar = bar(0, "measuring on the test split {bar:32} {pos}/{len} pairs, {per_sec}, {eta} left");
        let figures = test_figures(&network, recipe, &set, threads, |total, pairs| {
            bar.set_length(total);
            bar.inc(pairs);
        })?;
        bar.finish_and_clear();
        anyhow::Ok(Some(figures))
    })?;
    if let Some(figures) = figures {
        trainer.keep_test(figures);
        output.save(trainer)?;
        output.export(trainer)?;
    }
    Ok(())
}

fn minutes(option: &str, minutes: f64) -> anyhow::Result<Duration> {
    Duration::try_from_secs_f64(minutes * 60.0)
        .with_context(|| format!("option {option}: expected a number of minutes, found {minutes}"))
}
