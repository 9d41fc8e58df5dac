//! Bishops, rooks and queens, and two men on one of their lines.

use shakmaty::{Bitboard, Board, Color, Piece, Role, Square, attacks};

use crate::men::value;

/// Bishops, rooks and queens.
fn sliders(board: &Board) -> Bitboard {
    board.bishops() | board.rooks() | board.queens()
}

/// The squares that the man on `from` would also attack if the man on `front`, which it attacks, were not there.
fn beyond(board: &Board, from: Square, man: Piece, front: Square) -> Bitboard {
    let occupied = board.occupied();
    attacks::attacks(from, man, occupied.without(front)) & !attacks::attacks(from, man, occupied)
}

/// The men of `color` that alone shield the man on `behind` from an enemy bishop, rook or queen.
pub(super) fn shields(board: &Board, behind: Square, color: Color) -> Bitboard {
    let enemy = board.by_color(color.other());
    let lines = |role: Role| attacks::attacks(behind, role.of(color), Bitboard::EMPTY);
    let snipers = enemy
        & (lines(Role::Rook) & (board.rooks() | board.queens())
            | lines(Role::Bishop) & (board.bishops() | board.queens()));
    let shields = snipers
        .into_iter()
        .filter_map(|sniper| (attacks::between(behind, sniper) & board.occupied()).single_square());
    shields.collect::<Bitboard>() & board.by_color(color)
}

/// Pinned: it alone stands on the line between its own king and an enemy bishop, rook or queen that attacks along that
/// line.
pub(super) fn pinned(men: Bitboard, board: &Board) -> Bitboard {
    let pins = Color::ALL.map(|color| board.king_of(color).map(|king| shields(board, king, color)));
    men & pins.into_iter().flatten().fold(Bitboard::EMPTY, |all, pins| all | pins)
}

/// Skewered: an enemy bishop, rook or queen that is worth less attacks it, and the next man behind it on the line is of
/// its own side and worth less than it is.
pub(super) fn skewered(men: Bitboard, board: &Board) -> Bitboard {
    let is_skewered = |square: &Square| {
        let Some(front) = board.piece_at(*square) else { return false };
        let enemies = board.attacks_to(*square, front.color.other(), board.occupied()) & sliders(board);
        enemies.into_iter().any(|from| {
            let man = board.piece_at(from).expect("an attacker");
            let behind = beyond(board, from, man, *square) & board.by_color(front.color);
            let is_worth_less =
                |behind: Square| board.role_at(behind).is_some_and(|role| value(role) < value(front.role));
            value(man.role) < value(front.role) && behind.into_iter().any(is_worth_less)
        })
    };
    men.into_iter().filter(is_skewered).collect()
}

/// In a battery: a bishop, rook or queen that sees, along a file or diagonal, an own man that moves along the same
/// line.
pub(super) fn battery(men: Bitboard, board: &Board) -> Bitboard {
    let occupied = board.occupied();
    let is_in_battery = |square: &Square| {
        let Some(man) = board.piece_at(*square) else { return false };
        let own = board.by_color(man.color);
        let straight = attacks::rook_attacks(*square, occupied)
            & Bitboard::from(square.file())
            & own
            & (board.rooks() | board.queens());
        let diagonal = attacks::bishop_attacks(*square, occupied) & own & (board.bishops() | board.queens());
        match man.role {
            Role::Bishop => diagonal.any(),
            Role::Rook => straight.any(),
            Role::Queen => straight.any() || diagonal.any(),
            _ => false,
        }
    };
    men.into_iter().filter(is_in_battery).collect()
}

/// The squares that bishops, rooks and queens of `men` would attack if one other man were not in the way.
pub(super) fn through(men: Bitboard, board: &Board) -> Bitboard {
    let mut reached = Bitboard::EMPTY;
    for from in men & sliders(board) {
        let man = board.piece_at(from).expect("a man of the set");
        for front in attacks::attacks(from, man, board.occupied()) & board.occupied() {
            reached |= beyond(board, from, man, front);
        }
    }
    reached
}
