//! Problems as lines of text: a FEN, an EPD, or a diagram alone.

use entente_constraint::{Diagram, RIGHTS, homes, legality::Problem};
use shakmaty::{Bitboard, Chess, Color, Square};
use thiserror::Error;

/// A problem read from a line of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProblemLine {
    /// The problem.
    pub problem: Problem,
    /// Its name, from the EPD operation `id`.
    pub id: Option<String>,
}

/// Where a line is wrong, and what was expected there.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("column {column}: expected {expected}")]
pub struct LineError {
    /// The position in characters, from 1.
    pub column: usize,
    /// What was expected there.
    pub expected: &'static str,
}

impl ProblemLine {
    /// Reads the piece placement of a FEN. The side to move, the castling rights and the en passant square may follow,
    /// and each of them may be `?`. After those that are given, move counters are ignored, and EPD operations may follow.
    ///
    /// # Errors
    /// [`LineError`] if the line does not have this form.
    pub fn parse(line: &str) -> Result<ProblemLine, LineError> {
        ProblemLine::parse_from(line, &Chess::default())
    }

    /// As [`ProblemLine::parse`], for games from `start`: its castling rights may also be the files of the rooks (HAha).
    ///
    /// # Errors
    /// [`LineError`] if the line does not have this form.
    pub fn parse_from(line: &str, start: &Chess) -> Result<ProblemLine, LineError> {
        let mut fields = Fields { line, position: 0, is_over: false };
        let (column, placement) = fields.next();
        let diagram = Diagram::parse(placement)
            .map_err(|error| LineError { column: column + error.offset, expected: error.expected })?;
        if !diagram.unknown.is_empty() {
            let offset = placement.chars().position(|c| c == '?').unwrap_or(0);
            return Err(LineError {
                column: column + offset,
                expected: "a piece letter or a number of empty squares",
            });
        }
        let mut problem = Problem::of(diagram.board);
        let (column, turn) = fields.next();
        problem.turn = match turn {
            "" | "?" => None,
            "w" => Some(Color::White),
            "b" => Some(Color::Black),
            _ => return Err(LineError { column, expected: "the side to move: w, b or ?" }),
        };
        let (column, castling) = fields.next();
        problem.castling = rights(castling, start).ok_or(LineError {
            column,
            expected: "the castling rights: letters of KQkq, or the files of the rooks, in this order, - or ?",
        })?;
        let (column, square) = fields.next();
        problem.en_passant = match square {
            "" | "?" => None,
            "-" => Some(None),
            square => Some(Some(
                square
                    .parse::<Square>()
                    .map_err(|_| LineError { column, expected: "the en passant square, - or ?" })?,
            )),
        };
        Ok(ProblemLine { problem, id: id(fields.rest()) })
    }
}

/// The rooks that may castle in games from `start`; `Some(None)` if that is not known, `None` if the text is invalid.
fn rights(text: &str, start: &Chess) -> Option<Option<Bitboard>> {
    match text {
        "" | "?" => return Some(None),
        "-" => return Some(Some(Bitboard::EMPTY)),
        _ => {}
    }
    let (mut rooks, mut letters) = (Bitboard::EMPTY, text.chars().peekable());
    for (letter, color, side) in RIGHTS {
        let [_, (rook, _)] = homes(start, color, side);
        let file = rook.file().char();
        let file = color.fold_wb(file.to_ascii_uppercase(), file);
        if letters.next_if(|given| [letter, file].contains(given)).is_some() {
            rooks.add(rook);
        }
    }
    letters.peek().is_none().then_some(Some(rooks))
}

/// The value of the operation `id` among EPD operations. Move counters may come before the operations.
fn id(operations: &str) -> Option<String> {
    let mut rest = operations;
    while let Some((number, after)) = rest.split_once(char::is_whitespace)
        && number.parse::<u32>().is_ok()
    {
        rest = after.trim_start();
    }
    // A semicolon in quotation marks does not end an operation.
    let mut is_quoted = false;
    let quoted = rest
        .split(|c| {
            is_quoted ^= c == '"';
            c == ';' && !is_quoted
        })
        .find_map(|operation| operation.trim().strip_prefix("id "))?;
    let id = quoted.trim().trim_matches('"');
    (!id.is_empty()).then(|| id.to_owned())
}

