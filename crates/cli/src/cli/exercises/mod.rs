//! `entente exercises`: sheets, studies and cards by name.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use entente::records::Format;
use entente_exercises::recipes::{self, find, list, read};

use super::{
    FOUND,
    flags::{GenerationFlags, choice},
    generate, print,
    tables::TableFlags,
    words::number,
};

/// Make exercises by name: structures, endings, tactics, mates, defence.
///
/// Without a name, lists the exercises. Each is a constraint; --show prints it. The positions come from games as people
/// of the rating play them, no two boards are the same, and each has its solution.
#[derive(Args)]
#[command(after_help = "\
Examples:
  entente exercises
      List the exercises
  entente exercises fork --elo 1500 --count 12 --output forks.pdf
  entente exercises lucena --output lucena.pgn --format study
  entente exercises iqp --show
  entente exercises --show > mine.toml
      The file with all exercises, to be changed and used with --file mine.toml")]
pub(super) struct Arguments {
    /// The exercise; without it, all are listed
    name: Option<String>,
    /// How many positions to make
    #[arg(long, short = 'n', display_order = 1, default_value_t = 12, value_parser = number::<u64>(1..=1200))]
    count: u64,
    /// The format of the results: worksheet, study, anki, or another format of `entente generate` [default: by the
    /// extension of --output, or else text]
    #[arg(long, display_order = 5, value_parser = choice::<Format>())]
    format: Option<Format>,
    /// Write the results to this file instead of standard output, completely or not at all: .pdf or .html for a
    /// worksheet, .tsv for cards
    #[arg(long, value_name = "FILE", display_order = 6)]
    output: Option<PathBuf>,
    /// Take the exercises from this file instead of those of the program
    #[arg(long, value_name = "FILE", display_order = 7)]
    file: Option<PathBuf>,
    /// Leave out the games that lead to the positions; only for worksheets, studies and cards
    #[arg(long, display_order = 9)]
    no_games: bool,
    /// Print the constraint of the exercise, or the file with all exercises
    #[arg(long, display_order = 8)]
    show: bool,
    #[command(flatten)]
    tables: TableFlags,
    #[command(flatten)]
    flags: GenerationFlags,
}

/// Runs `entente exercises` and returns its exit status.
///
/// # Errors
/// An unknown name, a file that is wrong, and what `entente generate` finds wrong.
pub(super) fn run(arguments: &Arguments) -> anyhow::Result<u8> {
    let file = arguments.file.as_deref();
    let recipes = match file {
        Some(path) => read(file).with_context(|| format!("--file {}", path.display()))?,
        None => read(None)?,
    };
    let Some(name) = &arguments.name else {
        return match (arguments.show, &arguments.file) {
            (true, None) => print(recipes::BUILT_IN),
            _ => print(&list(&recipes)),
        }
        .map(|()| FOUND);
    };
    let recipe = find(&recipes, name)?;
    if arguments.show {
        return print(&format!("{}\n", recipe.constraint)).map(|()| FOUND);
    }
    let extension = arguments.output.as_deref().and_then(std::path::Path::extension);
    let is_page = extension.is_some_and(|extension| extension.eq_ignore_ascii_case("html"));
    let format = arguments.format.or(is_page.then_some(Format::Worksheet));
    let mut generating = generate::Arguments::of_exercises(
        recipe.constraint.clone(),
        recipe.title.clone(),
        arguments.count,
        (format, arguments.output.clone()),
        arguments.flags.clone(),
    );
    generating.no_games = arguments.no_games;
    generating.tables = arguments.tables.clone();
    generate::run(&generating)
}
