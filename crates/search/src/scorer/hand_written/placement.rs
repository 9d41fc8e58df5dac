use std::sync::LazyLock;

use shakmaty::{Role, Square};

use super::tapered::{Tapered, s};

/// Piece-square values for White, by role and square.
pub(super) static PLACEMENT: LazyLock<[[Tapered; 64]; 6]> = LazyLock::new(|| {
    Role::ALL.map(|role| std::array::from_fn(|square| placement(role, Square::new(square as u32))))
});

/// The piece-square value of one of White's men. It rewards the centre, advanced ranks, and for the king the corners in
/// the middlegame.
fn placement(role: Role, square: Square) -> Tapered {
    let (rank, centre) = (square.rank() as i32, 3 - from_centre(square));
    let inner_file = 3 - (2 * square.file() as i32 - 7).abs() / 2;
    match role {
        Role::Pawn => {
            s(3 * (rank - 1) * inner_file - 2 * (rank - 1) + if centre == 3 { 8 } else { 0 }, 4 * (rank - 1))
        }
        Role::Knight => s(9 * centre, 7 * centre),
        Role::Bishop => s(5 * centre + if rank == 0 { -8 } else { 0 }, 3 * centre),
        Role::Rook => s(2 * inner_file + if rank == 6 { 15 } else { 0 }, if rank == 6 { 15 } else { 0 }),
        Role::Queen => s(2 * centre, 4 * centre),
        Role::King => s(-12 * inner_file - 14 * rank.min(4) + 18, 10 * centre),
    }
}

/// The Manhattan distance to the nearest of the four central squares, from 0 to 6.
pub(super) fn from_centre(square: Square) -> i32 {
    let steps = |coordinate: i32| if coordinate < 4 { 3 - coordinate } else { coordinate - 4 };
    steps(square.file() as i32) + steps(square.rank() as i32)
}
