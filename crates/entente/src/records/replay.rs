use entente_search::position_from_fen;
use shakmaty::{Chess, Move, Position, uci::UciMove};
use thiserror::Error;

use super::{Record, fen};

/// Why a record does not prove its position.
#[derive(Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum RecordError {
    /// The game does not start from a legal position.
    #[error("the root {0:?} is not a legal position")]
    Root(String),
    /// A move is not legal.
    #[error("ply {ply}: {text:?} is not a legal move")]
    Illegal {
        /// The ply, counted from 1.
        ply: usize,
        /// The move as it is written.
        text: String,
    },
    /// The game ends in another position.
    #[error("the game ends in {found}, not in {expected}")]
    Elsewhere {
        /// The FEN of the position in which it ends.
        found: String,
        /// The FEN in the record.
        expected: String,
    },
}

/// The game of a record, replayed.
#[derive(Clone, Debug)]
pub struct Replay {
    /// The position in which it starts.
    pub root: Chess,
    /// Its moves, all of them legal.
    pub moves: Vec<Move>,
    /// The position in which it ends.
    pub last: Chess,
}

impl Record {
    /// Replays the game.
    ///
    /// # Errors
    /// [`RecordError`] if the game is not legal, or does not end in the position of the record.
    pub fn replay(&self) -> Result<Replay, RecordError> {
        let root = position_from_fen(&self.root).map_err(|_| RecordError::Root(self.root.clone()))?;
        let mut last = root.clone();
        let mut moves = Vec::with_capacity(self.moves.len());
        for (index, text) in self.moves.iter().enumerate() {
            let uci = text.parse::<UciMove>().ok();
            let Some(m) = uci.and_then(|uci| uci.to_move(&last).ok()) else {
                return Err(RecordError::Illegal { ply: index + 1, text: text.clone() });
            };
            last.play_unchecked(m);
            moves.push(m);
        }
        let found = fen(&last).to_string();
        if found != self.fen {
            return Err(RecordError::Elsewhere { found, expected: self.fen.clone() });
        }
        Ok(Replay { root, moves, last })
    }
}
