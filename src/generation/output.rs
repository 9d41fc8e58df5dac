//! How a generated position is written: text, PGN, FEN, EPD or a JSON line.

use std::fmt::{self, Write};

use clap::ValueEnum;
use serde::Serialize;
use shakmaty::{
    CastlingMode, Chess, Color, EnPassantMode, File, Move, Position, Rank, Square,
    fen::{Epd, Fen},
    san::SanPlus,
};

use super::{Distance, Generation, Outcome};

/// A format of results, one position after another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Board, FEN and game
    Text,
    /// Games with tags, read by every chess program
    Pgn,
    /// One FEN a line
    Fen,
    /// One EPD a line, with the constraint and the plies as opcodes
    Epd,
    /// One JSON object a line, with the moves in UCI notation
    #[value(name = "jsonl")]
    JsonLines,
}

/// What all positions of a run have in common.
#[derive(Clone, Debug)]
pub struct Context {
    /// The position that proof games start from.
    pub root: Chess,
    /// The constraint as text.
    pub constraint: String,
    /// The method, with depth and evaluator.
    pub method: String,
    /// The run's seed.
    pub seed: u64,
}

impl Context {
    /// The text for one position, with its final line break; empty where the format has nothing to say of a
    /// position that was not found. `number` counts the texts of a run, from 1.
    pub fn render(&self, number: u64, generation: &Generation, format: Format) -> String {
        let found = generation.outcome == Outcome::Found;
        let fen = fen(&generation.position);
        match format {
            Format::Text => self.text(number, generation),
            Format::Pgn if found => self.pgn(number, generation),
            Format::Fen if found => format!("{fen}\n"),
            Format::Epd if found => {
                let epd = Epd::from_position(&generation.position, EnPassantMode::Legal);
                let (constraint, plies) = (&self.constraint, generation.moves.len());
                format!(
                    "{epd} c0 \"{constraint}\"; c1 \"{plies} plies\"; c2 \"seed {} index {}\";\n",
                    self.seed, generation.index
                )
            }
            Format::JsonLines => self.json(generation),
            Format::Pgn | Format::Fen | Format::Epd => String::new(),
        }
    }

    fn text(&self, number: u64, generation: &Generation) -> String {
        let mut text = match generation.outcome {
            Outcome::Found => {
                format!(
                    "Position {number}: {} after {}\n",
                    self.constraint,
                    counted(generation.moves.len(), "ply", "plies")
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

    fn pgn(&self, number: u64, generation: &Generation) -> String {
        let result = result(&generation.position);
        let mut pgn = String::new();
        let mut tag = |name: &str, value: &str| {
            let escaped = value.replace('\\', "\\\\").replace('"', "\\\"");
            pgn.push_str(&format!("[{name} \"{escaped}\"]\n"));
        };
        tag("Event", "Entente proof game");
        tag("Site", "?");
        tag("Date", "????.??.??");
        tag("Round", &number.to_string());
        tag("White", "Entente");
        tag("Black", "Entente");
        tag("Result", result);
        // FENs are compared: positions are equal whatever their counters say.
        if fen(&self.root) != fen(&Chess::default()) {
            tag("SetUp", "1");
            tag("FEN", &fen(&self.root).to_string());
        }
        tag("Constraint", &self.constraint);
        tag("Method", &self.method);
        tag("Seed", &self.seed.to_string());
        tag("PlyCount", &generation.moves.len().to_string());
        tag("FinalFEN", &fen(&generation.position).to_string());
        let moves = movetext(&self.root, &generation.moves);
        let separator = if moves.is_empty() { "" } else { " " };
        pgn.push('\n');
        pgn.push_str(&wrapped(&format!("{moves}{separator}{result}"), 80));
        pgn.push_str("\n\n");
        pgn
    }

    fn json(&self, generation: &Generation) -> String {
        #[derive(Serialize)]
        struct Line<'a> {
            index: u64,
            outcome: &'a str,
            constraint: &'a str,
            method: &'a str,
            seed: u64,
            root: String,
            fen: String,
            plies: usize,
            moves: Vec<String>,
            distance: u32,
            attempts: u32,
            first_attempt_distance: u32,
            nodes: u64,
            evaluations: u64,
            seconds: f64,
        }
        let line = Line {
            index: generation.index,
            outcome: match generation.outcome {
                Outcome::Found => "found",
                Outcome::Undetermined => "undetermined",
            },
            constraint: &self.constraint,
            method: &self.method,
            seed: self.seed,
            root: fen(&self.root).to_string(),
            fen: fen(&generation.position).to_string(),
            plies: generation.moves.len(),
            moves: generation.moves.iter().map(|m| m.to_uci(CastlingMode::Standard).to_string()).collect(),
            distance: generation.distance.number(),
            attempts: generation.attempts,
            first_attempt_distance: generation.first_attempt_distance,
            nodes: generation.nodes,
            evaluations: generation.evaluations,
            seconds: generation.time.as_secs_f64(),
        };
        serde_json::to_string(&line).expect("numbers and strings are always JSON") + "\n"
    }
}

/// The FEN of a position, with an en passant square only where it can be taken.
pub fn fen(position: &Chess) -> Fen {
    Fen::from_position(position, EnPassantMode::Legal)
}

/// A number with its noun.
fn counted<N: PartialEq + From<u8> + fmt::Display>(number: N, one: &str, more: &str) -> String {
    let noun = if number == N::from(1) { one } else { more };
    format!("{number} {noun}")
}

/// The result token of PGN: `*` while the game is not over.
fn result(position: &Chess) -> &'static str {
    if position.is_checkmate() {
        position.turn().fold_wb("0-1", "1-0")
    } else if position.is_stalemate() || position.is_insufficient_material() || position.halfmoves() >= 150 {
        "1/2-1/2"
    } else {
        "*"
    }
}

/// Numbered moves in standard algebraic notation.
fn movetext(root: &Chess, moves: &[Move]) -> String {
    let mut position = root.clone();
    let mut words = Vec::new();
    for (index, &m) in moves.iter().enumerate() {
        match position.turn() {
            Color::White => words.push(format!("{}.", position.fullmoves())),
            Color::Black if index == 0 => words.push(format!("{}...", position.fullmoves())),
            Color::Black => {}
        }
        words.push(SanPlus::from_move_and_play_unchecked(&mut position, m).to_string());
    }
    words.join(" ")
}

/// Breaks `text` at spaces into lines of at most `width` characters.
fn wrapped(text: &str, width: usize) -> String {
    let mut lines = String::new();
    let mut column = 0;
    for word in text.split(' ') {
        if column > 0 && column + 1 + word.len() > width {
            lines.push('\n');
            column = 0;
        } else if column > 0 {
            lines.push(' ');
            column += 1;
        }
        lines.push_str(word);
        column += word.len();
    }
    lines
}

/// Draws the board with coordinates, White at the bottom.
pub fn write_board(out: &mut impl Write, position: &Chess) -> fmt::Result {
    for rank in Rank::ALL.into_iter().rev() {
        write!(out, "  {rank} ")?;
        for file in File::ALL {
            let square = Square::from_coords(file, rank);
            let man = position.board().piece_at(square).map_or('.', |piece| piece.char());
            write!(out, " {man}")?;
        }
        writeln!(out)?;
    }
    writeln!(out, "     a b c d e f g h   {} to move", position.turn().fold_wb("White", "Black"))
}
