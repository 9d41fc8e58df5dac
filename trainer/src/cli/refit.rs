//! `entente-trainer refit`: fits to a policy everything that is fitted after its training.

use std::{fs, path::PathBuf, thread};

use anyhow::{Context as _, bail};
use entente_network::{NetworkKind as _, Policy, Skill};

use super::{
    bars::Bars,
    skill::{fitted, write},
};
use crate::{
    files::file_name,
    skill::{SkillRecipe, play_card, with_skill},
    training::TomlRecipe as _,
};

const EXAMPLES: &str = "\
Examples:
  entente-trainer refit models/recipes/human-skill.toml -p human-policy.onnx -s games.store -o refitted.onnx >> card.md
  entente-trainer refit models/recipes/human-skill.toml -p human-policy.onnx --keep-skill -o refitted.onnx

First the skill is fitted, as by `skill`. Then the policy plays matches against itself, by which its play at a rating is \
calibrated: the recipe's table `play` says between which ratings. The file is written after each of these steps. The \
output is both sections of the policy's card, in Markdown.

Exit status: 0 the file was written, 2 an error.";

/// Options of `refit`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The recipe (TOML), with the table `play`
    recipe: PathBuf,

    /// The policy (ONNX)
    #[arg(short, long, value_name = "FILE")]
    policy: PathBuf,

    /// The game store (made by `import`)
    #[arg(short, long, value_name = "FILE", required_unless_present = "keep_skill")]
    store: Option<PathBuf>,

    /// Keep the skill that the policy has, and calibrate its play only
    #[arg(long, conflicts_with = "store")]
    keep_skill: bool,

    /// The file to write; may be the policy's own file
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// Threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
}

/// Fits, calibrates and writes the file.
pub(super) fn run(arguments: Arguments) -> anyhow::Result<()> {
    let Arguments { recipe: recipe_path, policy: path, store, keep_skill: _, output, threads } = arguments;
    let threads = threads.map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from);
    let recipe = SkillRecipe::read(&recipe_path, None)?;
    let Some(plan) = recipe.play else {
        bail!("{}: key `play`: expected the ratings between which matches are played", recipe_path.display());
    };
    let bytes = fs::read(&path).with_context(|| path.display().to_string())?;
    let policy = Policy::from_bytes(&path.display().to_string(), &bytes)?;
    let bars = Bars::default();
    let skill = match store {
        Some(store) => {
            let (skill, card) = fitted(&recipe, &policy, &store, threads, &bars)?;
            write(&output, &with_skill(&file_name(&output), &bytes, &skill)?)?;
            println!("{card}");
            skill
        }
        None => match policy.skill() {
            Some(skill) => Skill::clone(skill),
            None => bail!("{}: expected a policy with a skill to keep", path.display()),
        },
    };
    let rungs = plan.rungs(&policy.with_skill(Some(skill.clone())), threads, &bars)?;
    let skill = Skill { calibration: rungs.iter().map(|rung| rung.calibration).collect(), ..skill };
    write(&output, &with_skill(&file_name(&output), &bytes, &skill)?)?;
    print!("{}", play_card(&plan, &rungs));
    Ok(())
}
