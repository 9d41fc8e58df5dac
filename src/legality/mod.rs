//! Legality: why no game can come to a diagram.
//!
//! In comes a [`Problem`], a diagram with what is known beside it; out comes the reason why it is [`Illegal`], if one of the
//! rules finds it. What no rule refuses may still be illegal: only a proof game proves the contrary. The room knows
//! chess alone, no constraints and no search.

mod problem;

pub use problem::Problem;
