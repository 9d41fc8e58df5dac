//! `entente` without arguments: UCI on standard input and output.

use std::io::{self, BufReader, IsTerminal};

use anyhow::Context as _;

/// Speaks UCI until `quit` or the end of the input.
///
/// # Errors
/// If standard output cannot be written.
pub fn run() -> anyhow::Result<()> {
    let interactive = io::stdin().is_terminal();
    crate::uci::run(BufReader::new(io::stdin()), io::stdout(), interactive)
        .context("cannot write to standard output")
}
