use super::{Atom, Count, Tuple};

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
