//! A constraint written out.

use super::{Atom, Constraint};

/// More ways than these are not looked at.
pub(crate) const MOST_WAYS: usize = 1024;

/// A condition that must hold, or must not.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Literal<'a> {
    pub atom: &'a Atom,
    pub denied: bool,
}

impl Constraint {
    /// The ways to meet the constraint, each a list of conditions that must all hold; `None` if there are more than
    /// [`MOST_WAYS`].
    pub(crate) fn ways(&self) -> Option<Vec<Vec<Literal<'_>>>> {
        ways(self, false)
    }
}

/// The ways to meet a constraint, or to break it if `denied`.
fn ways(constraint: &Constraint, denied: bool) -> Option<Vec<Vec<Literal<'_>>>> {
    match (constraint, denied) {
        (Constraint::Atom(atom), _) => Some(vec![vec![Literal { atom, denied }]]),
        (Constraint::Not(inner), _) => ways(inner, !denied),
        (Constraint::All(parts), false) | (Constraint::Any(parts), true) => {
            let mut product = vec![Vec::new()];
            for part in parts {
                let factor = ways(part, denied)?;
                if product.len() * factor.len() > MOST_WAYS {
                    return None;
                }
                product = product
                    .iter()
                    .flat_map(|left| factor.iter().map(|right| [left.as_slice(), right].concat()))
                    .collect();
            }
            Some(product)
        }
        (Constraint::Any(parts), false) | (Constraint::All(parts), true) => {
            let mut sum = Vec::new();
            for part in parts {
                sum.extend(ways(part, denied)?);
            }
            (sum.len() <= MOST_WAYS).then_some(sum)
        }
    }
}
