use shakmaty::{Chess, Move};

use crate::encoding::goal_policy::{Aim, Context};

/// A query to a network: a position, the players, and the aim of the game.
///
/// A network only uses what its [input](super::inputs) represents.
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    /// The position.
    pub position: &'a Chess,
    /// Its legal moves, in the order of a [`Prediction`](super::Prediction); empty if no move probabilities are needed.
    pub moves: &'a [Move],
    /// The moves that led to it, as far as they are known, in order.
    pub played: &'a [Move],
    /// Players, plies and last moves.
    pub context: Context,
    /// What the game should reach; [`Aim::NONE`] for nothing.
    pub aim: &'a Aim,
}
