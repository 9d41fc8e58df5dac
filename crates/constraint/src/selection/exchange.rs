//! Exchanges on a square, and men without a safe square.

use crate::men::value;
use shakmaty::{Bitboard, Board, Color, Piece, Role, Square};

use super::moves::destinations;

/// What `taker` wins by capturing on `square`, where a man worth `worth` stands, if both sides then capture there with
/// their least valuable man and stop when that is better. 0 if it wins nothing. Pins are ignored, promotions do not
/// count, and a king captures only what is not protected. Of equal men, the one on the first square from a1 to h8
/// captures first, knights before bishops.
pub(crate) fn gain(board: &Board, occupied: Bitboard, square: Square, worth: i32, taker: Color) -> i32 {
    let attackers = board.attacks_to(square, taker, occupied) & occupied;
    let mut least = None;
    for role in Role::ALL {
        if let Some(from) = (attackers & board.by_role(role)).first() {
            least = Some((role, from));
            break;
        }
    }
    let Some((role, from)) = least else { return 0 };
    let left = occupied.without(from);
    if role == Role::King && (board.attacks_to(square, taker.other(), left) & left).any() {
        return 0;
    }
    (worth - gain(board, left, square, value(role), taker.other())).max(0)
}

/// Hanging: the enemy, if it were to move, would win material by an exchange on its square. Kings never hang.
pub(super) fn hanging(men: Bitboard, board: &Board) -> Bitboard {
    (men & !board.kings()).into_iter().filter(|square| hangs(board, *square)).collect()
}

fn hangs(board: &Board, square: Square) -> bool {
    board
        .piece_at(square)
        .is_some_and(|man| gain(board, board.occupied(), square, value(man.role), man.color.other()) > 0)
}

/// Trapped: a knight, bishop, rook or queen that hangs, and on every square to which it can move the enemy would win
/// more by an exchange than the man takes there.
pub(super) fn trapped(men: Bitboard, board: &Board) -> Bitboard {
    let pieces = men & !board.kings() & !board.pawns();
    let is_trapped = |square: &Square| {
        let Some(man) = board.piece_at(*square) else { return false };
        hangs(board, *square)
            && destinations(*square, man, board).into_iter().all(|to| is_lost(board, man, *square, to))
    };
    pieces.into_iter().filter(is_trapped).collect()
}

/// True if `man` loses more by moving from `from` to `to` than it takes there.
fn is_lost(board: &Board, man: Piece, from: Square, to: Square) -> bool {
    let taken = board.role_at(to).map_or(0, value);
    let mut after = board.clone();
    after.discard_piece_at(from);
    after.set_piece_at(to, man);
    gain(&after, after.occupied(), to, value(man.role), man.color.other()) > taken
}
