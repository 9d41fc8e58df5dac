//! What the goal-conditioned policy sees: the board, the last moves, the players, and what is demanded.
//!
//! Everything is seen from the mover, who plays north: a position with the colours exchanged and the board turned
//! upside down gives the same input. What the network says of moves is in the order of
//! [`AlphaZero`](super::moves::AlphaZero).

mod aim;
mod features;
mod planes;
mod tactics;

pub use aim::{Aim, Span};
pub use features::{FEATURES, FIRST_FEATURES};
pub use planes::{FIRST_PLANES, PLANES};
use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Move, Position};
pub use tactics::worth;

use entente_constraint::Men;

/// Who measured the ratings: those of one player differ by some hundred points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RatingScale {
    /// Ratings of Lichess.
    Online,
    /// Ratings of the world chess federation or a national one, from games over the board.
    Fide,
    /// Ratings of chess.com, at 1000 some 300 lower than those of Lichess.
    #[serde(rename = "chess.com")]
    ChessCom,
}

impl RatingScale {
    /// True for ratings of an internet server.
    pub fn is_online(self) -> bool {
        self != RatingScale::Fide
    }
}

/// What the board alone does not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Context {
    /// White's and Black's rating, where they are to count.
    pub ratings: [Option<u16>; 2],
    /// The scale of the ratings, where it is to count.
    pub scale: Option<RatingScale>,
    /// Plies played.
    pub ply: u32,
    /// Plies in which the aim is to be reached; `None` if that does not matter.
    pub plies_left: Option<u32>,
    /// The last move and those before it.
    pub last_moves: [Option<Move>; 4],
    /// Bit k: the position k plies ago had occurred before.
    pub repeated: u8,
    /// Whole seconds that the mover's clock shows, where they are to count.
    pub seconds_left: Option<u32>,
    /// Seconds that the players have at first and get for each move, where they are to count.
    pub time_control: Option<[u32; 2]>,
}

/// [`Context::last_moves`] after these moves of a game.
pub fn last_moves(moves: &[Move]) -> [Option<Move>; 4] {
    [1, 2, 3, 4].map(|plies| moves.len().checked_sub(plies).map(|index| moves[index]))
}

/// Writes the input for `position`: the first of the [`PLANES`], of 8 × 8 numbers each, to `planes`, and the first of the
/// [`FEATURES`] to `features`, as many as there is room for.
///
/// # Panics
/// If `planes` has room for neither [`FIRST_PLANES`] nor [`PLANES`], or `features` for more than there are.
pub fn encode(position: &Chess, context: &Context, aim: &Aim, planes: &mut [f32], features: &mut [f32]) {
    assert!([FIRST_PLANES, PLANES].contains(&(planes.len() / 64)), "the shape of one input");
    planes.fill(0.0);
    let men = Men::on(position.board());
    planes::write(position, &men, context, aim, planes);
    features::write(position, &men, context, aim, features);
}

#[cfg(test)]
mod tests;
