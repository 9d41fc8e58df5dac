//! Whole boards: `fen=…`.

use std::fmt::{self, Display, Formatter};

use shakmaty::{Bitboard, Board, File, Piece, Position, Rank, Square};

use super::{Atom, Condition};
use crate::{ParseError, Situation, reader::Reader};

/// A whole board, except for squares that do not matter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Diagram {
    /// The squares that do not matter; no man of `board` stands there.
    pub unknown: Bitboard,
    /// The men on the other squares.
    pub board: Board,
}

/// A text that is not a diagram.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiagramError {
    /// Where the text is wrong, in characters from 0.
    pub offset: usize,
    /// What was expected there.
    pub expected: &'static str,
}

impl Diagram {
    /// Reads the piece placement of a FEN, in which each `?` is a square with any content.
    ///
    /// # Errors
    /// [`DiagramError`] if the text does not have eight ranks of eight squares.
    pub fn parse(text: &str) -> Result<Diagram, DiagramError> {
        let mut diagram = Diagram { unknown: Bitboard::EMPTY, board: Board::empty() };
        let (mut rank, mut file) = (7, 0);
        let error = |offset, expected| Err(DiagramError { offset, expected });
        for (offset, character) in text.chars().enumerate() {
            match character {
                '/' if file == 8 && rank > 0 => (rank, file) = (rank - 1, 0),
                '/' => {
                    return error(
                        offset,
                        if file == 8 { "the end after eight ranks" } else { "a rank of eight squares" },
                    );
                }
                '1'..='8' if file + character as u32 - '0' as u32 <= 8 => {
                    file += character as u32 - '0' as u32
                }
                _ if file == 8 => return error(offset, "'/' after eight squares"),
                '?' => {
                    diagram.unknown.add(Square::from_coords(File::new(file), Rank::new(rank)));
                    file += 1;
                }
                _ => match Piece::from_char(character) {
                    Some(piece) => {
                        diagram
                            .board
                            .set_piece_at(Square::from_coords(File::new(file), Rank::new(rank)), piece);
                        file += 1;
                    }
                    None => {
                        return error(
                            offset,
                            "a piece letter, '?', or a number of empty squares that fits the rank",
                        );
                    }
                },
            }
        }
        if (rank, file) == (0, 8) {
            Ok(diagram)
        } else {
            error(text.chars().count(), "eight ranks of eight squares")
        }
    }

    /// The rest of `diagram = "fen=" placement`.
    pub(super) fn read(reader: &mut Reader) -> Result<Atom, ParseError> {
        reader.expect('=', "'=' and the piece placement of a FEN")?;
        let start = reader.position_of_next();
        let ends = |c: &char| c.is_whitespace() || "&|,)(!".contains(*c);
        let text: String = reader.characters[start..].iter().take_while(|c| !ends(c)).collect();
        let diagram = Diagram::parse(&text).map_err(|error| {
            reader.position = start + error.offset;
            reader.error(error.expected)
        })?;
        reader.position = start + text.chars().count();
        Ok(Atom::Diagram(Box::new(diagram)))
    }

    /// True if `board` matches the diagram.
    pub fn holds_on(&self, board: &Board) -> bool {
        let known = !self.unknown;
        let agrees = |piece: Piece| board.by_piece(piece) & known == self.board.by_piece(piece);
        (board.occupied() & known) == self.board.occupied()
            && self.board.occupied().into_iter().all(|square| self.board.piece_at(square).is_some_and(agrees))
    }

    /// The piece placement of a FEN, with `?` for each square that does not matter.
    fn placement(&self) -> String {
        let mut text = String::new();
        for rank in Rank::ALL.into_iter().rev() {
            let mut empty = 0;
            for file in File::ALL {
                let square = Square::from_coords(file, rank);
                let man = self.board.piece_at(square).map(Piece::char);
                match if self.unknown.contains(square) { Some('?') } else { man } {
                    None => empty += 1,
                    Some(character) => {
                        if empty > 0 {
                            text += &empty.to_string();
                        }
                        empty = 0;
                        text.push(character);
                    }
                }
            }
            if empty > 0 {
                text += &empty.to_string();
            }
            if rank != Rank::First {
                text.push('/');
            }
        }
        text
    }
}

impl Condition for Diagram {
    fn holds(&self, situation: Situation<'_>) -> bool {
        self.holds_on(situation.position.board())
    }

    fn in_words(&self) -> String {
        match self.unknown.count() {
            0 => format!("the board is exactly {}", self.placement()),
            1 => format!("the board is {}, with anything on the square marked '?'", self.placement()),
            free => {
                format!("the board is {}, with anything on the {free} squares marked '?'", self.placement())
            }
        }
    }

    fn mirrored(&self) -> Atom {
        let mut board = self.board.clone();
        board.flip_vertical();
        board.swap_colors();
        Atom::Diagram(Box::new(Diagram { unknown: self.unknown.flip_vertical(), board }))
    }

    fn places_men(&self) -> bool {
        true
    }
}

impl Display for Diagram {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "fen={}", self.placement())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

    #[test]
    fn a_placement_prints_as_it_was_read() {
        for text in [START, "????????/pppppppp/8/8/3?4/8/PPPPPPPP/RNBQK??R", "8/8/8/8/8/8/8/K?k5"] {
            assert_eq!(Diagram::parse(text).unwrap().placement(), text);
        }
        // Adjacent numbers are added.
        assert_eq!(Diagram::parse("8/8/8/8/8/8/8/K1?1k21").unwrap().placement(), "8/8/8/8/8/8/8/K1?1k3");
    }

    #[test]
    fn only_the_squares_that_matter_must_match() {
        let holds = |text: &str| Diagram::parse(text).unwrap().holds_on(&Board::default());
        assert!(holds(START));
        assert!(holds("????????/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"));
        assert!(!holds("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQK1NR"), "the diagram lacks a bishop");
        assert!(!holds("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP?PPP/RNBQKBNR"), "a pawn has not moved");
        assert!(!holds("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKNBR"), "two men have changed places");
    }

    #[test]
    fn errors_name_the_offset() {
        let offset = |text: &str| Diagram::parse(text).unwrap_err().offset;
        assert_eq!(offset("rnbqkbnrr/8"), 8);
        assert_eq!(offset("rnbqkbn/8"), 7);
        assert_eq!(offset("x7/8"), 0);
        assert_eq!(offset("K8/8"), 1);
        assert_eq!(offset("8/8"), 3);
        assert_eq!(offset(&format!("{START}/8")), START.len());
    }
}
