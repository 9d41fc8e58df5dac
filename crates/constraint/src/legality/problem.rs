//! The diagrams to test.

use shakmaty::{Bitboard, Board, Chess, Color, EnPassantMode, Position, Square};

use super::double_step::DoubleStep;

/// A diagram that a game from the initial position must reach, with what else is known about the position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The men. Any board is allowed, even one without kings.
    pub board: Board,
    /// The side to move, if known.
    pub turn: Option<Color>,
    /// The rooks that may still castle, if known.
    pub castling: Option<Bitboard>,
    /// The en passant square, that is the square behind a pawn that has just made a double step, if known. `Some(None)`
    /// means that no pawn can be captured en passant.
    pub en_passant: Option<Option<Square>>,
}

impl Problem {
    /// A diagram about which nothing else is known.
    pub fn of(board: Board) -> Problem {
        Problem { board, turn: None, castling: None, en_passant: None }
    }

    /// The problem before the double step of a pawn that can be captured en passant, if there is one.
    pub fn before_double_step(&self) -> Option<Problem> {
        let DoubleStep { color, from, to } = self.en_passant.flatten().and_then(DoubleStep::over)?;
        let mut board = self.board.clone();
        let pawn = board.remove_piece_at(to)?;
        board.set_piece_at(from, pawn);
        Some(Problem { board, turn: Some(color), castling: self.castling, en_passant: None })
    }

    /// True if `position` is a solution: the diagram, and whatever else is known.
    pub fn is_met(&self, position: &Chess) -> bool {
        let Problem { board, turn, castling, en_passant } = self;
        position.board() == board
            && turn.is_none_or(|turn| turn == position.turn())
            && castling.is_none_or(|rights| rights == position.castles().castling_rights())
            && en_passant.is_none_or(|square| match square {
                None => position.ep_square(EnPassantMode::Legal).is_none(),
                square => square == position.ep_square(EnPassantMode::Always),
            })
    }

    /// A position with all that is known about it, except its move counters.
    pub fn of_position(position: &Chess) -> Problem {
        Problem {
            board: position.board().clone(),
            turn: Some(position.turn()),
            castling: Some(position.castles().castling_rights()),
            en_passant: Some(position.ep_square(EnPassantMode::Legal)),
        }
    }
}
