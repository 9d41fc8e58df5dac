//! The total number of men of several kinds: `[BN]>=3`.

use std::fmt::{self, Display, Formatter};

use shakmaty::{Piece, Position, Role};

use super::{Atom, Condition};
use crate::{
    Comparison, KINDS, Men, Situation,
    men::{self, kind_index},
};

/// A set of [`KINDS`] of men, as a bit mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Class(u16);

/// A comparison of the number of men of a class, or of the difference between two classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sum {
    /// The class that is counted.
    pub class: Class,
    /// The class whose number is subtracted, if any.
    pub minus: Option<Class>,
    /// The comparison that the number must satisfy.
    pub comparison: Comparison,
}

impl Class {
    /// The class without any kind.
    pub const EMPTY: Class = Class(0);

    /// The class with the kind of `piece` added. A king changes nothing.
    pub fn with(self, piece: Piece) -> Class {
        kind_index(piece.color, piece.role).map_or(self, |kind| Class(self.0 | 1 << kind))
    }

    /// True if the kind of `piece` belongs to the class.
    pub fn contains(self, piece: Piece) -> bool {
        kind_index(piece.color, piece.role).is_some_and(|kind| self.0 & 1 << kind != 0)
    }

    /// The kinds of the class, in the order of [`KINDS`].
    pub fn pieces(self) -> impl Iterator<Item = Piece> {
        KINDS.into_iter().filter(move |piece| self.contains(*piece))
    }

    /// How many of `men` belong to the class.
    pub fn count(self, men: &Men) -> i8 {
        self.pieces().map(|piece| men.count(piece) as i8).sum()
    }
}

impl FromIterator<Piece> for Class {
    fn from_iter<T: IntoIterator<Item = Piece>>(pieces: T) -> Class {
        pieces.into_iter().fold(Class::EMPTY, Class::with)
    }
}

impl Sum {
    /// The number that is compared.
    pub fn number(&self, men: &Men) -> i8 {
        self.class.count(men) - self.minus.map_or(0, |minus| minus.count(men))
    }

    /// Bounds on the number in all positions that can still follow from `men`: every man may be captured, and every
    /// pawn may be promoted.
    pub(crate) fn attainable(&self, men: &Men) -> (i8, i8) {
        let most = |class: Class| -> i8 {
            let pawns = KINDS.into_iter().filter(|piece| piece.role == Role::Pawn);
            let promoted = pawns.filter(|pawn| {
                !class.contains(*pawn) && class.pieces().any(|piece| piece.color == pawn.color)
            });
            class.count(men) + promoted.map(|pawn| men.count(pawn) as i8).sum::<i8>()
        };
        (-self.minus.map_or(0, most), most(self.class))
    }

    /// Bounds on the number if these are the fewest and the most men of each of the [`KINDS`].
    pub(crate) fn within(&self, bounds: &[(i8, i8); KINDS.len()]) -> (i8, i8) {
        let total = |class: Class, bound: fn(&(i8, i8)) -> i8| -> i8 {
            let kinds = KINDS.iter().zip(bounds).filter(|(piece, _)| class.contains(**piece));
            kinds.fold(0, |sum, (_, bounds)| sum.saturating_add(bound(bounds)))
        };
        let (least, most) = (|bounds: &(i8, i8)| bounds.0, |bounds: &(i8, i8)| bounds.1);
        let minus = self.minus.unwrap_or(Class::EMPTY);
        (
            total(self.class, least).saturating_sub(total(minus, most)),
            total(self.class, most).saturating_sub(total(minus, least)),
        )
    }
}

impl Condition for Sum {
    fn holds(&self, situation: Situation<'_>) -> bool {
        self.comparison.holds(self.number(&Men::on(situation.position.board())))
    }

    fn in_words(&self) -> String {
        let kinds = |class: Class| -> String {
            let kinds: Vec<String> = class.pieces().map(|piece| format!("{}s", men::name(piece))).collect();
            kinds.join(", ")
        };
        let (class, comparison) = (kinds(self.class), self.comparison.in_words());
        match self.minus.map(kinds) {
            None => format!("the total number of {class} is {comparison}"),
            Some(minus) => {
                format!("the total number of {class}, minus the total number of {minus}, is {comparison}")
            }
        }
    }

    fn mirrored(&self) -> Atom {
        let mirrored = |class: Class| class.pieces().map(men::mirrored).collect();
        Atom::Sum(Sum { class: mirrored(self.class), minus: self.minus.map(mirrored), ..*self })
    }
}

impl Display for Class {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        self.pieces().try_for_each(|piece| write!(f, "{}", piece.char()))?;
        f.write_str("]")
    }
}

impl Display for Sum {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.class)?;
        if let Some(minus) = self.minus {
            write!(f, "-{minus}")?;
        }
        write!(f, "{}", self.comparison)
    }
}
