//! Sets of squares that the language has a name for: `f5`, `a-c`, `6-7`, `c3-f6`, `kingside`.

use std::fmt::{self, Display, Formatter};

use shakmaty::{Bitboard, File, Rank, Square};

use crate::{ParseError, reader::Reader};

/// A set of squares that the language has a name for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Region {
    /// `f5`
    Square(Square),
    /// `a`, `a-c`: the files from the first to the second, inclusive.
    Files(File, File),
    /// `6`, `2-4`: the ranks from the first to the second, inclusive.
    Ranks(Rank, Rank),
    /// `c3-f6`: the rectangle between its lower left and its upper right corner.
    Rectangle(Square, Square),
    /// `light`: all light squares.
    Light,
    /// `dark`: all dark squares.
    Dark,
    /// `kingside`: the files e to h.
    Kingside,
    /// `queenside`: the files a to d.
    Queenside,
    /// `centre`: d4, e4, d5 and e5.
    Centre,
    /// `edge`: the first and the last rank, and the files a and h.
    Edge,
}

/// The regions that have words for names. The first word of a region is the one that is printed.
const NAMED: [(&str, Region); 8] = [
    ("light", Region::Light),
    ("dark", Region::Dark),
    ("kingside", Region::Kingside),
    ("queenside", Region::Queenside),
    ("centre", Region::Centre),
    ("center", Region::Centre),
    ("edge", Region::Edge),
    ("rim", Region::Edge),
];

impl Region {
    /// What errors say if a region is expected.
    pub(crate) const EXPECTED: &str = "a square (f5), a file or files (a, a-c), a rank or ranks (6, 2-4), \
         a rectangle (c3-f6), light, dark, kingside, queenside, centre or edge";

