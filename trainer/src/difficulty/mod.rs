//! Fits the model that predicts how hard a position is to solve, to puzzles with ratings.
//!
//! [`Puzzles`] are read from a table; the engine's [`Rater`](entente::difficulty::Rater) finds their features, which
//! are [`Examples`]. Some are kept back by a hash of the position. [`fit`] fits the trees to the others, and
//! [`Report`] says how well they predict the ratings of those kept back.

mod boost;
mod examples;
mod fit;
mod plot;
mod puzzles;
mod report;

pub use examples::{Example, Examples};
pub use fit::{Fitted, fit};
pub use plot::plot;
pub use puzzles::{Puzzles, RatedPuzzle};
pub use report::Report;
