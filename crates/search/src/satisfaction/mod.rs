//! Satisfaction values: how near a position is to satisfying a goal, in [0, 1].
//!
//! An evaluator takes a position and its moves and returns a value for each move, so that it can share work between the
//! moves. [`ManCount`] counts men and needs no network. The evaluators with networks are in the crate `entente`.

mod man_count;

use shakmaty::{Chess, Move};

pub use man_count::ManCount;

/// An evaluator of positions for one goal. Every search thread has its own.
pub trait SatisfactionEvaluator: Send {
    /// Why an evaluation failed.
    type Error;

    /// Appends to `values` the value, in [0, 1], of the position after each of the legal `moves`.
    ///
    /// 1 means satisfied or certain to be, 0 means hopeless. A slow evaluator calls `stop` from time to time. Once that
    /// is true, it returns early with fewer values, because a GUI is waiting for the engine to stop.
    ///
    /// # Errors
    /// If a position cannot be evaluated. The contents of `values` are then invalid.
    fn evaluate_moves(
        &mut self,
        position: &Chess,
        moves: &[Move],
        stop: &dyn Fn() -> bool,
        values: &mut Vec<f32>,
    ) -> Result<(), Self::Error>;

    /// The value of one position, as above.
    ///
    /// # Errors
    /// As [`SatisfactionEvaluator::evaluate_moves`].
    fn evaluate(&mut self, position: &Chess) -> Result<f32, Self::Error>;

    /// The lowest value that counts as "within `criterion` of the best".
    ///
    /// By default, `criterion` is subtracted from the best value, as in the thesis. [`ManCount`] uses a ratio instead.
    /// The faithful variant of a search always subtracts.
    fn threshold(&self, best: f32, criterion: f32) -> f32 {
        best - criterion
    }

    /// The least remaining depth, in plies, at which a table lookup costs less than searching the position.
    fn worthwhile_table_depth(&self) -> u32 {
        1
    }
}
