//! What men are worth on their squares.

use shakmaty::{Board, Role, Square};

pub(super) use crate::{men::value, selection::gain};

/// The value of a man as a target: a king is worth the most.
pub(super) fn worth(board: &Board, square: Square) -> i32 {
    board.role_at(square).map_or(0, value)
}

/// True if the enemy wins material by capturing on the square.
pub(super) fn hangs(board: &Board, square: Square) -> bool {
    board.piece_at(square).is_some_and(|man| {
        man.role != Role::King
            && gain(board, board.occupied(), square, value(man.role), man.color.other()) > 0
    })
}

/// True if another man of its side protects the man on the square.
pub(super) fn is_protected(board: &Board, square: Square) -> bool {
    board.color_at(square).is_some_and(|color| board.attacks_to(square, color, board.occupied()).any())
}

/// True for bishops, rooks and queens.
pub(super) fn is_slider(role: Role) -> bool {
    matches!(role, Role::Bishop | Role::Rook | Role::Queen)
}
