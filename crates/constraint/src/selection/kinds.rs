//! Sets of kinds of men, with kings, and the empty square.

use std::fmt::{self, Display, Formatter};

use shakmaty::{Bitboard, Board, Color, Piece, Role};

/// A set of kinds of men, or the empty square, as a bit mask: White's pawn to king, Black's pawn to king, then the
/// empty square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Kinds(u16);

/// The letters of the kinds in the order in which they are printed.
const LETTERS: [char; 12] = ['K', 'Q', 'R', 'B', 'N', 'P', 'k', 'q', 'r', 'b', 'n', 'p'];

impl Kinds {
    /// The empty square.
    pub const EMPTY_SQUARE: Kinds = Kinds(1 << 12);
    /// Pawns of both sides.
    pub const PAWNS: Kinds = Kinds(1 | 1 << 6);
    /// No kind at all.
    pub const NONE: Kinds = Kinds(0);
    /// Every kind of man of both sides.
    pub const ALL: Kinds = Kinds((1 << 12) - 1);

    /// The kinds with these roles, of both sides.
    pub fn of_roles(roles: &[Role]) -> Kinds {
        let both = |role: &Role| Color::ALL.map(|color| role.of(color));
        roles.iter().flat_map(both).collect()
    }

    /// The men of these kinds on `board`, or its empty squares.
    #[inline]
    pub fn on(self, board: &Board) -> Bitboard {
        if self == Kinds::EMPTY_SQUARE {
            return !board.occupied();
        }
        let mut men = Bitboard::EMPTY;
        let mut left = self.0;
        while left != 0 {
            men |= board.by_piece(piece_of(left.trailing_zeros()));
            left &= left - 1;
        }
        men
    }

    /// True if `piece` is one of the kinds.
    pub fn contains(self, piece: Piece) -> bool {
        self.0 & bit(piece) != 0
    }

    /// True if every kind is also in `other`.
    pub fn are_within(self, other: Kinds) -> bool {
        self.0 & !other.0 == 0
    }

    /// The kinds that are in both sets.
    pub fn and(self, other: Kinds) -> Kinds {
        Kinds(self.0 & other.0)
    }

    /// The kinds, White's first.
    pub fn pieces(self) -> impl Iterator<Item = Piece> {
        LETTERS.into_iter().filter_map(Piece::from_char).filter(move |piece| self.contains(*piece))
    }

    /// The only kind; `None` if there are several or none, or if it is the empty square.
    pub fn single(self) -> Option<Piece> {
        let mut pieces = self.pieces();
        pieces.next().filter(|_| pieces.next().is_none())
    }

    /// The same kinds of the other side.
    pub(crate) fn mirrored(self) -> Kinds {
        Kinds(self.0 & 1 << 12 | (self.0 & 0x3f) << 6 | self.0 >> 6 & 0x3f)
    }
}

impl FromIterator<Piece> for Kinds {
    fn from_iter<T: IntoIterator<Item = Piece>>(pieces: T) -> Kinds {
        pieces.into_iter().fold(Kinds::NONE, |kinds, piece| Kinds(kinds.0 | bit(piece)))
    }
}

impl Display for Kinds {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.single() {
            _ if *self == Kinds::EMPTY_SQUARE => f.write_str("-"),
            Some(piece) => write!(f, "{}", piece.char()),
            None => {
                let letters: String = self.pieces().map(Piece::char).collect();
                write!(f, "[{letters}]")
            }
        }
    }
}

fn bit(piece: Piece) -> u16 {
    1 << (piece.color.fold_wb(0, 6) + u16::from(piece.role) - 1)
}

fn piece_of(index: u32) -> Piece {
    let color = if index < 6 { Color::White } else { Color::Black };
    Role::ALL[index as usize % 6].of(color)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_printed_and_mirrored() {
        let all: Kinds = LETTERS.into_iter().filter_map(Piece::from_char).collect();
        assert_eq!(all, Kinds::ALL);
        assert_eq!(all.to_string(), "[KQRBNPkqrbnp]");
        for letter in LETTERS {
            let kind: Kinds = Piece::from_char(letter).into_iter().collect();
            assert_eq!(kind.to_string(), letter.to_string());
            let other =
                if letter.is_uppercase() { letter.to_ascii_lowercase() } else { letter.to_ascii_uppercase() };
            assert_eq!(kind.mirrored().to_string(), other.to_string());
            assert_eq!(kind.on(&Board::default()), Board::default().by_piece(kind.single().unwrap()));
        }
        assert_eq!(Kinds::EMPTY_SQUARE.mirrored(), Kinds::EMPTY_SQUARE);
        assert_eq!(Kinds::EMPTY_SQUARE.on(&Board::default()).count(), 32);
    }
}