    /// The words that name regions.
    pub(crate) fn words() -> impl Iterator<Item = &'static str> {
        NAMED.iter().map(|(name, _)| *name)
    }

    /// `where = square | file ["-" file] | rank ["-" rank] | square "-" square | name`. `more` are other words that are
    /// allowed here and that errors may suggest.
    pub(crate) fn read(reader: &mut Reader, more: &[&'static str]) -> Result<Region, ParseError> {
        const EXPECTED: &str = Region::EXPECTED;
        let start = reader.position_of_next();
        let word = reader.word();
        if let Some((_, region)) = NAMED.iter().find(|(name, _)| word.eq_ignore_ascii_case(name)) {
            reader.position += word.len();
            return Ok(*region);
        }
        if word.len() > 2 {
            let words: Vec<&str> = Region::words().chain(more.iter().copied()).collect();
            return Err(reader.error_at_word(EXPECTED, &word, &words));
        }
        let character = |offset: usize| reader.characters.get(start + offset).copied();
        let file = |offset| character(offset).and_then(File::from_char);
        let rank = |offset| character(offset).and_then(Rank::from_char);
        let square = |offset: usize| Some(Square::from_coords(file(offset)?, rank(offset + 1)?));
        // A '-' may also begin the next condition, an empty square, or subtract other men.
        let is_range = character(1) == Some('-');
        let is_file_alone = |offset: usize| {
            file(offset).is_some()
                && !character(offset + 1).is_some_and(|c| c == '@' || c.is_ascii_alphanumeric())
        };
        if let (Some(first), true, Some(last), Some(low)) = (file(0), is_range, file(2), rank(3)) {
            let high = [5, 6].into_iter().find_map(rank).filter(|_| matches!(character(4), Some('-' | '.')));
            let meant =
                format!("{}{}-{}{}", first.char(), low.char(), last.char(), high.unwrap_or(low).char());
            let found = format!("'{}-{}{}'", first.char(), last.char(), low.char());
            let error = reader.error_found("a rectangle by its corners, lower left and upper right", &found);
            return Err(ParseError { suggestion: Some(meant), ..error });
        }
        let (length, region) = match (square(0), file(0), rank(0)) {
            (Some(first), ..) if character(2) == Some('-') && square(3).is_some() => {
                (5, Region::Rectangle(first, square(3).expect("just seen")))
            }
            (Some(square), ..) => (2, Region::Square(square)),
            (_, Some(_), _) if character(1).is_some_and(|c| c.is_ascii_alphanumeric()) => {
                return Err(reader.error_found(
                    EXPECTED,
                    &format!("'{}{}'", reader.characters[start], reader.characters[start + 1]),
                ));
            }
            (_, Some(first), _) if is_range && is_file_alone(2) => {
                (3, Region::Files(first, file(2).expect("just seen")))
            }
            (_, Some(file), _) => (1, Region::Files(file, file)),
            (.., Some(first)) if is_range && rank(2).is_some() => {
                (3, Region::Ranks(first, rank(2).expect("just seen")))
            }
            (.., Some(rank)) => (1, Region::Ranks(rank, rank)),
            (None, None, None) => return Err(reader.error(EXPECTED)),
        };
        reader.position = start + length;
        match region {
            Region::Files(first, last) if first > last => reader.position -= 1,
            Region::Ranks(first, last) if first > last => reader.position -= 1,
            Region::Rectangle(first, last) if first.file() > last.file() || first.rank() > last.rank() => {
                reader.position -= 2;
                return Err(reader.error("the upper right corner of the rectangle after '-'"));
            }
            Region::Rectangle(first, last) if first == last => return Ok(Region::Square(first)),
            _ => return Ok(region),
        }
        Err(reader.error("the later of the two after '-'"))
    }

    /// The squares of the region; at least one.
    pub fn squares(self) -> Bitboard {
        let files = |first: File, last: File| {
            union(File::ALL.into_iter().filter(|file| (first..=last).contains(file)).map(Bitboard::from))
        };
        let ranks = |first: Rank, last: Rank| {
            union(Rank::ALL.into_iter().filter(|rank| (first..=last).contains(rank)).map(Bitboard::from))
        };
        match self {
            Region::Square(square) => Bitboard::from(square),
            Region::Files(first, last) => files(first, last),
            Region::Ranks(first, last) => ranks(first, last),
            Region::Rectangle(first, last) => {
                files(first.file(), last.file()) & ranks(first.rank(), last.rank())
            }
            Region::Light => Bitboard::LIGHT_SQUARES,
            Region::Dark => Bitboard::DARK_SQUARES,
            Region::Kingside => files(File::E, File::H),
            Region::Queenside => files(File::A, File::D),
            Region::Centre => Region::Rectangle(Square::D4, Square::E5).squares(),
            Region::Edge => !Region::Rectangle(Square::B2, Square::G7).squares(),
        }
    }

    /// The region with the board flipped, as White's and Black's sides are exchanged.
    pub(crate) fn mirrored(self) -> Region {
        match self {
            Region::Square(square) => Region::Square(square.flip_vertical()),
            Region::Ranks(first, last) => Region::Ranks(last.flip_vertical(), first.flip_vertical()),
            Region::Rectangle(first, last) => Region::Rectangle(
                Square::from_coords(first.file(), last.rank().flip_vertical()),
                Square::from_coords(last.file(), first.rank().flip_vertical()),
            ),
            Region::Light => Region::Dark,
            Region::Dark => Region::Light,
            Region::Files(..) | Region::Kingside | Region::Queenside | Region::Centre | Region::Edge => self,
        }
    }

    /// The region with the files a and h exchanged, and so on.
    pub(crate) fn flipped(self) -> Region {
        let flipped = |file: File| file.flip_horizontal();
        match self {
            Region::Square(square) => Region::Square(square.flip_horizontal()),
            Region::Files(first, last) => Region::Files(flipped(last), flipped(first)),
            Region::Rectangle(first, last) => Region::Rectangle(
                Square::from_coords(flipped(last.file()), first.rank()),
                Square::from_coords(flipped(first.file()), last.rank()),
            ),
            Region::Light => Region::Dark,
            Region::Dark => Region::Light,
            Region::Kingside => Region::Queenside,
            Region::Queenside => Region::Kingside,
            Region::Ranks(..) | Region::Centre | Region::Edge => self,
        }
    }

    /// The region in words, after "on": "f5", "the d-file", "the kingside".
    pub(crate) fn in_words(self) -> String {
        match self {
            Region::Files(first, last) if first != last => {
                format!("the files {} to {}", first.char(), last.char())
            }
            Region::Ranks(first, last) if first != last => {
                format!("the ranks {} to {}", first.char(), last.char())
            }
            Region::Rectangle(first, last) => format!("the squares {first} to {last}"),
            Region::Light => "light squares".to_owned(),
            Region::Dark => "dark squares".to_owned(),
            one => one.one_in_words(),
        }
    }

    /// One square of the region in words, after "on".
    pub(crate) fn one_in_words(self) -> String {
        match self {
            Region::Square(square) => square.to_string(),
            Region::Files(first, last) if first == last => format!("the {}-file", first.char()),
            Region::Files(first, last) => format!("one of the files {} to {}", first.char(), last.char()),
            Region::Ranks(first, last) if first == last => format!("rank {}", first.char()),
            Region::Ranks(first, last) => format!("one of the ranks {} to {}", first.char(), last.char()),
            Region::Rectangle(first, last) => format!("one of the squares {first} to {last}"),
            Region::Light => "a light square".to_owned(),
            Region::Dark => "a dark square".to_owned(),
            Region::Kingside => "the kingside".to_owned(),
            Region::Queenside => "the queenside".to_owned(),
            Region::Centre => "the centre".to_owned(),
            Region::Edge => "the edge of the board".to_owned(),
        }
    }
}

