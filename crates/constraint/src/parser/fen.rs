//! The fields of a FEN after the piece placement: `fen=4k3/8/8/8/8/8/8/4K2R w K - 0 1`.

use shakmaty::Color;

use crate::{
    Atom,
    atom::{Castling, RIGHTS, Turn},
    reader::Reader,
};

impl Reader {
    /// Reads the side to move and the castling rights of a FEN, if they come next. The en passant square and the two
    /// move counters are skipped, because no condition can express them.
    pub(super) fn fields_of_a_fen(&mut self) -> Vec<Atom> {
        let start = self.position;
        let turn = match self.field().as_str() {
            "w" => Color::White,
            "b" => Color::Black,
            _ => {
                self.position = start;
                return Vec::new();
            }
        };
        let castling = self.field();
        let is_castling = castling == "-" || castling.chars().all(|c| "KQkq".contains(c));
        if castling.is_empty() || !is_castling {
            self.position = start;
            return Vec::new();
        }
        let rights = RIGHTS.map(|(letter, ..)| castling.contains(letter));
        let is_square = |field: &str| field == "-" || matches!(field.as_bytes(), [b'a'..=b'h', b'3' | b'6']);
        let is_number = |field: &str| !field.is_empty() && field.bytes().all(|byte| byte.is_ascii_digit());
        for is_next in [is_square as fn(&str) -> bool, is_number, is_number] {
            let before = self.position;
            if !is_next(&self.field()) {
                self.position = before;
                break;
            }
        }
        vec![Atom::Turn(Turn(turn)), Atom::Castling(Castling { rights, at_least: false })]
    }

    /// Reads the next field; see [`Reader::field_at`].
    fn field(&mut self) -> String {
        let start = self.position_of_next();
        let field = self.field_at(start);
        self.position += field.chars().count();
        field
    }

    /// The text at `start` up to white space or a character that ends a condition.
    pub(crate) fn field_at(&self, start: usize) -> String {
        let rest = self.characters[start..].iter();
        rest.take_while(|c| !c.is_whitespace() && !"|&,()".contains(**c)).collect()
    }
}
