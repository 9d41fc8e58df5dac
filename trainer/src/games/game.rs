//! A stored game and the types of its fields.

use std::{fmt, sync::Arc};

pub use entente_network::encoding::goal_policy::RatingScale;
use shakmaty::{KnownOutcome, Move, Outcome};

use super::{
    player::Player,
    split::Split,
    time_control::{TimeClass, TimeControl},
};

/// How a game ended. Games without a result are not stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// 1-0
    WhiteWins,
    /// 0-1
    BlackWins,
    /// ½-½
    Draw,
}

impl GameResult {
    /// The result of a finished game, `None` for `*`.
    pub fn from_outcome(outcome: Outcome) -> Option<GameResult> {
        match outcome {
            Outcome::Known(KnownOutcome::Draw) => Some(GameResult::Draw),
            Outcome::Known(KnownOutcome::Decisive { winner }) => {
                Some(winner.fold_wb(GameResult::WhiteWins, GameResult::BlackWins))
            }
            Outcome::Unknown => None,
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GameResult::WhiteWins => "1-0",
            GameResult::BlackWins => "0-1",
            GameResult::Draw => "1/2-1/2",
        })
    }
}

/// An engine's evaluation after a move, from White's point of view, as in `[%eval]` comments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Evaluation {
    /// Centipawns, positive if White is better.
    Centipawns(i16),
    /// Moves to mate, positive if White mates.
    Mate(i16),
}

/// A game as read from the store. It begins at the initial position, and every move is legal. If
/// [`super::GameStore::read_block_by`] reads it, it may have no moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredGame {
    /// White's rating on [`StoredGame::scale`].
    pub white_rating: u16,
    /// Black's rating on [`StoredGame::scale`].
    pub black_rating: u16,
    /// White and Black; `None` for a player without a name.
    pub players: [Option<Player>; 2],
    /// The scale of the ratings.
    pub scale: RatingScale,
    /// The result.
    pub result: GameResult,
    /// Bullet, blitz, rapid and so on, from the time control, or without one from the event's name.
    pub time_class: TimeClass,
    /// Base time and increment, if the game has them.
    pub time_control: Option<TimeControl>,
    /// Code of the Encyclopaedia of Chess Openings, such as `C42`, as in the file.
    pub eco: Option<Arc<str>>,
    /// Name of the opening, as in the file.
    pub opening: Option<Arc<str>>,
    /// Name of the imported file without its extensions.
    pub source: Arc<str>,
    /// The moves from the initial position; castling is shakmaty's `Move::Castle`.
    pub moves: Vec<Move>,
    /// The evaluation after each move, one entry per move; empty if the game has no evaluations.
    pub evaluations: Vec<Option<Evaluation>>,
    /// Whole seconds on the mover's clock after each move, one entry per move; empty if the game has no clocks.
    pub clocks: Vec<Option<u32>>,
}

impl StoredGame {
    /// The part of the data to which this game belongs. It never changes.
    pub fn split(&self) -> Split {
        Split::of_moves(&self.moves)
    }
}
