use std::fmt::{self, Display, Formatter};

use entente_network::encoding::transformer::{RIGHTS, SQUARES, board, rights, vocabulary::Vocabulary};
use shakmaty::{Chess, Move};

/// A move with the position before it, as a line of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The number of the move.
    pub index: u16,
    /// The squares a1, b1 to h8: 1 to 6 for White's pawn, knight, bishop, rook, queen and king, −1 to −6 for Black's, 0
    /// for an empty square.
    pub board: [i8; SQUARES],
    /// Whether White can castle kingside and queenside, the same for Black, the file (from 1, or 0) of a pawn that can
    /// be captured en passant, and 1 if White is to move.
    pub rights: [u8; RIGHTS],
}

impl Line {
    /// Number of digits of the rights.
    pub const RIGHTS: usize = RIGHTS;

    /// The line of `m` in `position`; `None` if the vocabulary lacks the move.
    pub fn of(vocabulary: &Vocabulary, position: &Chess, m: Move) -> Option<Line> {
        let (board, rights) = (board(position), rights(position));
        vocabulary.index(m).map(|index| Line { index, board, rights })
    }

    /// True if the line has the initial position.
    pub fn begins_game(&self) -> bool {
        self.is_of(&Chess::default())
    }

    /// True if the line has this position.
    pub fn is_of(&self, position: &Chess) -> bool {
        self.rights == rights(position) && self.board == board(position)
    }

    /// Reads a line.
    ///
    /// # Errors
    ///
    /// A description of the fault and of what was expected.
    pub fn parse(text: &str) -> Result<Line, String> {
        let parts: Vec<&str> = text.split('|').collect();
        let [index, men, digits] = parts[..] else {
            return Err(format!("expected move_index|board|rights, found {} parts", parts.len()));
        };
        let index = index.parse().map_err(|_| format!("expected the number of a move, found \"{index}\""))?;
        let mut board = [0; 64];
        let mut count = 0;
        for number in men.split(',') {
            let man = number.parse().ok().filter(|man| (-6..=6).contains(man));
            let man =
                man.ok_or_else(|| format!("square {}: expected −6 to 6, found \"{number}\"", count + 1))?;
            if let Some(place) = board.get_mut(count) {
                *place = man;
            }
            count += 1;
        }
        if count != board.len() {
            return Err(format!("expected 64 squares, found {count}"));
        }
        let mut rights = [0; Line::RIGHTS];
        let found: Vec<Option<u32>> = digits.chars().map(|digit| digit.to_digit(10)).collect();
        if found.len() != rights.len() {
            return Err(format!("expected {} characters of rights, found {}", Line::RIGHTS, found.len()));
        }
        for (place, (right, digit)) in rights.iter_mut().zip(found).enumerate() {
            let most = if place == 4 { 8 } else { 1 };
            let digit = digit.filter(|digit| *digit <= most).ok_or_else(|| {
                format!("character {} of the rights: expected 0 to {most}, found \"{digits}\"", place + 1)
            })?;
            *right = digit as u8;
        }
        Ok(Line { index, board, rights })
    }
}

impl Display for Line {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}|", self.index)?;
        for (number, man) in self.board.iter().enumerate() {
            let comma = if number > 0 { "," } else { "" };
            write!(f, "{comma}{man}")?;
        }
        f.write_str("|")?;
        self.rights.iter().try_for_each(|right| write!(f, "{right}"))
    }
}

#[cfg(test)]
mod tests {
    use entente_search::position_from_fen;
    use shakmaty::{Position as _, Role, Square};

    use super::*;

    #[test]
    fn a_line_has_the_men_and_all_rights_in_order() {
        let vocabulary = Vocabulary::of_chess();
        for (fen, rights) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "111101"),
            ("r3k2r/8/8/8/8/8/8/R3K2R b Kq - 0 1", "100100"),
            ("r3k2r/8/8/8/8/8/8/R3K2R w Qk - 0 1", "011001"),
            ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "000050"),
            ("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1", "000000"),
        ] {
            let position = position_from_fen(fen).unwrap();
            let m = position.legal_moves()[0];
            let line = Line::of(&vocabulary, &position, m).unwrap();
            let text = line.to_string();
            assert!(text.ends_with(rights), "{text}");
            assert_eq!(Line::parse(&text).unwrap(), line);
            assert!(line.is_of(&position) && line.begins_game() == (rights == "111101"));
            assert_eq!(vocabulary.index(m), Some(line.index));
        }
        let queen = position_from_fen("4k3/8/8/8/8/8/1q6/Q3K3 w - - 0 1").unwrap();
        let line = Line::of(&vocabulary, &queen, queen.legal_moves()[0]).unwrap();
        assert_eq!((line.board[0], line.board[4], line.board[9], line.board[60]), (5, 6, -5, -6));
        assert_eq!(Role::King as i8, 6);
        assert_eq!(Square::A1.to_usize(), 0);
    }

    #[test]
    fn invalid_lines_are_refused_with_a_reason() {
        let squares = |count: usize| vec!["0"; count].join(",");
        for (text, message) in [
            (String::new(), "expected move_index|board|rights, found 1 parts"),
            (format!("x|{}|000000", squares(64)), "expected the number of a move, found \"x\""),
            (format!("1|{}|000000", squares(63)), "expected 64 squares, found 63"),
            (format!("1|{},0|000000", squares(64)), "expected 64 squares, found 65"),
            (format!("1|{},7|000000", squares(63)), "square 64: expected −6 to 6, found \"7\""),
            (format!("1|{}|00000", squares(64)), "expected 6 characters of rights, found 5"),
            (
                format!("1|{}|000092", squares(64)),
                "character 5 of the rights: expected 0 to 8, found \"000092\"",
            ),
            (format!("1|{}|000082", squares(64)), "character 6 of the rights: expected 0 to 1"),
        ] {
            let error = Line::parse(&text).unwrap_err();
            assert!(error.contains(message), "{error}");
        }
    }
}
