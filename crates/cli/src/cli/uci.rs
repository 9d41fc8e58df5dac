//! `entente` without a subcommand: UCI on standard input and output.

use std::{
    env,
    ffi::OsString,
    io::{self, BufReader, Cursor, IsTerminal, Write as _},
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

/// Speaks UCI until `quit` or the end of the input. In a terminal it first says what it is, for users who opened it with
/// a double click.
///
/// # Errors
/// If standard output cannot be written.
pub(super) fn run() -> anyhow::Result<()> {
    let interactive = io::stdin().is_terminal();
    let greeted = if interactive && io::stdout().is_terminal() {
        writeln!(io::stdout(), "{}", greeting())
    } else {
        Ok(())
    };
    greeted
        .and_then(|()| crate::uci::run(BufReader::new(io::stdin()), io::stdout(), interactive))
        .context("cannot write to standard output")
}

fn greeting() -> String {
    let program = env::current_exe().map_or_else(|_| "entente".to_owned(), |path| path.display().to_string());
    let page =
        if cfg!(feature = "serve") { " `entente serve --open` opens a page in the browser.\n" } else { "\n" };
    format!(
        "Entente {}, a UCI chess engine. It also generates legal games to positions that you describe.\n\n\
         Chess programs such as Arena and Cute Chess send it commands. Install this file there as a UCI engine:\n  \
         {program}\n\n\
         You can type commands, too: `help` lists them, and `quit` ends the program.\n\
         In a command prompt, `entente --help` shows what else it does, such as `entente generate \"Q=0 q=0\"`.{page}",
        env!("CARGO_PKG_VERSION")
    )
}
