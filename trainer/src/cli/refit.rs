//! `entente-trainer refit`: fits to a policy everything that is fitted after its training.

use std::path::PathBuf;

use anyhow::bail;
use entente_network::Skill;

use super::{
    bars::Bars,
    skill::{PolicyFiles, fitted},
};
use crate::skill::play_card;

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
    #[command(flatten)]
    files: PolicyFiles,

    /// The game store (made by `import`)
    #[arg(short, long, value_name = "FILE", required_unless_present = "keep_skill")]
    store: Option<PathBuf>,

    /// Keep the skill that the policy has, and calibrate its play only
    #[arg(long, conflicts_with = "store")]
    keep_skill: bool,
}

/// Fits, calibrates and writes the file.
pub(super) fn run(arguments: Arguments) -> anyhow::Result<()> {
    let Arguments { files, store, keep_skill: _ } = arguments;
    let (recipe, policy, bytes) = files.read()?;
    let Some(plan) = recipe.play else {
        bail!(
            "{}: key `play`: expected the ratings between which matches are played",
            files.recipe.display()
        );
    };
    let (threads, bars) = (files.threads(), Bars::default());
    let skill = match store {
        Some(store) => {
            let (skill, card) = fitted(&recipe, &policy, &store, threads, &bars)?;
            files.write(&bytes, &skill)?;
            println!("{card}");
            skill
        }
        None => match policy.skill() {
            Some(skill) => Skill::clone(skill),
            None => bail!("{}: expected a policy with a skill to keep", files.policy.display()),
        },
    };
    let rungs = plan.rungs(&policy.with_skill(Some(skill.clone())), threads, &bars)?;
    let skill = Skill { calibration: rungs.iter().map(|rung| rung.calibration).collect(), ..skill };
    files.write(&bytes, &skill)?;
    print!("{}", play_card(&plan, &rungs));
    Ok(())
}
