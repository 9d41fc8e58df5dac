use super::{table::Bound, value::Value};

/// A search window. The search only needs to know that a value is outside the window, not which value it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub alpha: Value,
    pub beta: Value,
}

impl Window {
    /// The same window for the opponent.
    pub(super) fn swapped(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }

    /// A zero window, which tests only whether a value is greater than `alpha`.
    pub(super) fn null(alpha: Value) -> Window {
        Window { alpha, beta: alpha.plus(1) }
    }

    /// What `value` is if it results from a search with this window.
    pub(super) fn bound(self, value: Value) -> Bound {
        if value >= self.beta {
            Bound::Lower
        } else if value > self.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }

    /// True if a value with this bound suffices for the window.
    pub(super) fn is_answered_by(self, value: Value, bound: Bound) -> bool {
        match bound {
            Bound::Exact => true,
            Bound::Lower => value >= self.beta,
            Bound::Upper => value <= self.alpha,
        }
    }

    /// True for a zero window.
    pub(super) fn is_null(self) -> bool {
        self.alpha.plus(1) >= self.beta
    }
}
