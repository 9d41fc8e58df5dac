//! Scorers: the evaluation of positions in play, where the sides do not cooperate.
//!
//! In comes a position with its state, which follows the moves; out comes a score in centipawns for the side to move. A
//! [`Scorer`] is a type parameter of [`AlphaBeta`](crate::AlphaBeta). [`HandWritten`] looks at the board
//! alone; [`NetworkScorer`] keeps the first layer of a network up to date, move by move;
//! [`ArticleScorer`] asks a small network; [`Material`] only counts men.
//!
//! [`evaluation`] has these networks, which are no ONNX models and need no library to run them; [`piece_squares`] is what
//! one of them reads.
//!
//! To add one, implement [`Scorer`] in a file or folder here, and pass it to `AlphaBeta::with_scorer`.

mod article;
pub mod evaluation;
pub mod hand_written;
mod material;
mod network;
pub mod piece_squares;

pub use article::ArticleScorer;
pub use evaluation::{
    Accumulator, ArticleNetwork, EvaluationError, EvaluationNetwork, NEURON_ONE, OUTPUT_ONE, Output, SCALE,
    Scaling, WEIGHT_ONE, WIDTH,
};
pub use hand_written::HandWritten;
pub use material::Material;
pub use network::{Accumulators, NetworkScorer};
use std::fmt;

use shakmaty::{Chess, Move};

/// Says what positions are worth.
///
/// What a scorer knows of a position beside the board itself is its [`Scorer::State`], which follows the moves. A search
/// keeps the states of the positions of its line; a move makes a new one from the last. So nothing has to be taken back, and
/// a search may leave a branch from anywhere. For a network's accumulators, some hundred numbers, that is one pass that
/// reads the old ones and writes the new: no more than an update in place, which would have to be undone.
pub trait Scorer: Clone + Send + Sync {
    /// What is known of the men on the board, but not of whose turn it is: a search that passes keeps it as it is.
    type State: Clone + fmt::Debug + Send;

    /// How much of a score it is to be a piece ahead, in hundredths of what the pieces are usually said to be worth (a
    /// pawn 100, a knight 320 …): what a search may expect of a capture, at most.
    const WORTH: i32;

    /// True if it is good enough for moves to be left out that seem hopeless by it.
    const IS_SELECTIVE: bool;

    /// The state of a position that no move led to.
    fn root(&self, position: &Chess) -> Self::State;

    /// Makes of `new` the state of the position `after`, to which `m` led from one with this `state`. The same as
    /// [`Scorer::root`], sooner said.
    fn after(&self, state: &Self::State, m: Move, after: &Chess, new: &mut Self::State);

    /// What the position with this state is worth to the side to move, in hundredths of a pawn.
    fn value(&self, state: &Self::State, position: &Chess) -> i32;
}