fn union(parts: impl Iterator<Item = Bitboard>) -> Bitboard {
    parts.fold(Bitboard::EMPTY, |all, squares| all | squares)
}

impl Display for Region {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match *self {
            Region::Square(square) => square.fmt(f),
            Region::Files(first, last) if first == last => write!(f, "{}", first.char()),
            Region::Files(first, last) => write!(f, "{}-{}", first.char(), last.char()),
            Region::Ranks(first, last) if first == last => write!(f, "{}", first.char()),
            Region::Ranks(first, last) => write!(f, "{}-{}", first.char(), last.char()),
            Region::Rectangle(first, last) => write!(f, "{first}-{last}"),
            named => {
                let name = NAMED.iter().find(|(_, region)| *region == named);
                f.write_str(name.expect("the other regions have names").0)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_region_has_the_squares_that_its_name_suggests() {
        assert_eq!(Region::Square(Square::F5).squares().count(), 1);
        assert_eq!(Region::Files(File::A, File::C).squares().count(), 24);
        assert_eq!(Region::Ranks(Rank::Sixth, Rank::Sixth).squares(), Bitboard::from(Rank::Sixth));
        assert!(Region::Dark.squares().contains(Square::A1));
        assert_eq!(Region::Dark.squares(), !Region::Light.squares());
        assert_eq!(Region::Rectangle(Square::C3, Square::F6).squares().count(), 16);
        assert_eq!(Region::Kingside.squares(), !Region::Queenside.squares());
        assert_eq!(Region::Centre.squares().count(), 4);
        assert_eq!(Region::Edge.squares().count(), 28);
    }

    #[test]
    fn flipping_and_mirroring_twice_restore_a_region() {
        let regions = NAMED.iter().map(|(_, region)| *region).chain([
            Region::Square(Square::B3),
            Region::Files(File::A, File::C),
            Region::Ranks(Rank::Second, Rank::Fourth),
            Region::Rectangle(Square::B3, Square::D7),
        ]);
        for region in regions {
            assert_eq!(region.mirrored().mirrored(), region);
            assert_eq!(region.flipped().flipped(), region);
            assert_eq!(region.mirrored().squares(), region.squares().flip_vertical());
            assert_eq!(region.flipped().squares(), region.squares().flip_horizontal());
        }
    }
}
