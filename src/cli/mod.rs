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
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("off")).init();
    let result = match Arguments::parse().command {
        Some(Command::Generate(arguments)) => generate::run(&arguments),
        Some(Command::Bench(arguments)) => bench::run(&arguments),
        None => uci::run().map(|()| FOUND),
    };
    ExitCode::from(result.unwrap_or_else(|error| {
        let _ = writeln!(io::stderr(), "entente: {}", with_causes(&error));
        FAILED
    }))
}

/// An error and its causes, but for those that the text before them says already.
fn with_causes(error: &anyhow::Error) -> String {
    error.chain().map(ToString::to_string).fold(String::new(), |text, cause| match text.as_str() {
        "" => cause,
        _ if text.ends_with(&cause) => text,
        _ => format!("{text}: {cause}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_is_said_once() {
        let cause = || anyhow::anyhow!("no such file");
        assert_eq!(with_causes(&cause().context("network x: no such file")), "network x: no such file");
        assert_eq!(with_causes(&cause().context("network x")), "network x: no such file");
    }

    #[test]
    fn the_command_line_is_declared_without_contradiction() {
        use clap::CommandFactory;
        Arguments::command().debug_assert();
    }
}
