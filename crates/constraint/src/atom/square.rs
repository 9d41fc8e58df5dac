//! A man on a square or in a region, or an empty square: `N@f5`, `P@a-c`, `-@d4`.

use std::fmt::{self, Display, Formatter};

use shakmaty::{Bitboard, Board, Chess, Piece, Position};

use super::{Atom, Condition};
use crate::{Region, Situation, men};

/// A man, or no man, on at least one square of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Square {
    /// The man; `None` for an empty square.
    pub man: Option<Piece>,
    /// The squares, one of which must match.
    pub region: Region,
}

impl Square {
    /// True if the condition holds on `board`.
    pub fn holds_on(self, board: &Board) -> bool {
        let men = self.man.map_or(!board.occupied(), |piece| board.by_piece(piece));
        (men & self.region.squares()).any()
    }
}

impl Condition for Square {
    fn holds(&self, situation: Situation<'_>) -> bool {
        self.holds_on(situation.position.board())
    }

    fn in_words(&self) -> String {
        let place = self.region.one_in_words();
        match (self.man, self.region) {
            (Some(piece), _) => format!("a {} stands on {place}", men::name(piece)),
            (None, Region::Files(..) | Region::Ranks(..)) => format!("a square on {place} is empty"),
            (None, _) => format!("{place} is empty"),
        }
    }

    fn mirrored(&self) -> Atom {
        let region = self.region.mirrored();
        Atom::Square(Square { man: self.man.map(men::mirrored), region })
    }

    fn places_men(&self) -> bool {
        true
    }

    fn named_squares(&self, position: &Chess) -> Bitboard {
        match (self.man, self.region) {
            (Some(piece), region) => position.board().by_piece(piece) & region.squares(),
            (None, Region::Square(square)) => square.into(),
            (None, _) => Bitboard::EMPTY,
        }
    }
}

impl Display for Square {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.man.map_or('-', |piece| piece.char()), self.region)
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{File, Rank};

    use super::*;

    #[test]
    fn one_matching_square_of_a_region_is_enough() {
        let board = Board::default();
        let holds = |man: char, region| Square { man: Piece::from_char(man), region }.holds_on(&board);
        assert!(holds('B', Region::Light) && holds('B', Region::Dark));
        assert!(holds('N', Region::Square(shakmaty::Square::G1)));
        assert!(!holds('N', Region::Square(shakmaty::Square::F3)));
        assert!(holds('-', Region::Files(File::D, File::D)));
        assert!(!holds('-', Region::Ranks(Rank::First, Rank::Second)));
    }
}
