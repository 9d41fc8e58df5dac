//! The structure of pawns, and the squares and files that it makes good for other men.
//!
//! "Ahead" and "behind" are as the pawn's own side sees them. Only the pawns on the board count, not what they may do.

use shakmaty::{Bitboard, Board, Color, File, Rank, Role, Square, attacks};

const LEFT: Bitboard = Bitboard(0xfefe_fefe_fefe_fefe);
const RIGHT: Bitboard = Bitboard(0x7f7f_7f7f_7f7f_7f7f);

/// The squares to the left and to the right of `squares`.
pub(crate) fn next_to(squares: Bitboard) -> Bitboard {
    (squares.shift(1) & LEFT) | (squares.shift(-1) & RIGHT)
}

/// The whole files of `squares`.
fn files(squares: Bitboard) -> Bitboard {
    let mut filled = squares;
    for offset in [8, 16, 32] {
        filled |= filled.shift(offset) | filled.shift(-offset);
    }
    filled
}

/// The squares one step ahead of `squares`.
pub(crate) fn step(squares: Bitboard, color: Color) -> Bitboard {
    squares.shift(color.fold_wb(8, -8))
}

/// All squares ahead of `squares` on their files.
pub(crate) fn ahead(squares: Bitboard, color: Color) -> Bitboard {
    let mut filled = step(squares, color);
    for offset in [8, 16, 32] {
        filled |= filled.shift(color.fold_wb(offset, -offset));
    }
    filled
}

/// The files next to those of `squares`.
pub(crate) fn beside(squares: Bitboard) -> Bitboard {
    next_to(files(squares))
}

/// All squares ahead of `squares` on their own files and on the files next to them.
pub(crate) fn fronts(squares: Bitboard, color: Color) -> Bitboard {
    let front = ahead(squares, color);
    front | next_to(front)
}

/// The squares that pawns of `color` on `pawns` attack.
pub(super) fn attacked_by(pawns: Bitboard, color: Color) -> Bitboard {
    next_to(step(pawns, color))
}

fn pawns(board: &Board, color: Color) -> Bitboard {
    board.by_piece(Role::Pawn.of(color))
}

/// Isolated: there is no own pawn on the files next to it.
pub(super) fn isolated(board: &Board, color: Color) -> Bitboard {
    let own = pawns(board, color);
    own & !beside(own)
}

/// Doubled: another own pawn is on its file.
pub(super) fn doubled(board: &Board, color: Color) -> Bitboard {
    let own = pawns(board, color);
    own & (ahead(own, color) | ahead(own, color.other()))
}

/// Passed: there is no enemy pawn ahead of it, on its file or on the files next to it.
pub(super) fn passed(board: &Board, color: Color) -> Bitboard {
    pawns(board, color) & !fronts(pawns(board, color.other()), color.other())
}

/// Connected: an own pawn on a file next to it stands on the same rank or on the rank before or after.
pub(super) fn connected(board: &Board, color: Color) -> Bitboard {
    let own = pawns(board, color);
    own & next_to(own | own.shift(8) | own.shift(-8))
}

/// In a chain: it protects an own pawn, or is protected by one.
pub(super) fn chain(board: &Board, color: Color) -> Bitboard {
    let own = pawns(board, color);
    own & next_to(own.shift(8) | own.shift(-8))
}

/// Locked: an enemy pawn stands on the square in front of it.
pub(super) fn locked(board: &Board, color: Color) -> Bitboard {
    pawns(board, color) & step(pawns(board, color.other()), color.other())
}

/// Backward: own pawns are on the files next to it, all of them ahead of it, and an enemy pawn attacks the square in
/// front of it.
pub(super) fn backward(board: &Board, color: Color) -> Bitboard {
    let own = pawns(board, color);
    // A square is supported if an own pawn next to it stands on the same rank or behind.
    let supported = next_to(own | ahead(own, color));
    let taken = attacked_by(pawns(board, color.other()), color.other());
    own & beside(own) & !supported & step(taken, color.other())
}

/// On an outpost: on the fourth to sixth rank of its own side, protected by an own pawn, and no enemy pawn on the files
/// next to it can ever attack it by advancing, because none is ahead of it.
pub(super) fn outposts(board: &Board, color: Color) -> Bitboard {
    let ranks =
        color.fold_wb([Rank::Fourth, Rank::Fifth, Rank::Sixth], [Rank::Third, Rank::Fourth, Rank::Fifth]);
    let ranks = ranks.into_iter().fold(Bitboard::EMPTY, |all, rank| all | Bitboard::from(rank));
    let contested = next_to(ahead(pawns(board, color.other()), color.other()));
    ranks & attacked_by(pawns(board, color), color) & !contested
}

/// The squares of open files: those without pawns.
pub(super) fn open_files(board: &Board) -> Bitboard {
    !files(board.pawns())
}

/// The squares of the half-open files of `color`: those without own pawns but with an enemy pawn.
pub(super) fn half_open_files(board: &Board, color: Color) -> Bitboard {
    files(pawns(board, color.other())) & !files(pawns(board, color))
}

/// One pawn of each island: the lowest of those on its leftmost file. An island is a group of pawns of `selected` on
/// files next to each other.
pub(super) fn islands(selected: Bitboard) -> Bitboard {
    let mut first = Bitboard::EMPTY;
    let mut was_occupied = false;
    for file in File::ALL {
        let here = selected & Bitboard::from(file);
        if let (false, Some(square)) = (was_occupied, here.first()) {
            first.add(square);
        }
        was_occupied = here.any();
    }
    first
}

/// The squares to which pawns of `color` on `from` can move or on which they can capture, en passant not included.
pub(super) fn destinations(from: Square, color: Color, board: &Board) -> Bitboard {
    let free = !board.occupied();
    let single = step(from.into(), color) & free;
    let third = Bitboard::from(color.fold_wb(Rank::Third, Rank::Sixth));
    let double = step(single & third, color) & free;
    single | double | attacks::pawn_attacks(color, from) & board.by_color(color.other())
}
