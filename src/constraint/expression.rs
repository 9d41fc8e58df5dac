use shakmaty::Color;

use super::{Castling, Check, Comparison, Count, Diagram, End, Material, Rating, Square, Sum, Tuple};

/// A constraint as a person writes it.
///
/// Parse it with [`str::parse`], print it with [`Display`](std::fmt::Display); what is printed parses to the
/// same value. `docs/constraints.md` describes the language.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Constraint {
    /// All of them hold (at least two).
    All(Vec<Constraint>),
    /// One of them holds (at least two).
    Any(Vec<Constraint>),
    /// It does not hold.
    Not(Box<Constraint>),
    /// A single condition.
    Atom(Atom),
}

/// A single condition.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Atom {
    /// `(1,2,1,1,7)`: the exact counts of one side.
    Tuple(Tuple),
    /// `R=1..2`, `Q-q=0`: the number of men of one kind, or the difference between two.
    Count(Count),
    /// `[BN]>=3`, `[QR]-[qr]=1`: the number of men of several kinds together, or the difference between two such.
    Sum(Sum),
    /// `material=KRPvKR`: the exact counts of both sides.
    Material(Material),
    /// `N@f5`, `P@a-c`, `-@d4`: what stands where.
    Square(Square),
    /// `fen=…`: the whole board, but for the squares that do not matter.
    Diagram(Box<Diagram>),
    /// `castling=KQ`, `castling>=k`: the rights held.
    Castling(Castling),
    /// `check=white`: which king is in check.
    Check(Check),
    /// `checkmate`, `stalemate`
    End(End),
    /// `turn=white`: who is to move.
    Turn(Color),
    /// `elo=1500..1700`: how strong the players are. A wish for the game, which no position breaks.
    Rating(Rating),
    /// `ply<=40`: the length of the game from its root.
    Ply(Comparison<i16>),
}

impl Atom {
    /// True for conditions on the numbers of men of each kind alone.
    pub fn counts_men(&self) -> bool {
        matches!(self, Atom::Tuple(_) | Atom::Count(_) | Atom::Material(_))
    }

    /// True for ratings, which every position meets.
    pub fn is_wish(&self) -> bool {
        matches!(self, Atom::Rating(_))
    }

    /// True for conditions on the length of the game.
    pub fn counts_plies(&self) -> bool {
        matches!(self, Atom::Ply(_))
    }
}

impl Constraint {
    /// True if it speaks of the players' ratings.
    pub fn has_ratings(&self) -> bool {
        self.atoms().iter().any(|atom| atom.is_wish())
    }

    /// All its conditions, in the order in which they are written.
    pub fn atoms(&self) -> Vec<&Atom> {
        match self {
            Constraint::All(parts) | Constraint::Any(parts) => {
                parts.iter().flat_map(Constraint::atoms).collect()
            }
            Constraint::Not(inner) => inner.atoms(),
            Constraint::Atom(atom) => vec![atom],
        }
    }
}

impl From<Atom> for Constraint {
    fn from(atom: Atom) -> Constraint {
        Constraint::Atom(atom)
    }
}

impl From<Tuple> for Constraint {
    fn from(tuple: Tuple) -> Constraint {
        Constraint::Atom(Atom::Tuple(tuple))
    }
}

impl From<Count> for Constraint {
    fn from(count: Count) -> Constraint {
        Constraint::Atom(Atom::Count(count))
    }
}
