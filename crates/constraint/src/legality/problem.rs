//! What is asked.

use shakmaty::{Bitboard, Board, Chess, Color, EnPassantMode, Position, Square};

/// A diagram that a game from the initial position is to come to, with what is known beside the men.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The men; nothing is taken for granted of them, not even that there are two kings.
    pub board: Board,
    /// Who is to move, if that is known.
    pub turn: Option<Color>,
    /// The rooks that still may castle, if that is known.
    pub castling: Option<Bitboard>,
    /// The square behind a pawn that has just gone two squares, if that is known: `Some(None)` if no pawn can be
    /// captured en passant.
    pub en_passant: Option<Option<Square>>,
}

impl Problem {
    /// A diagram alone.
    pub fn of(board: Board) -> Problem {
        Problem { board, turn: None, castling: None, en_passant: None }
    }

    /// All of a position, but for the numbers of its moves.
    pub fn of_position(position: &Chess) -> Problem {
        Problem {
            board: position.board().clone(),
            turn: Some(position.turn()),
            castling: Some(position.castles().castling_rights()),
            en_passant: Some(position.ep_square(EnPassantMode::Legal)),
        }
    }
}
