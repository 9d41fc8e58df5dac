use shakmaty::{Chess, Move};

use crate::encoding::goal_policy::{Aim, Context};

/// What is asked of a network: a position, who plays, and what the game is to come to.
///
/// A network heeds what its [input](super::inputs) shows it of this, and may be blind to the rest.
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    /// The position.
    pub position: &'a Chess,
    /// Its legal moves, in the order in which a [`Prediction`](super::Prediction) speaks of them; none where nothing is
    /// asked of moves.
    pub moves: &'a [Move],
    /// The moves that led to it, as far as they are known, the last one last.
    pub played: &'a [Move],
    /// Players, plies and last moves.
    pub context: Context,
    /// What is to be reached; [`Aim::NONE`] if nothing is.
    pub aim: &'a Aim,
}
