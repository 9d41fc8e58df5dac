//! The rules on the placement of the men, which do not depend on the side to move.

use shakmaty::{Bitboard, Board};

use super::{illegal::Illegal, numbers, pawns, rights, rooms, unmoved::Unmoved};

/// Refuses an impossible placement, provided that the numbers of kings, men and pawns are possible. `rooks` have the
/// right to castle.
pub(super) fn refuse(board: &Board, rooks: Bitboard) -> Option<Illegal> {
    numbers::refuse_promotions(board).or_else(|| {
        let unmoved = Unmoved::of(board, rights::keep(rooks));
        rooms::refuse(board, &unmoved).or_else(|| pawns::refuse(board, &unmoved))
    })
}
