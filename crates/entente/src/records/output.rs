//! A generated position as text, PGN, FEN, EPD or a line of JSON.

use entente_constraint::counted;
use serde::Serialize;
use shakmaty::{Chess, EnPassantMode, Position as _, fen::Epd};

use super::{
    Format, PolicyRecord, Provenance, Record, fen,
    pgn::{movetext, pgn, wrapped},
    write_board,
};
use crate::generation::{Distance, Generation, Outcome};

impl Provenance {
    /// The text of one position, with its final line break. `number` counts the texts of a run, from 1.
    ///
    /// The text is empty if the format has none for a position that was not found, or if it needs more than one
    /// generation: a page needs all positions, and formats for practice need solutions.
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

    /// The EPD line of `last`, in which game `index` ended after `plies` plies. `centipawns` is its evaluation for
    /// White, if known; the opcode `ce` has it for the side to move.
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
