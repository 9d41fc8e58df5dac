//! The command line: one file for each subcommand.
//!
//! clap parses the arguments. Each subcommand calls the other modules, writes results to standard output and messages
//! to standard error, and returns an exit status. `flags.rs` makes the flags of settings from their table; `words.rs`
//! parses numbers and improves clap's errors; `progress.rs` shows progress; `input_file.rs` opens files to read, and
//! `sink.rs` writes files completely or not at all.
//!
//! To add a subcommand, add a file with its `Arguments` and `run`, a variant of `Command`, and its arm in [`run`].

mod bench;
mod book;
mod check;
mod completions;
mod dataset;
mod definitions;
mod draw;
mod exercises;
mod flags;
mod game_reader;
mod generate;
mod input_file;
mod interrupts;
mod log_file;
mod man;
mod mcp;
mod perft;
mod play;
mod policy;
mod progress;
mod prove;
mod serve;
mod sink;
mod solve;
mod start;
mod tables;
mod tournament;
mod uci;
mod words;

use std::{
    ffi::OsString,
    io::{self, Write},
    path::PathBuf,
};

use anyhow::Context as _;
use clap::{Parser, Subcommand};
use entente_constraint::Constraint;
use entente_network as network;
use entente_search::position_from_fen;
use shakmaty::Chess;

use crate::tournament::TournamentError;

/// Exit status of a command that did everything it was asked to do.
pub const FOUND: u8 = 0;
/// Exit status of a command that did not find everything it was asked for, such as a position.
pub const UNDETERMINED: u8 = 1;
/// Exit status for wrong input and impossible constraints.
pub const FAILED: u8 = 2;
/// Exit status if another process is using the folder (`EX_TEMPFAIL` of sysexits.h: a later try may succeed). The lock
/// of a process on a lost node may persist for a while.
pub const BUSY: u8 = 75;
/// Exit status of every command that Ctrl-C stopped before it was done: 128 + SIGINT, as in shells. What was found is
/// kept. A second Ctrl-C ends the process at once, with the same status.
pub const INTERRUPTED: u8 = 130;

/// A UCI chess engine whose two sides cooperate: it plays a legal game to a position that satisfies your constraint.
///
/// Without a command it speaks UCI on standard input and output, for chess GUIs and scripts.
#[derive(Parser)]
#[command(
    name = "entente",
    version,
    max_term_width = 100,
    after_help = "\
Examples:
  entente generate \"(1,2,1,1,7)\" --count 5
  entente generate \"Q=0 q=0\" --count 24 --format html --output boards.html
  entente tournament tournaments/everything.toml --output runs/everything
  entente dataset datasets/endgames.toml --output runs/endgames
  printf 'setoption name Constraint value Q=0 q=0\\ngo generate count 3\\nquit\\n' | entente
  entente play --elo 1500
  entente --log-file entente.log
      Speak UCI as a GUI expects, and log every line"
)]
struct Arguments {
    /// Append a log to this file: every line of UCI, and the messages that RUST_LOG selects
    ///
    /// Without this option the engine logs only what the environment variable RUST_LOG selects, to standard error.
    #[arg(long, global = true, value_name = "FILE", hide_short_help = true, display_order = 100)]
    log_file: Option<PathBuf>,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Generate(Box<generate::Arguments>),
    Exercises(Box<exercises::Arguments>),
    Book(Box<book::Arguments>),
    Prove(Box<prove::Arguments>),
    Solve(solve::Arguments),
    Tournament(tournament::Arguments),
    Dataset(dataset::Arguments),
    Draw(draw::Arguments),
    Check(check::Arguments),
    Policy(Box<policy::Arguments>),
    Play(play::Arguments),
    Serve(serve::Arguments),
    Bench(bench::Arguments),
    Perft(perft::Arguments),
    Completions(completions::Arguments),
    Man(man::Arguments),
    Mcp(mcp::Arguments),
    /// Speak UCI on standard input and output, as without a command
    Uci,
}

/// Parses the FEN `text`. Errors begin with `what`, which names the argument.
///
/// # Errors
/// If `text` is not a FEN, or the position is not legal.
fn position(what: &str, text: &str) -> anyhow::Result<Chess> {
    position_from_fen(text).with_context(|| format!("{what} {text:?}: expected the FEN of a legal position"))
}

/// Writes a result to standard output. A closed pipe is not an error.
///
/// # Errors
/// If writing fails for another reason.
fn print(text: &str) -> anyhow::Result<()> {
    match io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(error).context("cannot write to standard output")
        }
        _ => Ok(()),
    }
}

/// A constraint for a message. Long ones are cut so that the rest of the message stays visible.
fn brief(constraint: &Constraint) -> String {
    const LONGEST: usize = 200;
    let text = constraint.to_string();
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// Runs the command given by `arguments`, the name of the program first, and returns the exit status. Arguments that are
/// wrong, and those that ask for help, end the process.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    network::hide_caught_panics();
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    if let Some(spoken) = uci::run_words(&arguments) {
        return status(spoken.map(|()| FOUND));
    }
    let Arguments { log_file, command } = words::read(&arguments);
    let result = log_file::start(log_file.as_deref()).and_then(|()| match command {
        Some(Command::Generate(arguments)) => generate::run(&arguments),
        Some(Command::Exercises(arguments)) => exercises::run(&arguments),
        Some(Command::Book(arguments)) => book::run(&arguments),
        Some(Command::Prove(arguments)) => prove::run(&arguments),
        Some(Command::Solve(arguments)) => solve::run(&arguments),
        Some(Command::Tournament(arguments)) => tournament::run(&arguments),
        Some(Command::Dataset(arguments)) => dataset::run(&arguments),
        Some(Command::Draw(arguments)) => draw::run(&arguments),
        Some(Command::Check(arguments)) => check::run(&arguments),
        Some(Command::Policy(arguments)) => policy::run(&arguments),
        Some(Command::Play(arguments)) => play::run(&arguments),
        Some(Command::Bench(arguments)) => bench::run(&arguments),
        Some(Command::Perft(arguments)) => perft::run(&arguments),
        Some(Command::Completions(arguments)) => completions::run(&arguments),
        Some(Command::Man(arguments)) => man::run(&arguments),
        Some(Command::Mcp(arguments)) => mcp::run(&arguments),
        Some(Command::Serve(arguments)) => serve::run(&arguments),
        Some(Command::Uci) | None => uci::run().map(|()| FOUND),
    });
    status(result)
}

/// The exit status of a command. Prints its error, if any.
fn status(result: anyhow::Result<u8>) -> u8 {
    result.unwrap_or_else(|error| {
        let _ = writeln!(io::stderr(), "entente: {error:#}");
        match error.downcast_ref() {
            Some(TournamentError::Busy { .. }) => BUSY,
            _ => FAILED,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        use clap::CommandFactory;
        Arguments::command().debug_assert();
    }
}
