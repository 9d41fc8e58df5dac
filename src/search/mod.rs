//! Search: which move to play next.
//!
//! [`Negamax`] is the cooperative negamax of the thesis: both sides maximise the same value.

mod limits;
mod negamax;
mod transposition;

pub use limits::Limits;
pub use negamax::{Choice, Negamax, NegamaxSettings};
