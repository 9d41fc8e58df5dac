//! What the men alone say, whoever is to move.

use shakmaty::{Bitboard, Board};

use super::{illegal::Illegal, numbers, pawns, rights, unmoved::Unmoved};

/// Refuses where the men stand, if numbers of kings, men and pawns are in order; `rooks` have the right to castle.
pub(super) fn refuse(board: &Board, rooks: Bitboard) -> Option<Illegal> {
    numbers::refuse_promotions(board).or_else(|| {
        let unmoved = Unmoved::of(board, rights::keep(rooks));
        pawns::refuse(board, &unmoved)
    })
}
