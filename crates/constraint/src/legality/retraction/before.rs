use shakmaty::{Bitboard, Board, Color, Role, Square, attacks};

use crate::legality::rights::DoubleStep;

/// A position of which the last move is asked for.
pub(super) struct Before {
    pub board: Board,
    pub turn: Color,
    /// Rooks that still have the right to castle; others may have it, too.
    pub rooks: Bitboard,
    /// The move that led here must have been this one.
    pub step: Option<DoubleStep>,
    /// No pawn can be captured en passant here.
    pub no_en_passant: bool,
}

impl Before {
    /// The position before it, with the men on `board`.
    pub(super) fn with(&self, board: Board) -> Before {
        Before { board, turn: self.turn.other(), rooks: self.rooks, step: None, no_en_passant: false }
    }

    /// True if a pawn that had just come to `to` by a double step could be captured en passant.
    pub(super) fn allows_en_passant(&self, to: Square, behind: Square) -> bool {
        let king = self.board.king_of(self.turn);
        let hunters =
            self.board.by_piece(Role::Pawn.of(self.turn)) & attacks::pawn_attacks(self.turn.other(), behind);
        hunters.into_iter().any(|hunter| {
            let mut after = self.board.clone();
            after.discard_piece_at(hunter);
            after.discard_piece_at(to);
            after.set_piece_at(behind, Role::Pawn.of(self.turn));
            king.is_none_or(|king| after.attacks_to(king, self.turn.other(), after.occupied()).is_empty())
        })
    }
}
