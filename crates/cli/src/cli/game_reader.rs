//! Games from a file in PGN, for all commands that read them.

use std::{
    fmt::Write as _,
    io::{Read, Write as _},
};

use anyhow::Context as _;
use indicatif::ProgressBar;

use crate::pgn::{Found, GameFault, Games, ReadGame};

/// Reads the games of a file, and prints a line about each that cannot be read to its end.
pub(super) struct GameReader<R> {
    name: String,
    reader: Games<R>,
    progress: ProgressBar,
    /// Games so far.
    pub games: u64,
    /// Games of another variant, or from an illegal position.
    skipped: u64,
    /// Games that cannot be read to their end.
    cut_short: u64,
}

impl<R: Read> GameReader<R> {
    /// A reader of the file `name`, whose text is `input`.
    pub(super) fn new(name: String, input: R, progress: ProgressBar) -> GameReader<R> {
        GameReader { name, reader: Games::new(input), progress, games: 0, skipped: 0, cut_short: 0 }
    }

    /// The next game of standard chess; `None` at the end of the file.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(super) fn next_game(&mut self) -> anyhow::Result<Option<Box<ReadGame>>> {
        while let Some(found) = self.reader.next_game().with_context(|| self.name.clone())? {
            match found {
                Found::Game(read) => {
                    self.games += 1;
                    if let Some(fault) = &read.fault {
                        self.cut_short += 1;
                        let GameFault { game, ply, line, what } = fault;
                        self.say(
                            *line,
                            &format!("game {game}, ply {ply}: {what}; the game is read up to there"),
                        );
                    }
                    return Ok(Some(read));
                }
                Found::Skipped(GameFault { game, line, what, .. }) => {
                    self.games += 1;
                    self.skipped += 1;
                    self.say(line, &format!("game {game} is skipped: {what}"));
                }
                Found::Text(GameFault { line, what, .. }) => self.say(line, &format!("not a game: {what}")),
                Found::Nothing => {}
            }
        }
        Ok(None)
    }

    fn say(&self, line: u64, what: &str) {
        // A message must not end the run, even if no one can read it.
        self.progress.suspend(|| {
            let _ = writeln!(std::io::stderr(), "{}, line {line}: {what}", self.name);
        });
    }

    /// How many games were skipped or cut short, to be appended to a summary.
    pub(super) fn left_out(&self) -> String {
        let mut text = String::new();
        if self.skipped > 0 {
            let _ =
                write!(text, ", {} skipped: another variant, or an illegal initial position", self.skipped);
        }
        if self.cut_short > 0 {
            let _ =
                write!(text, ", {} cut short at an illegal move or at text that is not PGN", self.cut_short);
        }
        text
    }
}
