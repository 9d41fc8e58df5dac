//! How a generated position is written: text, PGN, FEN, EPD or a JSON line; and which other formats there are.

use std::{fmt, path::Path};

use serde::Serialize;
use shakmaty::{Chess, EnPassantMode, Position as _, fen::Epd};

use super::{
    Distance, Generation, Outcome, PolicyRecord, Provenance, Record, fen,
    pgn::{movetext, pgn, wrapped},
    write_board,
};
use crate::settings::{Choice as _, choices};

choices! {
    /// A format of results.
    Format {
        /// Board, FEN and game
        Text = "text",
        /// Games with tags, read by every chess program
        Pgn = "pgn",
        /// One FEN a line
        Fen = "fen",
        /// One EPD a line, with the constraint, the plies, move number, clock and evaluation as opcodes
        Epd = "epd",
        /// One JSON object a line, with the moves in UCI notation
        JsonLines = "jsonl",
        /// A page with all boards, whose games can be played through
        Html = "html",
        /// Boards to be printed, and their solutions behind them; a page, or with --output FILE.pdf a PDF
        Worksheet = "worksheet",
        /// PGN whose games begin at the position and solve it: chapters of a study
        Study = "study",
        /// Cards for Anki, with the board in front and the solution on the back
        Anki = "anki",
    }
}

impl Format {
    /// The endings of files that may have the format. An ending stands for the first format that has it.
    fn endings(self) -> &'static [&'static str] {
        match self {
            Format::Text => &["txt"],
            Format::Pgn => &["pgn"],
            Format::Fen => &["fen"],
            Format::Epd => &["epd"],
            Format::JsonLines => &["jsonl"],
            Format::Html => &["html", "htm"],
            Format::Worksheet => &["pdf", "html", "htm"],
            Format::Study => &["pgn"],
            Format::Anki => &["tsv", "txt"],
        }
    }

    /// The format that a file's ending stands for, if it stands for one.
    pub fn of_ending(path: &Path) -> Option<Format> {
        Format::ALL.iter().copied().find(|format| format.may_end(path))
    }

    /// True if a file of the format may have the ending of `path`.
    pub fn may_end(self, path: &Path) -> bool {
        let ending = path.extension().and_then(|ending| ending.to_str());
        ending.is_some_and(|ending| self.endings().contains(&&*ending.to_ascii_lowercase()))
    }

    /// True if it shows solutions.
    pub fn is_for_practice(self) -> bool {
        matches!(self, Format::Worksheet | Format::Study | Format::Anki)
    }
}

impl Provenance {
    /// The text for one position, with its final line break; empty where the format has nothing to say of a
    /// position that was not found, and where more than a generation is needed: all of them for a page, and solutions for
    /// practice. `number` counts the texts of a run, from 1.
    pub fn render(&self, number: u64, generation: &Generation, format: Format) -> String {
        let found = generation.outcome == Outcome::Found;
        let Generation { moves, position, index, .. } = generation;
        match format {
            Format::Text => self.text(number, generation),
            Format::Pgn if found => {
                let report = generation.report.as_ref();
                let policy = report.and_then(|report| PolicyRecord::new(report, moves.len()));
                pgn(self, number, moves, position, policy.as_ref())
            }
            Format::Fen if found => format!("{}\n", fen(position)),
            Format::Epd if found => self.epd(*index, moves.len(), position, generation.centipawns),
            Format::JsonLines => self.json(generation),
            Format::Pgn | Format::Fen | Format::Epd | Format::Html => String::new(),
            Format::Worksheet | Format::Study | Format::Anki => String::new(),
        }
    }

    /// The line for the position that game `index` ended in after so many plies, and which is worth so many `centipawns` to
    /// White, if that is known; `ce` has them for the side to move.
    pub fn epd(&self, index: u64, plies: usize, last: &Chess, centipawns: Option<i32>) -> String {
        let epd = Epd::from_position(last, EnPassantMode::Legal);
        let Provenance { constraint, seed, .. } = self;
        let ce =
            centipawns.map_or(String::new(), |white| format!(" ce {};", last.turn().fold_wb(white, -white)));
        let (clock, number) = (last.halfmoves(), last.fullmoves());
        format!(
            "{epd} c0 \"{constraint}\"; c1 \"{plies} plies\"; c2 \"seed {seed} index {index}\";{ce} fmvn {number}; \
             hmvc {clock};\n"
        )
    }

    fn text(&self, number: u64, generation: &Generation) -> String {
        let mut text = match generation.outcome {
            Outcome::Found => {
                let by = generation.report.as_ref().and_then(|report| report.by);
                format!(
                    "Position {number}: {} after {}{}\n",
                    self.constraint,
                    counted(generation.moves.len(), "ply", "plies"),
                    by.map_or(String::new(), |by| format!(", {}", by.in_words()))
                )
            }
            Outcome::Undetermined => format!(
                "Position {number}: undetermined after {}; the closest {}\n",
                counted(generation.attempts, "attempt", "attempts"),
                match generation.distance {
                    Distance::Men(men) => format!("differs by {}", counted(men, "man", "men")),
                    Distance::Plies(plies) => format!("is about {} away", counted(plies, "ply", "plies")),
                }
            ),
        };
        write_board(&mut text, &generation.position).expect("writing to a string succeeds");
        text.push_str(&format!("{}\n", fen(&generation.position)));
        text.push_str(&wrapped(&movetext(&self.root, &generation.moves), 100));
        text.push_str("\n\n");
        text
    }

    fn json(&self, generation: &Generation) -> String {
        #[derive(Serialize)]
        struct Line {
            #[serde(flatten)]
            record: Record,
            seconds: f64,
        }
        let line = Line { record: Record::new(self, generation), seconds: generation.time.as_secs_f64() };
        serde_json::to_string(&line).expect("numbers and strings are always JSON") + "\n"
    }
}

/// A number with its noun.
pub fn counted<N: PartialEq + From<u8> + fmt::Display>(number: N, one: &str, more: &str) -> String {
    let noun = if number == N::from(1) { one } else { more };
    format!("{number} {noun}")
}
