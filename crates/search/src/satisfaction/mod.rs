//! Satisfaction values: how near a position is to satisfying a goal, in [0, 1].
//!
//! In come a position and its moves; out comes a value for each move, because an evaluator may share work between them.
//! [`ManCount`] counts men and needs no network; the crate `entente` has the evaluators that ask one.

mod man_count;

use shakmaty::{Chess, Move};

pub use man_count::ManCount;

/// Gives positions their satisfaction value for one goal; every search thread has its own.
pub trait SatisfactionEvaluator: Send {
    /// Why it may fail.
    type Error;

    /// Appends to `values` the value, in [0, 1], of the position after each of the legal `moves`.
    ///
    /// 1 is satisfied or sure to be, 0 is hopeless. An evaluator that takes long asks `stop` every now and then, and
    /// gives fewer values once it says true: a GUI waits for the answer to its `stop`.
    ///
    /// # Errors
    /// If a position cannot be valued; then `values` are worthless.
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
    /// The thesis subtracts from what its networks say; see [`ManCount`] for the other way. The
    /// published variant of a search always subtracts.
    fn threshold(&self, best: f32, criterion: f32) -> f32 {
        best - criterion
    }

    /// The least remaining depth, in plies, at which looking a position up costs less than searching it.
    fn worthwhile_table_depth(&self) -> u32 {
        1
    }
}
