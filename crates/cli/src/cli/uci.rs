//! `entente` without a subcommand: UCI on standard input and output.

use std::{
    ffi::OsString,
    io::{self, BufReader, Cursor, IsTerminal},
};

use anyhow::Context as _;

/// The UCI command that testing frameworks pass as a command-line argument.
const AS_WORDS: &str = "genfens";

/// Runs the UCI commands in the arguments, each argument a line, as in `entente "genfens 10 seed 1 book None" "quit"`.
/// The first argument is the name of the program. `None` if the second one is not such a command.
///
/// # Errors
/// If standard output cannot be written.
pub(super) fn run_words(arguments: &[OsString]) -> Option<anyhow::Result<()>> {
    let words: Vec<String> =
        arguments.iter().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    (words.first()?.split_whitespace().next()? == AS_WORDS).then(|| {
        crate::uci::run(Cursor::new(words.join("\n")), io::stdout(), false)
            .context("cannot write to standard output")
    })
}

/// Speaks UCI until `quit` or the end of the input.
///
/// # Errors
/// If standard output cannot be written.
pub(super) fn run() -> anyhow::Result<()> {
    let interactive = io::stdin().is_terminal();
    crate::uci::run(BufReader::new(io::stdin()), io::stdout(), interactive)
        .context("cannot write to standard output")
}
