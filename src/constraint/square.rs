use std::fmt::{self, Display, Formatter};

use shakmaty::{Bitboard, Board, File, Piece, Rank};

/// What stands on a square, or on at least one of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Square {
    /// The man; `None` for an empty square.
    pub man: Option<Piece>,
    /// Where.
    pub region: Region,
}

/// Squares that have a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Region {
    /// `f5`
    Square(shakmaty::Square),
    /// `a`, `a-c`: from the first file to the second.
    Files(File, File),
    /// `6`, `2-4`: from the first rank to the second.
    Ranks(Rank, Rank),
    /// `light`
    Light,
    /// `dark`
    Dark,
}

impl Square {
    /// True if it holds on `board`.
    pub fn holds(self, board: &Board) -> bool {
        let men = self.man.map_or(!board.occupied(), |piece| board.by_piece(piece));
        (men & self.region.squares()).any()
    }
}

impl Region {
    /// Its squares; at least one.
    pub fn squares(self) -> Bitboard {
        match self {
            Region::Square(square) => Bitboard::from(square),
            Region::Files(first, last) => {
                union(File::ALL.into_iter().filter(|file| (first..=last).contains(file)).map(Bitboard::from))
            }
            Region::Ranks(first, last) => {
                union(Rank::ALL.into_iter().filter(|rank| (first..=last).contains(rank)).map(Bitboard::from))
            }
            Region::Light => Bitboard::LIGHT_SQUARES,
            Region::Dark => Bitboard::DARK_SQUARES,
        }
    }
}

fn union(parts: impl Iterator<Item = Bitboard>) -> Bitboard {
    parts.fold(Bitboard::EMPTY, |all, squares| all | squares)
}

impl Display for Square {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.man.map_or('-', |piece| piece.char()), self.region)
    }
}

impl Display for Region {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match *self {
            Region::Square(square) => square.fmt(f),
            Region::Files(first, last) if first == last => write!(f, "{}", first.char()),
            Region::Files(first, last) => write!(f, "{}-{}", first.char(), last.char()),
            Region::Ranks(first, last) if first == last => write!(f, "{}", first.char()),
            Region::Ranks(first, last) => write!(f, "{}-{}", first.char(), last.char()),
            Region::Light => f.write_str("light"),
            Region::Dark => f.write_str("dark"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_region_has_the_squares_that_its_name_says() {
        assert_eq!(Region::Square(shakmaty::Square::F5).squares().count(), 1);
        assert_eq!(Region::Files(File::A, File::C).squares().count(), 24);
        assert_eq!(Region::Ranks(Rank::Sixth, Rank::Sixth).squares(), Bitboard::from(Rank::Sixth));
        assert!(Region::Dark.squares().contains(shakmaty::Square::A1));
        assert_eq!(Region::Dark.squares(), !Region::Light.squares());
    }

    #[test]
    fn one_square_of_a_region_is_enough() {
        let board = Board::default();
        let holds = |man: char, region| Square { man: Piece::from_char(man), region }.holds(&board);
        assert!(holds('B', Region::Light) && holds('B', Region::Dark));
        assert!(holds('N', Region::Square(shakmaty::Square::G1)));
        assert!(!holds('N', Region::Square(shakmaty::Square::F3)));
        assert!(holds('-', Region::Files(File::D, File::D)));
        assert!(!holds('-', Region::Ranks(Rank::First, Rank::Second)));
    }
}
