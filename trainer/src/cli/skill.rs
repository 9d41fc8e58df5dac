//! `entente-trainer skill`: how much of a short search people of each rating see.

use std::{
    env, fs,
    path::{Path, PathBuf},
    sync::Arc,
    thread,
};

use anyhow::Context as _;
use entente_network::{NetworkKind as _, Policy, encoding::goal_policy::RatingScale};

use super::{bars::Bars, words::command};
use crate::{
    dataset::goal::{Archive, GoalKind, Rounds, Sample, Source},
    export::file_name,
    games::{GameStore, Split},
    skill::{Band, Labelled, SkillRecipe, card, fit, weight_table, with_skill},
    training::{TomlRecipe as _, replace_file},
};

const EXAMPLES: &str = "\
Examples:
  entente-trainer skill models/recipes/skill.toml -p goal-policy.onnx -s games.store -o skilled.onnx
  entente-trainer skill models/recipes/skill.toml -p goal-policy.onnx -s games.store -o goal-policy.onnx >> goal-policy.md

The policy stays as it is: positions of the validation split are labelled with its probabilities and with what a short \
search sees of each likely move, and a small network is fitted to the moves that were played. It is written into the \
metadata of the output file, and `entente` uses it wherever the policy stands for people. Printed is what the policy's \
card is to say of it, in Markdown: the cross-entropy before and after, and for some bands of ratings what a single \
weight of the search would do.

Exit status: 0 fitted, 2 an error.";

/// Options of `skill`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The recipe (TOML)
    recipe: PathBuf,

    /// The policy (ONNX)
    #[arg(short, long, value_name = "FILE")]
    policy: PathBuf,

    /// The game store (made by `import`)
    #[arg(short, long, value_name = "FILE")]
    store: PathBuf,

    /// The file to write; may be the policy's own
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// Threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
}

/// The bands of ratings that a single weight is tried on.
const BANDS: [(RatingScale, u16); 5] = [
    (RatingScale::Online, 1200),
    (RatingScale::Online, 1600),
    (RatingScale::Online, 2000),
    (RatingScale::Fide, 2200),
    (RatingScale::Fide, 2600),
];

/// Fits.
pub(super) fn run(arguments: Arguments) -> anyhow::Result<()> {
    let Arguments { recipe, policy: path, store, output, threads } = arguments;
    let threads = threads.map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from);
    let recipe = SkillRecipe::read(&recipe)?;
    let bytes = fs::read(&path).with_context(|| path.display().to_string())?;
    let policy = Policy::from_bytes(&path.display().to_string(), &bytes)?;
    let store = GameStore::open(&store)?;
    let bars = Bars::default();
    let [archive] = Archive::read(&store, [Split::Validation], threads, &bars)?.map(Arc::new);
    let samples = samples(&recipe, &archive, threads);
    let looking = recipe.looking();
    let labelled = Labelled::new(&policy, &looking, &samples, threads, &bars)?;
    let bands = bands(&labelled, &samples);
    let fitted = fit(&recipe, &labelled, &bars);
    write(&output, &with_skill(&file_name(&output), &bytes, &fitted.skill)?)?;
    let command = command("entente-trainer", env::args_os().skip(1));
    print!("{}", card(&recipe, &labelled, &fitted, &bands, &command));
    Ok(())
}

/// What one weight would do in some bands of ratings, where there are positions of them.
fn bands(labelled: &Labelled, samples: &[Sample]) -> Vec<Band> {
    let band = |(scale, rating): (RatingScale, u16)| {
        let is_of = |number: &usize| {
            let Sample { game, kind, .. } = &samples[*number];
            *kind == GoalKind::Plain && game.scale == scale && game.mean_rating() / 200 * 200 == rating
        };
        let numbers: Vec<usize> = (0..samples.len()).filter(is_of).collect();
        (!numbers.is_empty()).then(|| Band {
            scale,
            rating,
            positions: numbers.len(),
            weights: weight_table(labelled, &numbers),
        })
    };
    BANDS.into_iter().filter_map(band).collect()
}

/// The positions to fit to.
fn samples(recipe: &SkillRecipe, archive: &Arc<Archive>, threads: usize) -> Vec<Sample> {
    /// Moves of a player of more games than these count less, as in the measures of that split.
    const PLAYER_GAMES: u32 = 20;
    let source =
        Source { archive: Arc::clone(archive), online: recipe.online, player_games: PLAYER_GAMES, own: None };
    let mut rounds = Rounds::new(source, recipe.sampler(), recipe.samples, recipe.seed, 0, threads);
    let mut samples = rounds.next_round();
    samples.retain(|sample| sample.teaches_policy);
    samples.truncate(recipe.samples);
    samples
}

fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    replace_file(path, bytes).with_context(|| path.display().to_string())
}
