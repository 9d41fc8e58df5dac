//! The command line: one file a subcommand.

mod bench;
mod generate;
mod sink;
mod uci;

use std::{
    io::{self, Write},
    process::ExitCode,
};

use clap::{Parser, Subcommand};

use crate::evaluator;

/// Exit status of a command that did all it was asked.
pub const FOUND: u8 = 0;
/// Exit status of a generation in which some position was not found.
pub const UNDETERMINED: u8 = 1;
/// Exit status of bad input, and of a constraint that is impossible.
pub const FAILED: u8 = 2;
/// Exit status of a run that a second Ctrl-C ended, as shells have it.
pub const INTERRUPTED: u8 = 130;

/// A UCI chess engine whose two sides cooperate: constraint in, legal position with its proof game out.
///
/// Without a command it speaks UCI on standard input and output, for chess GUIs and scripts.
#[derive(Parser)]
#[command(version, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Generate(Box<generate::Arguments>),
    Bench(bench::Arguments),
}

/// Runs the command that the process was started with.
pub fn run() -> ExitCode {
    evaluator::hide_caught_panics();
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("off")).init();
    let result = match Arguments::parse().command {
        Some(Command::Generate(arguments)) => generate::run(&arguments),
        Some(Command::Bench(arguments)) => bench::run(&arguments),
        None => uci::run().map(|()| FOUND),
    };
    ExitCode::from(result.unwrap_or_else(|error| {
        let _ = writeln!(io::stderr(), "entente: {error:#}");
        FAILED
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_declared_without_contradiction() {
        use clap::CommandFactory;
        Arguments::command().debug_assert();
    }
}
