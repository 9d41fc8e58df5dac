//! A man on a square or in a region, or an empty square: `N@f5`, `P@a-c`, `-@d4`.

use std::fmt::{self, Display, Formatter};

use shakmaty::{Bitboard, Board, Chess, File, Piece, Position, Rank};

use super::{Atom, Condition};
use crate::{ParseError, Situation, men, reader::Reader};

/// A man, or no man, on at least one square of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Square {
    /// The man; `None` for an empty square.
    pub man: Option<Piece>,
    /// The squares, one of which must match.
    pub region: Region,
}

/// A set of squares that the language has a name for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Region {
    /// `f5`
    Square(shakmaty::Square),
    /// `a`, `a-c`: the files from the first to the second, inclusive.
    Files(File, File),
    /// `6`, `2-4`: the ranks from the first to the second, inclusive.
    Ranks(Rank, Rank),
    /// `light`: all light squares.
    Light,
    /// `dark`: all dark squares.
    Dark,
}

impl Square {
    /// True if the condition holds on `board`.
    pub fn holds_on(self, board: &Board) -> bool {
        let men = self.man.map_or(!board.occupied(), |piece| board.by_piece(piece));
        (men & self.region.squares()).any()
    }
}

impl Region {
    /// `where = square | file ["-" file] | rank ["-" rank] | "light" | "dark"`
    pub(crate) fn read(reader: &mut Reader) -> Result<Region, ParseError> {
        const EXPECTED: &str =
            "a square (f5), a file or files (a, a-c), a rank or ranks (6, 2-4), light or dark";
        let start = reader.position_of_next();
        let word = reader.word();
        for (name, region) in [("light", Region::Light), ("dark", Region::Dark)] {
            if word.eq_ignore_ascii_case(name) {
                reader.position += word.len();
                return Ok(region);
            }
        }
        if word.len() > 2 {
            return Err(reader.error_at_word(EXPECTED, &word, &["light", "dark"]));
        }
        let character = |offset: usize| reader.characters.get(start + offset).copied();
        let file = |offset| character(offset).and_then(File::from_char);
        let rank = |offset| character(offset).and_then(Rank::from_char);
        // A '-' may also begin the next condition, an empty square.
        let is_range = character(1) == Some('-');
        let (length, region) = match (file(0), rank(0)) {
            (Some(file), _) if rank(1).is_some() => {
                let rank = rank(1).expect("just seen");
                (2, Region::Square(shakmaty::Square::from_coords(file, rank)))
            }
            (Some(_), _) if character(1).is_some_and(|c| c.is_ascii_alphanumeric()) => {
                return Err(reader.error_found(
                    EXPECTED,
                    &format!("'{}{}'", reader.characters[start], reader.characters[start + 1]),
                ));
            }
            (Some(first), _) if is_range && file(2).is_some() => {
                (3, Region::Files(first, file(2).expect("just seen")))
            }
            (Some(file), _) => (1, Region::Files(file, file)),
            (_, Some(first)) if is_range && rank(2).is_some() => {
                (3, Region::Ranks(first, rank(2).expect("just seen")))
            }
            (_, Some(rank)) => (1, Region::Ranks(rank, rank)),
            (None, None) => return Err(reader.error(EXPECTED)),
        };
        let is_ordered = match region {
            Region::Files(first, last) => first <= last,
            Region::Ranks(first, last) => first <= last,
            _ => true,
        };
        reader.position = start + length;
        if is_ordered {
            return Ok(region);
        }
        reader.position -= 1;
        Err(reader.error("the later of the two after '-'"))
    }

    /// The squares of the region; at least one.
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

impl Condition for Square {
    fn holds(&self, situation: Situation<'_>) -> bool {
        self.holds_on(situation.position.board())
    }

    fn in_words(&self) -> String {
        let place = match self.region {
            Region::Square(square) => square.to_string(),
            Region::Files(first, last) if first == last => format!("the {}-file", first.char()),
            Region::Files(first, last) => format!("one of the files {} to {}", first.char(), last.char()),
            Region::Ranks(first, last) if first == last => format!("rank {}", first.char()),
            Region::Ranks(first, last) => format!("one of the ranks {} to {}", first.char(), last.char()),
            Region::Light => "a light square".to_owned(),
            Region::Dark => "a dark square".to_owned(),
        };
        match (self.man, self.region) {
            (Some(piece), _) => format!("a {} stands on {place}", men::name(piece)),
            (None, Region::Files(..) | Region::Ranks(..)) => format!("a square on {place} is empty"),
            (None, _) => format!("{place} is empty"),
        }
    }

    fn mirrored(&self) -> Atom {
        let flipped = |rank: Rank| rank.flip_vertical();
        let region = match self.region {
            Region::Square(square) => Region::Square(square.flip_vertical()),
            Region::Ranks(first, last) => Region::Ranks(flipped(last), flipped(first)),
            Region::Light => Region::Dark,
            Region::Dark => Region::Light,
            same @ Region::Files(..) => same,
        };
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
    fn a_region_has_the_squares_that_its_name_suggests() {
        assert_eq!(Region::Square(shakmaty::Square::F5).squares().count(), 1);
        assert_eq!(Region::Files(File::A, File::C).squares().count(), 24);
        assert_eq!(Region::Ranks(Rank::Sixth, Rank::Sixth).squares(), Bitboard::from(Rank::Sixth));
        assert!(Region::Dark.squares().contains(shakmaty::Square::A1));
        assert_eq!(Region::Dark.squares(), !Region::Light.squares());
    }

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
