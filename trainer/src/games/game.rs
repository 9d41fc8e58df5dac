//! One stored game and the small types it is made of.

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

/// An engine's evaluation after a move, seen from White, as `[%eval]` comments give it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Evaluation {
    /// Hundredths of a pawn, positive when White is better.
    Centipawns(i16),
    /// Moves to mate, positive when White mates.
    Mate(i16),
}

/// A game as the store gives it back: replayed from the initial position, every move legal. Where the moves are played as
/// they are read ([`super::GameStore::read_block_by`]) it may have none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredGame {
    /// White's rating on [`StoredGame::scale`].
    pub white_rating: u16,
    /// Black's rating on [`StoredGame::scale`].
    pub black_rating: u16,
    /// White and Black, where the file has names.
    pub players: [Option<Player>; 2],
    /// Who measured the ratings.
    pub scale: RatingScale,
    /// How it ended.
    pub result: GameResult,
    /// Bullet, blitz, rapid …, from the time control or, where there is none, from the event's name.
    pub time_class: TimeClass,
    /// Base time and increment where the game states them.
    pub time_control: Option<TimeControl>,
    /// Code of the Encyclopaedia of Chess Openings, such as `C42`, as the file gives it.
    pub eco: Option<Arc<str>>,
    /// Name of the opening as the file gives it.
    pub opening: Option<Arc<str>>,
    /// The imported file's name without its extensions.
    pub source: Arc<str>,
    /// The moves from the initial position, castling as shakmaty's `Move::Castle`.
    pub moves: Vec<Move>,
    /// Evaluation after each move, as many as moves; empty where the game has none at all.
    pub evaluations: Vec<Option<Evaluation>>,
    /// Whole seconds on the mover's clock after each move, as many as moves; empty where the game has none at all.
    pub clocks: Vec<Option<u32>>,
}

impl StoredGame {
    /// The part of the data this game belongs to, for ever.
    pub fn split(&self) -> Split {
        Split::of_moves(&self.moves)
    }
}
