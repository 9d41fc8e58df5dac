//! How hard a position is to solve: a prediction of the rating that it would have as a puzzle on Lichess.
//!
//! A position goes in. A [`PuzzleRating`] comes out, with its error; or nothing, if the position is not a puzzle.
//! [`Puzzle`] finds the moves that the solver must find, [`features`](FEATURES) describe them in numbers, and a
//! [`RatingModel`] of boosted trees, which the trainer fits to real puzzles, predicts the rating. [`Rater`] connects
//! them.
//!
//! To add a feature, add its name and its value in `features.rs`, and fit the model again with
//! `entente-trainer difficulty`.

mod features;
mod first_sight;
mod model;
mod puzzle;
mod rater;
mod temptation;

pub use features::FEATURES;
pub use model::{ModelError, PuzzleRating, RatingModel, Tree, TreeNode, Trees};
pub use puzzle::{Puzzle, Step};
pub use rater::{Rater, with_few_quiet_moves};
