//! Sets of men, or of squares, on a board: `P@d`, `isolated(P@d)`, `attacks(N, [qrk])`. Conditions count and compare
//! them.
//!
//! A selection begins with men of some kinds on some squares. A property keeps those that have it. A relation compares
//! two selections. Each property has its definition in the file that evaluates it, and `docs/constraints.md` repeats
//! it.

mod exchange;
mod kinds;
mod lines;
mod moves;
mod pawns;
mod property;
mod reading;
mod relation;
mod words;

use std::fmt::{self, Display, Formatter};

use shakmaty::{Bitboard, Board};

pub(crate) use exchange::gain;
pub use kinds::Kinds;
pub(crate) use pawns::{ahead, beside, fronts, next_to, step};
pub use property::Property;
pub use relation::Relation;

use crate::Region;

/// A set of men or of squares, which depends on the board.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Selection {
    /// `P`, `[Nn]@d-e`, `-@centre`: the men of some kinds, or the empty squares, in a region, if there is one.
    Men(Kinds, Option<Region>),
    /// `isolated(P@d)`: the men of the inner selection that have a property, or what the property makes of them.
    With(Property, Box<Selection>),
    /// `attacks(N, [qrk])`: what a relation finds in two selections.
    Related(Relation, Box<[Selection; 2]>),
}

impl Selection {
    /// The squares of the set on `board`.
    pub fn squares(&self, board: &Board) -> Bitboard {
        match self {
            Selection::Men(kinds, None) => kinds.on(board),
            Selection::Men(kinds, Some(region)) => kinds.on(board) & region.squares(),
            Selection::With(property, inner) => property.of(inner.squares(board), board),
            Selection::Related(relation, pair) => {
                relation.of(pair.each_ref().map(|part| part.squares(board)), board)
            }
        }
    }

    /// The kinds of men that the set may contain.
    pub fn kinds(&self) -> Kinds {
        match self {
            Selection::Men(kinds, _) => *kinds,
            Selection::With(property, inner) => property.kinds(inner.kinds()),
            Selection::Related(relation, pair) => relation.kinds(pair.each_ref().map(Selection::kinds)),
        }
    }

    /// The set with White and Black exchanged and the board flipped.
    pub(crate) fn mirrored(&self) -> Selection {
        self.mapped(&Kinds::mirrored, &Region::mirrored)
    }

    /// The set with other kinds and regions.
    pub(crate) fn mapped(
        &self,
        kinds: &impl Fn(Kinds) -> Kinds,
        region: &impl Fn(Region) -> Region,
    ) -> Selection {
        match self {
            Selection::Men(men, squares) => Selection::Men(kinds(*men), squares.map(region)),
            Selection::With(property, inner) => {
                Selection::With(*property, Box::new(inner.mapped(kinds, region)))
            }
            Selection::Related(relation, pair) => {
                let pair = pair.each_ref().map(|part| part.mapped(kinds, region));
                Selection::Related(*relation, Box::new(pair))
            }
        }
    }
}

impl Display for Selection {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Selection::Men(kinds, None) => write!(f, "{kinds}"),
            Selection::Men(kinds, Some(region)) => write!(f, "{kinds}@{region}"),
            Selection::With(property, inner) => write!(f, "{}({inner})", property.name()),
            Selection::Related(relation, pair) => write!(f, "{}({}, {})", relation.name(), pair[0], pair[1]),
        }
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{Square, fen::Fen};

    use super::*;
    use crate::reader::Reader;

    /// The sets of the file that the Python implementation is tested with, too: their texts, boards and squares.
    fn examples() -> Vec<(Selection, Board, Bitboard)> {
        let rows = include_str!("../../../../tests/set_squares.txt").lines();
        let rows = rows.filter(|row| row.contains(';'));
        rows.filter(|row| !row.starts_with('#'))
            .map(|row| {
                let [set, fen, squares] = row.split(';').map(str::trim).collect::<Vec<_>>()[..] else {
                    panic!("{row}")
                };
                let set =
                    Selection::read(&mut Reader::new(set)).unwrap_or_else(|error| panic!("{row}: {error}"));
                let board = fen.parse::<Fen>().expect(row).as_setup().board.clone();
                let squares = squares.split(' ').map(|name| name.parse::<Square>().expect(row)).collect();
                (set, board, squares)
            })
            .collect()
    }

    #[test]
    fn every_word_finds_the_squares_of_its_example() {
        let examples = examples();
        for (set, board, squares) in &examples {
            assert_eq!(set.squares(board), *squares, "{set}");
            assert!((*squares & !set.kinds().on(board)).is_empty(), "{set}");
            let mut flipped = board.clone();
            flipped.flip_vertical();
            flipped.swap_colors();
            let mirrored = set.mirrored().squares(&flipped);
            // One pawn of each island is chosen, and it may be another one.
            assert_eq!(mirrored.count(), squares.count(), "{set}");
        }
        let texts: Vec<String> = examples.iter().map(|(set, ..)| set.to_string()).collect();
        let words =
            Property::ALL.map(|(name, _)| name).into_iter().chain(Relation::ALL.map(|(name, _)| name));
        for word in words {
            assert!(texts.iter().any(|text| text.starts_with(&format!("{word}("))), "{word}");
        }
    }

    #[test]
    fn words_have_words() {
        let set = |text: &str| Selection::read(&mut Reader::new(text)).unwrap().in_words();
        assert_eq!(set("isolated(P@d)"), "isolated white pawns on the d-file");
        assert_eq!(
            set("passed(supported([Pp]@6-7))"),
            "passed white pawns or black pawns on the ranks 6 to 7, protected by a pawn"
        );
        assert_eq!(set("-@c3-f6"), "empty squares on the squares c3 to f6");
        let all = examples().into_iter().map(|(set, ..)| set.in_words());
        assert!(all.into_iter().all(|words| !words.contains('(')));
    }
}
