use super::{table::Bound, value::Value};

/// An interval of values that matter: what is not inside need only be known to be outside.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub alpha: Value,
    pub beta: Value,
}

impl Window {
    /// The same for the opponent.
    pub(super) fn swapped(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }

    /// Asks only whether a value is greater than `alpha`.
    pub(super) fn null(alpha: Value) -> Window {
        Window { alpha, beta: alpha.plus(1) }
    }

    /// What a search of this window says with a value.
    pub(super) fn bound(self, value: Value) -> Bound {
        if value >= self.beta {
            Bound::Lower
        } else if value > self.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }

    /// True if a value with this bound is all that is asked for.
    pub(super) fn is_answered_by(self, value: Value, bound: Bound) -> bool {
        match bound {
            Bound::Exact => true,
            Bound::Lower => value >= self.beta,
            Bound::Upper => value <= self.alpha,
        }
    }

    /// True if it asks only whether a value is greater.
    pub(super) fn is_null(self) -> bool {
        self.alpha.plus(1) >= self.beta
    }
}
