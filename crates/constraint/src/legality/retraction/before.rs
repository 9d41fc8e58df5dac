use shakmaty::{Bitboard, Board, Color, Role, Square, attacks};

use crate::legality::double_step::DoubleStep;

/// A position whose last move is searched for.
pub(super) struct Before {
    pub board: Board,
    pub turn: Color,
    /// Rooks that still have the right to castle. Others may have it, too.
    pub rooks: Bitboard,
    /// The last move, if it must have been this double step.
    pub step: Option<DoubleStep>,
    /// No pawn can be captured en passant here.
    pub no_en_passant: bool,
}

impl Before {
    /// The previous position, with the men on `board`.
    pub(super) fn with(&self, board: Board) -> Before {
        Before { board, turn: self.turn.other(), rooks: self.rooks, step: None, no_en_passant: false }
    }

    /// True if a pawn that had just made a double step over `behind` to `to` could be captured en passant.
    pub(super) fn allows_en_passant(&self, to: Square, behind: Square) -> bool {
        let king = self.board.king_of(self.turn);
        let capturers =
            self.board.by_piece(Role::Pawn.of(self.turn)) & attacks::pawn_attacks(self.turn.other(), behind);
        capturers.into_iter().any(|capturer| {
            let mut after = self.board.clone();
            after.discard_piece_at(capturer);
            after.discard_piece_at(to);
            after.set_piece_at(behind, Role::Pawn.of(self.turn));
            king.is_none_or(|king| after.attacks_to(king, self.turn.other(), after.occupied()).is_empty())
        })
    }
}
