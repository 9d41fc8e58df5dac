//! Scorers: the evaluation of positions in play, where the sides do not cooperate.
//!
//! A [`Scorer`] takes a position with its state, which is updated with each move, and returns a score in centipawns for
//! the side to move. It is a type parameter of [`AlphaBeta`](crate::AlphaBeta). [`HandWritten`] evaluates the board
//! directly. [`NetworkScorer`] updates the first layer of a network with each move. [`Material`] only counts
//! material. [`article`] has another network, for experiments.
//!
//! [`evaluation`] has the networks. They are not ONNX models and need no library. [`piece_squares`] are their inputs.
//!
//! To add a scorer, implement [`Scorer`] in a file or folder here, and pass it to `AlphaBeta::with_scorer`.

pub mod article;
pub mod evaluation;
pub mod hand_written;
mod material;
mod network;
pub mod piece_squares;

pub use article::{ArticleNetwork, ArticleScorer};
pub use evaluation::{
    Accumulator, EvaluationError, EvaluationNetwork, NARROW, NEURON_ONE, OUTPUT_ONE, Output, SCALE,
    WEIGHT_ONE, WIDE,
};
pub use hand_written::HandWritten;
pub use material::Material;
pub use network::{Accumulators, NetworkScorer};
use std::fmt;

use shakmaty::{Chess, Move};

/// An evaluation function for positions.
///
/// A scorer may keep a [`Scorer::State`] for each position, which is updated incrementally. A search keeps the states
/// of the positions on its line and computes each from the previous one, so no update must be undone. For the
/// accumulators of a network, about a hundred numbers, this is a single pass that reads the old numbers and writes the
/// new ones. It costs no more than an update in place, which would have to be undone.
pub trait Scorer: Clone + Send + Sync {
    /// The state for the men on the board. It must not depend on the side to move, because null moves do not change it.
    type State: Clone + fmt::Debug + Send;

    /// The scale of the scores: the score of an advantage in material, in percent of the usual piece values (pawn 100,
    /// knight 320 …). A search uses it to estimate the most that a capture can gain.
    const WORTH: i32;

    /// True if the scorer is accurate enough to prune moves that seem hopeless.
    const IS_SELECTIVE: bool;

    /// The state of a position, computed from scratch.
    fn root(&self, position: &Chess) -> Self::State;

    /// Sets `new` to the state of the position `after`, which results from `m` in a position with `state`. The result
    /// equals that of [`Scorer::root`], but is computed faster.
    fn after(&self, state: &Self::State, m: Move, after: &Chess, new: &mut Self::State);

    /// The evaluation of `position`, which has this state, in centipawns for the side to move.
    fn value(&self, state: &Self::State, position: &Chess) -> i32;
}
