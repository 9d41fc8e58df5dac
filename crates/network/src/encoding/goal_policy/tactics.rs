//! Captures and pins, computed for the input so that a small network need not learn to find them.

use shakmaty::{Bitboard, Board, Color, Role, Square, attacks};

/// The value of a man in an exchange, in pawns.
pub fn worth(role: Role) -> i32 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 100,
    }
}

/// Static exchange evaluation: what `attacker` wins, in pawns, by capturing on `target` if both sides then recapture
/// with their least valuable man as long as it pays. It is negative if the capture loses material. Pins are ignored.
pub(super) fn exchange(board: &Board, target: Square, attacker: Color) -> i32 {
    let Some(first) = board.role_at(target) else { return 0 };
    let mut gains = [0; 32];
    let mut occupied = board.occupied();
    let (mut side, mut standing, mut depth) = (attacker, worth(first), 0);
    loop {
        let attackers = board.attacks_to(target, side, occupied) & occupied;
        let least = Role::ALL
            .into_iter()
            .find_map(|role| (attackers & board.by_role(role)).first().map(|square| (square, role)));
        let Some((square, role)) = least else { break };
        gains[depth] = standing - if depth > 0 { gains[depth - 1] } else { 0 };
        depth += 1;
        standing = worth(role);
        occupied.toggle(square);
        side = side.other();
        if depth == gains.len() {
            break;
        }
    }
    // Either side may also stop capturing.
    for index in (1..depth).rev() {
        gains[index - 1] = -gains[index].max(-gains[index - 1]);
    }
    gains[0]
}

/// The men of `color` that are pinned to their king.
pub(super) fn pinned(board: &Board, color: Color) -> Bitboard {
    let Some(king) = board.king_of(color) else { return Bitboard::EMPTY };
    let others = board.by_color(color.other());
    let straight = attacks::rook_attacks(king, Bitboard::EMPTY) & board.rooks_and_queens();
    let slanting = attacks::bishop_attacks(king, Bitboard::EMPTY) & board.bishops_and_queens();
    let mut pinned = Bitboard::EMPTY;
    for sniper in (straight | slanting) & others {
        let between = attacks::between(king, sniper) & board.occupied();
        if between.count() == 1 {
            pinned |= between & board.by_color(color);
        }
    }
    pinned
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(placement: &str) -> Board {
        Board::from_ascii_board_fen(placement.as_bytes()).unwrap()
    }

    #[test]
    fn exchanges_continue_as_long_as_they_pay() {
        for (placement, target, gain) in [
            ("4k3/8/8/3p4/8/8/8/3RK3", Square::D5, 1),
            ("4k3/8/4p3/3p4/8/8/8/3RK3", Square::D5, -4),
            ("4k3/8/4p3/3n4/4P3/8/8/3RK3", Square::D5, 3),
            ("3rk3/8/8/3q4/8/8/3R4/3RK3", Square::D5, 9),
            ("3rk3/8/8/3p4/8/8/3R4/3RK3", Square::D5, 1),
            ("3rk3/3r4/8/3p4/8/8/3R4/3RK3", Square::D5, -4),
            ("4k3/8/8/3p4/8/8/8/4K3", Square::D5, 0),
        ] {
            assert_eq!(exchange(&board(placement), target, Color::White), gain, "{placement}");
        }
    }

    #[test]
    fn a_pin_needs_exactly_one_own_man_in_between() {
        let board = board("4k3/4n3/8/b7/4R3/2N5/8/4K3");
        assert_eq!(pinned(&board, Color::Black), Bitboard::from(Square::E7));
        assert_eq!(pinned(&board, Color::White), Bitboard::from(Square::C3));
    }
}
