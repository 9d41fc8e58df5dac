//! Compares how well policies predict the moves of human games, on positions from which none of them learned.
//!
//! The inputs are a store of games, rating bands and [`Predictor`]s. The results, for each predictor and each band, are
//! the share of positions in which the most likely move was played (top-1) and the mean of −ln of the probability of
//! the move that was played (nats). They have 95% intervals with games as clusters.

mod positions;
mod predictor;
mod score;

pub use positions::{Bands, Positions, draw};
pub use predictor::{Predictor, PredictorName};
pub use score::{Score, compare};
