//! Which positions are legal, for the 64 squares of one man at once.

use shakmaty::Role;

use crate::squares::{attacked, between, bit};

/// A man on a square. Colour 0 is the stronger side, which moves up the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Man {
    pub(crate) color: usize,
    pub(crate) role: Role,
    pub(crate) square: u8,
}

/// For which squares of the inner man, of the given colour and role, the position with the other men is legal if the
/// side `turn` is to move: no two men share a square, and the king of the other side is not attacked.
///
/// The same with the other side to move says whether `turn` is in check.
pub(crate) fn legal(others: &[Man], (inner_color, inner_role): (usize, Role), turn: usize) -> u64 {
    let occupied = others.iter().fold(0, |set, man| set | bit(man.square));
    if occupied.count_ones() as usize != others.len() {
        return 0;
    }
    let is_target = |man: &&Man| man.color != turn && man.role == Role::King;
    let attackers = others.iter().filter(|man| man.color == turn);
    let Some(king) = others.iter().find(is_target) else {
        // The king is the inner man, so it blocks none of the attacks on its own square.
        return attackers.fold(!occupied, |set, man| set & !attacked(man.role, turn, man.square, occupied));
    };
    let mut legal = !occupied;
    for man in attackers {
        // The attack if only the two men were on the board; then the outer men between them; then the inner man.
        if attacked(man.role, turn, man.square, 0) & bit(king.square) != 0 {
            let gap = between(man.square, king.square);
            if gap & occupied == 0 {
                legal &= gap;
            }
        }
    }
    if inner_color == turn {
        // Attacks of pieces are mutual, and pawns are never the inner man.
        legal &= !attacked(inner_role, turn, king.square, occupied);
    }
    legal
}
