//! The command line, with one file per subcommand.
//!
//! A new subcommand needs two lines: `mod NAME;` and a variant of `Command` in the table below.

mod analyse;
mod bars;
mod difficulty;
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
mod refit;
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

/// Declares the subcommands. Each module has `Arguments` and `fn run(Arguments) -> anyhow::Result<()>`.
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
    /// Read PGN files, replay and filter their games, and write them to one packed store.
    Import => import,
    /// Collect positions with an engine's evaluations, from games and tables, in one store.
    Evaluations => evaluations,
    /// Count how many games meet constraints, when, who wins them, and where the men stand.
    Analyse => analyse,
    /// Write the transformer's vocabulary: all possible moves, numbered.
    Vocabulary => vocabulary,
    /// Write games as text files for the transformer, or check such files.
    Sequence => sequence,
    /// Label the positions of a store with the move probabilities of teachers.
    Label => label,
    /// Train a network on the games of a store, according to a recipe.
    Train => train,
    /// Fit how much of a short search players of each rating see, and write it to a policy's file.
    Skill => skill,
    /// Fit the model that predicts the rating of puzzles.
    Difficulty => difficulty,
    /// Fit to a new policy everything that is fitted after its training: its skill, and its play at a rating.
    Refit => refit,
    /// Measure a network on games on which it was not trained.
    Evaluate => evaluate,
    /// Compare how well policies predict the moves of human games.
    Predict => predict,
    /// Write the network of a checkpoint as an ONNX file.
    Export => export,
    /// Play a policy against itself at several ratings.
    Ladder => ladder,
    /// Compare the games of a tournament with human games that met the same constraints.
    Realism => realism,
}

/// Runs the command line. The exit status is 0 on success, and 2 after wrong usage or an error, which is printed on
/// standard error with its causes.
pub fn run() -> ExitCode {
    match Arguments::parse().command.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}
