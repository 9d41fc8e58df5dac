//! `entente-trainer difficulty`: fits the model that predicts the rating of puzzles.

use std::{fs, path::PathBuf, thread, time::SystemTime};

use anyhow::{Context as _, anyhow};
use entente::difficulty::RatingModel;
use entente_cli::whole_file::replace_file;

use super::bars::Bars;
use crate::{
    difficulty::{Examples, Puzzles, Report, fit, plot},
    files::{file_name, sha256, sha256_file, utc_date},
};

const EXAMPLES: &str = "\
Examples:
  entente-trainer difficulty puzzles.csv -o runs/difficulty
  entente-trainer difficulty puzzles.csv -o runs/again --features runs/difficulty/features.csv

The table needs the columns fen, moves and rating; Lichess's table of puzzles (decompressed) has them. One puzzle in \
four takes no part in the fit; a hash of its position decides. The engine solves each puzzle itself, because it must do \
so with the positions that it generates, too. The output folder gets puzzle-rating.json with the model, \
puzzle-rating.md with its card, puzzle-rating.svg with predicted and real ratings, and features.csv with the features \
of all puzzles. The program reads the model when it is compiled, from crates/entente/models.

Exit status: 0 the model was written, 2 an error.";

/// Options of `difficulty`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Puzzles with their ratings, in CSV
    puzzles: PathBuf,

    /// The folder for the model
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,

    /// The features of the same puzzles that an earlier run found
    #[arg(long, value_name = "FILE")]
    features: Option<PathBuf>,

    /// Threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
}

/// Fits.
pub(super) fn run(arguments: Arguments) -> anyhow::Result<()> {
    let threads =
        arguments.threads.map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from);
    let hash = sha256_file(&arguments.puzzles).with_context(|| arguments.puzzles.display().to_string())?;
    let puzzles = Puzzles::read(&arguments.puzzles)?;
    fs::create_dir_all(&arguments.output).with_context(|| arguments.output.display().to_string())?;
    let write = |name: &str, content: &[u8]| {
        let path = arguments.output.join(name);
        replace_file(&path, content).with_context(|| path.display().to_string())
    };
    let examples = match &arguments.features {
        Some(path) => Examples::read(path)?,
        None => {
            let examples = Examples::find(&puzzles, threads, &Bars::default())?;
            write("features.csv", &examples.csv()?)?;
            examples
        }
    };
    let fitted = fit(&examples)?;
    let report = Report::new(&examples, &fitted);
    let model = serde_json::to_string(&fitted.model)? + "\n";
    RatingModel::from_json(&model).context("the model that was just fitted")?;
    let card = format!(
        "# puzzle-rating\n\nPredicts the rating that a position would have as a puzzle on Lichess, and the error of \
         that prediction. Written by\n`entente-trainer difficulty`. See docs/difficulty.md.\n\n| | |\n|---|---|\n| file \
         | `puzzle-rating.json`, SHA-256 `{}` |\n| date | {} |\n| puzzles | `{}`, SHA-256 `{hash}` |\n| model | \
         {} features; {} boosted trees for the rating, {} for its error |\n\n{}",
        sha256(model.as_bytes()),
        utc_date(SystemTime::now()),
        file_name(&arguments.puzzles),
        fitted.model.features.len(),
        fitted.model.rating.trees.len(),
        fitted.model.error.trees.len(),
        report.text
    );
    write("puzzle-rating.json", model.as_bytes())?;
    write("puzzle-rating.md", card.as_bytes())?;
    let svg = plot(&report).map_err(|error| anyhow!("puzzle-rating.svg: {error}"))?;
    write("puzzle-rating.svg", svg.as_bytes())?;
    print!("{}", report.text);
    Ok(())
}
