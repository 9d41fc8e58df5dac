//! The input of the goal-conditioned policy: the board, the last moves, the players, and the aim.
//!
//! Everything is seen from the mover, who plays north. With the colours swapped and the board flipped vertically, a
//! position gives the same input, apart from the plane that tells Black's turn. The network's outputs for moves are in
//! the order of [`AlphaZero`](super::moves::AlphaZero).

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

/// The scale of ratings. The ratings of one player on two scales differ by some hundreds of points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RatingScale {
    /// Ratings of Lichess.
    Online,
    /// Ratings of FIDE or a national federation, from games over the board.
    Fide,
    /// Ratings of chess.com, which around 1000 are about 300 lower than those of Lichess.
    #[serde(rename = "chess.com")]
    ChessCom,
}

impl RatingScale {
    /// True for ratings of an online server.
    pub fn is_online(self) -> bool {
        self != RatingScale::Fide
    }
}

/// What a network may use apart from the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Context {
    /// White's and Black's ratings; `None` if unknown or not to be used.
    pub ratings: [Option<u16>; 2],
    /// The scale of the ratings; `None` if unknown or not to be used.
    pub scale: Option<RatingScale>,
    /// The number of plies played.
    pub ply: u32,
    /// The number of plies within which the aim should be reached; `None` if any number is fine.
    pub plies_left: Option<u32>,
    /// The last moves, the latest first.
    pub last_moves: [Option<Move>; 4],
    /// Bit k is set if the position k plies ago had occurred before.
    pub repeated: u8,
    /// The whole seconds on the mover's clock; `None` if unknown or not to be used.
    pub seconds_left: Option<u32>,
    /// The time control: base time and increment in seconds; `None` if unknown or not to be used.
    pub time_control: Option<[u32; 2]>,
}

/// The value of [`Context::last_moves`] after these moves of a game.
pub fn last_moves(moves: &[Move]) -> [Option<Move>; 4] {
    [1, 2, 3, 4].map(|plies| moves.len().checked_sub(plies).map(|index| moves[index]))
}

/// Writes the input for `position`: as many of the [`PLANES`], of 8 × 8 numbers each, as fit into `planes`, and as many
/// of the [`FEATURES`] as fit into `features`.
///
/// # Panics
/// If `planes` has room for neither [`FIRST_PLANES`] nor [`PLANES`], or `features` is longer than [`FEATURES`].
pub fn encode(position: &Chess, context: &Context, aim: &Aim, planes: &mut [f32], features: &mut [f32]) {
    assert!(
        [FIRST_PLANES, PLANES].contains(&(planes.len() / 64)),
        "one input has {FIRST_PLANES} or {PLANES} planes"
    );
    planes.fill(0.0);
    let men = Men::on(position.board());
    planes::write(position, &men, context, aim, planes);
    features::write(position, &men, context, aim, features);
}

#[cfg(test)]
mod tests;
