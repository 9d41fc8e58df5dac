//! Where men move and what they attack, if pins, checks, castling and en passant are ignored.

use shakmaty::{Bitboard, Board, Piece, Role, Square, attacks};

use super::pawns;

/// The squares that `men` attack.
pub(super) fn attacks_from(men: Bitboard, board: &Board) -> Bitboard {
    men.into_iter().fold(Bitboard::EMPTY, |all, square| all | board.attacks_from(square))
}

/// The squares to which `man` on `from` can move, if pins, checks, castling and en passant are ignored.
pub(super) fn destinations(from: Square, man: Piece, board: &Board) -> Bitboard {
    match man.role {
        Role::Pawn => pawns::destinations(from, man.color, board),
        _ => attacks::attacks(from, man, board.occupied()) & !board.by_color(man.color),
    }
}