/// The fields of a line, one after another.
struct Fields<'a> {
    line: &'a str,
    /// The position in bytes.
    position: usize,
    /// True after the last field, where the EPD operations begin.
    is_over: bool,
}

/// True for the name of an operation that the EPD standard defines.
fn is_opcode(field: &str) -> bool {
    const NAMES: [&str; 25] = [
        "acd",
        "acn",
        "acs",
        "am",
        "bm",
        "ce",
        "dm",
        "eco",
        "fmvn",
        "hmvc",
        "id",
        "nic",
        "noop",
        "pm",
        "pv",
        "rc",
        "resign",
        "sm",
        "tcgs",
        "tcri",
        "tcsi",
        "draw_accept",
        "draw_claim",
        "draw_offer",
        "draw_reject",
    ];
    let name = field.trim_end_matches(';');
    let is_numbered = matches!(name.as_bytes(), [b'c' | b'v', b'0'..=b'9']);
    is_numbered || NAMES.contains(&name)
}

impl<'a> Fields<'a> {
    /// The next field, with its column; empty if there is none.
    fn next(&mut self) -> (usize, &'a str) {
        if self.is_over {
            return (0, "");
        }
        let rest = &self.line[self.position..];
        let begin = self.position + rest.len() - rest.trim_start().len();
        let field = self.line[begin..].split_whitespace().next().unwrap_or("");
        if is_opcode(field) {
            (self.is_over, self.position) = (true, begin);
            return (0, "");
        }
        self.position = begin + field.len();
        (self.line[..begin].chars().count() + 1, field)
    }

    fn rest(&self) -> &'a str {
        self.line[self.position..].trim_start()
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::Position as _;

    use super::*;

    fn parse(line: &str) -> ProblemLine {
        ProblemLine::parse(line).expect(line)
    }

    #[test]
    fn fields_may_be_missing_or_unknown() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
        assert_eq!(parse(start).problem, Problem::of(shakmaty::Board::new()));
        assert_eq!(parse(&format!("{start} ? ? ?")), parse(start));
        let whole = parse(&format!("  {start} b Kq e3 0 1"));
        assert_eq!(whole.problem.turn, Some(Color::Black));
        assert_eq!(whole.problem.castling, Some(Bitboard::from(Square::H1) | Bitboard::from(Square::A8)));
        assert_eq!(whole.problem.en_passant, Some(Some(Square::E3)));
        let epd = parse(&format!("{start} w - - bm e4; id \"No. 1\";"));
        assert_eq!((epd.problem.castling, epd.problem.en_passant), (Some(Bitboard::EMPTY), Some(None)));
        assert_eq!(epd.id.as_deref(), Some("No. 1"));
        for (operations, id) in [
            ("id \"x\"; bm Nf3;", "x"),
            ("w c0 \"a\"; id y;", "y"),
            ("b resign; id \"z\";", "z"),
            ("w - - 0 1 id \"x\";", "x"),
            ("? ? ? id \"a; b\"; bm e4;", "a; b"),
            ("b - - bm e5; id z", "z"),
        ] {
            assert_eq!(parse(&format!("{start} {operations}")).id.as_deref(), Some(id));
        }
    }

    #[test]
    fn castling_rights_are_those_of_the_start() {
        let start = crate::Chess960::start(0).unwrap();
        let board = start.board();
        for letters in ["Kq", "Hf"] {
            let line = ProblemLine::parse_from(&format!("{board} w {letters}"), &start).unwrap();
            let rooks = Bitboard::from(Square::H1) | Bitboard::from(Square::F8);
            assert_eq!(line.problem.castling, Some(rooks), "{letters}");
        }
        assert!(ProblemLine::parse_from(&format!("{board} w Aa"), &start).is_err());
    }

    #[test]
    fn errors_name_the_column() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
        for (line, column) in [
            ("", 1),
            ("rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", 18),
            (" 8/8/8/3?4/8/8/8/8", 9),
            (&format!("{start} white"), 45),
            (&format!("{start} w qK"), 47),
            (&format!("{start} w KQkq e9"), 52),
            (&format!("{start} w é"), 47),
        ] {
            assert_eq!(ProblemLine::parse(line).unwrap_err().column, column, "{line}");
        }
    }
}
