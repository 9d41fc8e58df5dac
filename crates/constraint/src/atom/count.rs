//! The number of men of one kind: `R=1..2`, `Q-q=0`.

use std::fmt::{self, Display, Formatter};

use shakmaty::{Piece, Position};

use super::{Atom, Condition};
use crate::{
    Comparison, Men, Situation,
    men::{mirrored, name},
};

/// A comparison of the number of men of one kind, or of the difference between the numbers of two kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Count {
    /// The kind of man; never a king.
    pub piece: Piece,
    /// The kind whose number is subtracted, if any; never a king.
    pub minus: Option<Piece>,
    /// The comparison that the number must satisfy.
    pub comparison: Comparison,
}

impl Count {
    /// True if the condition holds for `men`.
    pub fn holds_for(&self, men: &Men) -> bool {
        let minus = self.minus.map_or(0, |piece| men.count(piece));
        self.comparison.holds(men.count(self.piece) as i8 - minus as i8)
    }
}

impl Condition for Count {
    fn holds(&self, situation: Situation<'_>) -> bool {
        self.holds_for(&Men::on(situation.position.board()))
    }

    fn in_words(&self) -> String {
        let comparison = self.comparison.in_words();
        let men = name(self.piece);
        match self.minus {
            None => format!("the number of {men}s is {comparison}"),
            Some(minus) => {
                format!("the number of {men}s minus the number of {}s is {comparison}", name(minus))
            }
        }
    }

    fn mirrored(&self) -> Atom {
        Atom::Count(Count { piece: mirrored(self.piece), minus: self.minus.map(mirrored), ..*self })
    }
}

impl Display for Count {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.piece.char())?;
        if let Some(minus) = self.minus {
            write!(f, "-{}", minus.char())?;
        }
        self.comparison.fmt(f)
    }
}
