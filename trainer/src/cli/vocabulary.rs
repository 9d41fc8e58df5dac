//! `entente-trainer vocabulary`: the list of all possible moves, numbered.

use std::path::PathBuf;

use anyhow::Context as _;
use entente_cli::whole_file::replace_file;
use entente_network::encoding::transformer::vocabulary::Vocabulary;

use crate::training::prepare;

const EXAMPLES: &str = "\
Examples:
  entente-trainer vocabulary
  entente-trainer vocabulary --output dataset/rules_based_mapping

Writes all_legal_moves.json, a list of moves in UCI notation, and chess_move_indices.json, the moves of each kind of \
man. To the transformer, a move is its index in the list, from 0. The moves are those of a lone man on any square, \
castling, and promotions with captures. The command prints how many there are.

Exit status: 0 the files were written, 2 an error.";

/// Options of `vocabulary`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The folder to write to
    #[arg(short, long, value_name = "DIR", default_value = "rules_based_mapping")]
    output: PathBuf,
}

/// The file of all moves.
const ALL: &str = "all_legal_moves.json";
/// The file of the moves of each kind of man.
const BY_MAN: &str = "chess_move_indices.json";

/// Writes the files.
pub(super) fn run(arguments: Arguments) -> anyhow::Result<()> {
    let (vocabulary, by_man) = (Vocabulary::of_chess(), Vocabulary::by_man());
    let names: Vec<String> = vocabulary.names().collect();
    prepare(&arguments.output)?;
    for (name, text) in
        [(ALL, serde_json::to_string_pretty(&names)?), (BY_MAN, serde_json::to_string_pretty(&by_man)?)]
    {
        let path = arguments.output.join(name);
        replace_file(&path, format!("{text}\n").as_bytes()).with_context(|| path.display().to_string())?;
    }
    for (man, moves) in &by_man {
        println!("{man:<14}{:>5}", moves.len());
    }
    println!("{:<14}{:>5}", "all different", vocabulary.len());
    Ok(())
}
