//! Sets of men, or of squares, on a board: `P@d`, `isolated(P@d)`, `attacks(N, [qrk])`. Conditions count and compare
//! them.
//!
//! A selection begins with men of some kinds on some squares. A property keeps those that have it. A relation compares
//! two selections. Each property has its definition in the file that evaluates it, and `docs/constraints.md` repeats it.

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
