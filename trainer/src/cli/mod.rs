//! The command line, one file a subcommand.
//!
//! A new subcommand is two lines: `mod NAME;` and a variant of [`Command`] in the table below.

mod analyse;
mod bars;
mod evaluate;
mod evaluations;
mod export;
mod fresh;
mod import;
pub mod interrupt;
mod label;
mod ladder;
mod predict;
mod realism;
mod scale;
mod screen;
mod sequence;
mod skill;
mod train;
mod vocabulary;
mod words;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Builds data sets from human games and trains the networks of the Entente chess engine.
#[derive(Parser)]
#[command(name = "entente-trainer", version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

/// Declares the subcommands: each room offers `Arguments` and `fn run(Arguments) -> anyhow::Result<()>`.
macro_rules! subcommands {
    ($($(#[$attribute:meta])* $variant:ident => $room:ident),+ $(,)?) => {
        #[derive(Subcommand)]
        enum Command {
            $($(#[$attribute])* $variant($room::Arguments),)+
        }

        impl Command {
            fn run(self) -> anyhow::Result<()> {
                match self {
                    $(Command::$variant(arguments) => $room::run(arguments),)+
                }
            }
        }
    };
}

subcommands! {
    /// Read PGN files, replay and filter their games, write them into one packed store.
    Import => import,
    /// Collect positions and what an engine says of them, from games and tables, into one store.
    Evaluations => evaluations,
    /// Count what games say about constraints: how many meet them, when, who wins then, and where the men stand.
    Analyse => analyse,
    /// Write the moves that there are, numbered, as the transformer has them.
    Vocabulary => vocabulary,
    /// Write games as the transformer's text files, or check such files.
    Sequence => sequence,
    /// Label the positions of a store with the move probabilities of teachers.
    Label => label,
    /// Train a network on the games of a store, as a recipe says.
    Train => train,
    /// Fit what players of each rating make of a short search, and write it into a policy's file.
    Skill => skill,
    /// Measure a network on games it was not trained on.
    Evaluate => evaluate,
    /// Compare how well policies predict the moves of human games.
    Predict => predict,
    /// Write the network of a checkpoint as an ONNX file.
    Export => export,
    /// Play a policy against itself at several ratings.
    Ladder => ladder,
    /// Compare the games of a tournament with games of people who met the same constraints.
    Realism => realism,
}

/// Runs the command line. Exit status 0: done; 2: wrong usage or an error, its chain on standard error.
pub fn run() -> ExitCode {
    match Arguments::parse().command.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}
