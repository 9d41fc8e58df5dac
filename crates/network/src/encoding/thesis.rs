//! The 17×8×8 planes of the thesis (section 4.5.1): twelve bitmaps of the men, then the constraint (Q, R, B, N, P) as
//! five constant planes.
//!
//! The order of the planes is White's pawns, knights, bishops, rooks, queens and king, then Black's. Within a plane,
//! row 0 is the first rank and column 0 is the a-file. The side to move and the castling rights are not encoded, so
//! positions that differ only in them look the same.

use entente_constraint::thesis::Counts;
use shakmaty::{Bitboard, Board, Color, Role};

/// The number of bitmaps of men.
pub const BOARD_PLANES: usize = 12;
/// The number of planes of one input.
pub const PLANES: usize = BOARD_PLANES + 5;
/// The length of one input: 17 × 8 × 8.
pub const LENGTH: usize = PLANES * 64;
/// The shape of one input.
pub const SHAPE: [usize; 3] = [PLANES, 8, 8];

/// The planes of White's queens, rooks, bishops, knights and pawns, in the order of [`Counts`].
pub const WHITE_PLANES: [usize; 5] = [4, 3, 2, 1, 0];

/// The men of a position as twelve bitboards, in plane order.
pub type Bitmaps = [Bitboard; BOARD_PLANES];

/// The bitmaps of `board`.
pub fn bitmaps(board: &Board) -> Bitmaps {
    std::array::from_fn(|plane| {
        let color = if plane < Role::ALL.len() { Color::White } else { Color::Black };
        board.by_piece(Role::ALL[plane % Role::ALL.len()].of(color))
    })
}

/// Writes the input for `bitmaps` and `counts` to `planes`.
///
/// # Panics
/// If `planes` does not have [`LENGTH`] numbers.
pub fn encode(bitmaps: &Bitmaps, counts: &Counts, planes: &mut [f32]) {
    assert_eq!(planes.len(), LENGTH, "one input has 17×8×8 numbers");
    let (board, constraint) = planes.split_at_mut(BOARD_PLANES * 64);
    board.fill(0.0);
    for (plane, men) in board.chunks_exact_mut(64).zip(bitmaps) {
        for square in *men {
            plane[usize::from(square)] = 1.0;
        }
    }
    for (plane, count) in constraint.chunks_exact_mut(64).zip(counts) {
        plane.fill(f32::from(*count));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_initial_position_is_encoded_as_described() {
        let mut planes = vec![9.0; LENGTH];
        encode(&bitmaps(&Board::new()), &[1, 2, 1, 0, 7], &mut planes);
        let plane = |index: usize| &planes[index * 64..][..64];
        assert_eq!(plane(0)[8..16], [1.0; 8], "white pawns on the second rank");
        assert_eq!(plane(0).iter().sum::<f32>(), 8.0);
        assert_eq!(plane(5)[4], 1.0, "white king on e1");
        assert_eq!(plane(11)[60], 1.0, "black king on e8");
        assert_eq!(plane(10)[59], 1.0, "black queen on d8");
        assert_eq!(planes[..BOARD_PLANES * 64].iter().sum::<f32>(), 32.0);
        for (index, count) in [1.0, 2.0, 1.0, 0.0, 7.0].into_iter().enumerate() {
            assert_eq!(plane(BOARD_PLANES + index), [count; 64]);
        }
    }
}
