//! Search: which move to play next.
//!
//! [`Negamax`] is the cooperative negamax of the thesis: both sides maximise the same value.

mod negamax;
mod transposition;

pub use negamax::{Choice, Negamax, NegamaxSettings};
