//! How well policies predict the moves of human games, side by side, on positions that none of them learnt from.
//!
//! In come a store of games, bands of ratings and [`Predictor`]s. Out come, for each of them and each band, the share of
//! positions in which the likeliest move was played (top-1) and the mean of −ln of the probability of the move that was
//! played (nats), with 95% intervals in which the positions of a game count as one cluster.

mod positions;
mod predictor;
mod score;

pub use positions::{Bands, Positions, draw};
pub use predictor::{Predictor, PredictorName};
pub use score::{Score, compare};
