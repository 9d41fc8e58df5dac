//! `entente-trainer skill`: fits how much of a short search players of each rating see.

use std::{
    env, fs,
    path::{Path, PathBuf},
    sync::Arc,
    thread,
};

use anyhow::Context as _;
use entente_cli::whole_file::replace_file;
use entente_network::{NetworkKind as _, Policy, Skill, encoding::goal_policy::RatingScale};

use super::{bars::Bars, words::command};
use crate::{
    files::file_name,
    games::{GameStore, Split},
    samples::goal::{Archive, GoalKind, Rounds, Sample, Source},
    skill::{Band, Labelled, SkillRecipe, card, fit, weight_table, with_skill},
    training::TomlRecipe as _,
};

const EXAMPLES: &str = "\
Examples:
  entente-trainer skill models/recipes/skill.toml -p goal-policy.onnx -s games.store -o skilled.onnx
  entente-trainer skill models/recipes/skill.toml -p goal-policy.onnx -s games.store -o goal-policy.onnx >> goal-policy.md

The policy itself does not change. Positions of the validation split are labelled with its probabilities and with the \
scores that a short search gives each likely move. A small network is fitted to the moves that were played, and is \
written to the metadata of the output file. `entente` uses it wherever the policy stands for human players. The output \
is the section on skill for the policy's card, in Markdown: the cross-entropy before and after, and for some rating \
bands what a single weight for the search would achieve.

Exit status: 0 the file was written, 2 an error.";

/// Options of `skill`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    #[command(flatten)]
    files: PolicyFiles,

    /// The game store (made by `import`)
    #[arg(short, long, value_name = "FILE")]
    store: PathBuf,
}

/// The options of commands that fit something to a policy and write it to the policy's file.
#[derive(clap::Args)]
pub(super) struct PolicyFiles {
    /// The recipe (TOML)
    pub(super) recipe: PathBuf,

    /// The policy (ONNX)
    #[arg(short, long, value_name = "FILE")]
    pub(super) policy: PathBuf,

    /// The file to write; may be the policy's own file
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// Threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
}

impl PolicyFiles {
    /// The recipe, and the policy with the bytes of its file.
    pub(super) fn read(&self) -> anyhow::Result<(SkillRecipe, Policy, Vec<u8>)> {
        let recipe = SkillRecipe::read(&self.recipe, None)?;
        let name = self.policy.display().to_string();
        let bytes = fs::read(&self.policy).with_context(|| name.clone())?;
        Ok((recipe, Policy::from_bytes(&name, &bytes)?, bytes))
    }

    /// Writes the policy in `bytes` with another skill.
    pub(super) fn write(&self, bytes: &[u8], skill: &Skill) -> anyhow::Result<()> {
        let bytes = with_skill(&file_name(&self.output), bytes, skill)?;
        replace_file(&self.output, &bytes).with_context(|| self.output.display().to_string())
    }

    /// The number of threads.
    pub(super) fn threads(&self) -> usize {
        self.threads.map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from)
    }
}

/// The rating bands for which a single weight is tried.
const BANDS: [(RatingScale, u16); 5] = [
    (RatingScale::Online, 1200),
    (RatingScale::Online, 1600),
    (RatingScale::Online, 2000),
    (RatingScale::Fide, 2200),
    (RatingScale::Fide, 2600),
];

/// Fits the skill and writes the file.
pub(super) fn run(Arguments { files, store }: Arguments) -> anyhow::Result<()> {
    let (recipe, policy, bytes) = files.read()?;
    let (skill, card) = fitted(&recipe, &policy, &store, files.threads(), &Bars::default())?;
    files.write(&bytes, &skill)?;
    print!("{card}");
    Ok(())
}

/// The skill of a policy, fitted to positions of a store, and its section of the policy's card.
pub(super) fn fitted(
    recipe: &SkillRecipe,
    policy: &Policy,
    store: &Path,
    threads: usize,
    bars: &Bars,
) -> anyhow::Result<(Skill, String)> {
    let store = GameStore::open(store)?;
    let [archive] = Archive::read(&store, [Split::Validation], threads, bars)?.map(Arc::new);
    let samples = samples(recipe, &archive, threads);
    let labelled = Labelled::new(policy, &recipe.looking(), &samples, threads, bars)?;
    let bands = bands(&labelled, &samples);
    let fitted = fit(recipe, &labelled, bars);
    let command = command("entente-trainer", env::args_os().skip(1));
    let card = card(recipe, &labelled, &fitted, &bands, &command);
    Ok((fitted.skill, card))
}

/// The effect of a single weight in each of [`BANDS`] that has positions.
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

/// Draws the positions to fit to.
fn samples(recipe: &SkillRecipe, archive: &Arc<Archive>, threads: usize) -> Vec<Sample> {
    /// The moves of a player with more games than this count less, as in the other measurements on this split.
    const PLAYER_GAMES: u32 = 20;
    let source =
        Source { archive: Arc::clone(archive), online: recipe.online, player_games: PLAYER_GAMES, own: None };
    let mut rounds = Rounds::new(source, recipe.sampler(), recipe.samples, recipe.seed, 0, threads);
    let mut samples = rounds.next_round();
    samples.retain(|sample| sample.teaches_policy);
    samples.truncate(recipe.samples);
    samples
}
