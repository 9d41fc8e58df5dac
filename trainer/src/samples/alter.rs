//! Altered boards, which occurred in no game. Their label is certain, or is that of the played board from which they
//! were made.

use entente_constraint::thesis::Counts;
use entente_network::encoding::thesis::{BOARD_PLANES, Bitmaps, WHITE_PLANES};
use shakmaty::{Bitboard, Rank, Square};

use super::{
    board::{attacked_white, white},
    difference::decided,
    permutation::mix,
};

/// The planes of Black's men except the king, and of both sides' pawns.
const BLACK: [usize; 5] = [6, 7, 8, 9, 10];
const PAWNS: [usize; 2] = [0, 6];
/// Maximum number of black men removed.
const MAX_TAKEN: u64 = 5;
/// Maximum number of attempts to move men so that Black attacks the same kinds of men as before.
const TRIES: usize = 4;

/// Moves some men of a board to other squares and removes others. Returns the label of the new board for the constraint
/// `wanted`. If it is unknown, returns `None`, and the board must not be used.
///
/// `label` is the label of the given board, and `most_moved` the maximum number of men moved.
///
/// A search for a constraint leads to boards that rarely occur in human games, and what a network learns about numbers
/// of men from human games alone does not hold there. A man is surplus if White has more of its kind than `wanted`.
/// There are two cases:
///
/// - For half of the boards from which the constraint can still be satisfied, White keeps all men. The board keeps its
///   label if Black attacks the same kinds of surplus men as before; no better label is known. Without these boards, a
///   network learns that every unlikely board will satisfy the constraint unless a man is missing.
/// - In all other cases, half of the boards lose all of White's surplus men, and so may satisfy the constraint. Half of
///   these, and all of the rest, lose a man of a kind in which White has no surplus, as after one capture too many.
pub(super) fn alter(
    board: &mut Bitmaps,
    wanted: &Counts,
    label: f32,
    most_moved: u64,
    seed: u64,
) -> Option<f32> {
    let mut random = Random(seed);
    if decided(&white(board), wanted).is_none() && random.below(2) == 0 {
        let attacked = attacked_surplus(board, wanted);
        let played = *board;
        for _ in 0..TRIES {
            disturb(board, most_moved, &mut random);
            if attacked_surplus(board, wanted) == attacked {
                return Some(label);
            }
            *board = played;
        }
        return None;
    }
    disturb(board, most_moved, &mut random);
    let strip = random.below(2) == 0;
    if strip {
        for (plane, wanted) in WHITE_PLANES.into_iter().zip(wanted) {
            while board[plane].count() > usize::from(*wanted) {
                take(board, &[plane], &mut random);
            }
        }
    }
    if !strip || random.below(2) == 0 {
        let spent = WHITE_PLANES.into_iter().zip(wanted).filter(|(plane, wanted)| {
            let count = board[*plane].count();
            count > 0 && count <= usize::from(**wanted)
        });
        let spent: Vec<usize> = spent.map(|(plane, _)| plane).collect();
        // Draw the kind first, because most men are pawns, but every kind should be removed equally often.
        if !spent.is_empty() {
            let plane = spent[random.below(spent.len() as u64) as usize];
            take(board, &[plane], &mut random);
        }
    }
    decided(&white(board), wanted)
}

/// Moves some men to other squares and removes some of Black's.
fn disturb(board: &mut Bitmaps, most_moved: u64, random: &mut Random) {
    for _ in 0..random.below(most_moved + 1) {
        relocate(board, random);
    }
    for _ in 0..random.below(MAX_TAKEN + 1) {
        take(board, &BLACK, random);
    }
}

/// For each kind, whether White has surplus men of it and Black attacks at least one.
fn attacked_surplus(board: &Bitmaps, wanted: &Counts) -> [bool; 5] {
    let attacked = attacked_white(board);
    std::array::from_fn(|kind| {
        attacked[kind] && board[WHITE_PLANES[kind]].count() > usize::from(wanted[kind])
    })
}

/// Moves one man to an empty square.
fn relocate(board: &mut Bitmaps, random: &mut Random) {
    let planes: [usize; BOARD_PLANES] = std::array::from_fn(|plane| plane);
    let Some((plane, from)) = draw(board, &planes, random) else { return };
    let occupied = board.iter().fold(Bitboard::EMPTY, |all, squares| all | *squares);
    let mut free = !occupied;
    if PAWNS.contains(&plane) {
        free &= !(Bitboard::from(Rank::First) | Bitboard::from(Rank::Eighth));
    }
    let to = free.into_iter().nth(random.below(free.count() as u64) as usize).expect("at most 32 men");
    board[plane].discard(from);
    board[plane].add(to);
}

fn take(board: &mut Bitmaps, planes: &[usize], random: &mut Random) {
    if let Some((plane, square)) = draw(board, planes, random) {
        board[plane].discard(square);
    }
}

/// Draws a man from these planes. Returns its plane and square; `None` if there are no men.
fn draw(board: &Bitmaps, planes: &[usize], random: &mut Random) -> Option<(usize, Square)> {
    let count: usize = planes.iter().map(|plane| board[*plane].count()).sum();
    let number = random.below(count as u64) as usize;
    planes.iter().flat_map(|plane| board[*plane].into_iter().map(move |square| (*plane, square))).nth(number)
}

/// The random generator SplitMix64.
struct Random(u64);

impl Random {
    /// A random number below `bound`; 0 if `bound` is 0.
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0) % bound.max(1)
    }
}

#[cfg(test)]
mod tests {
    use entente_constraint::thesis::SEVENTEEN;
    use entente_network::encoding::thesis::bitmaps;
    use shakmaty::{Chess, Position};

    use super::*;
    use crate::samples::satisfaction::tests::random_game;

    #[test]
    fn altered_boards_are_well_formed_with_certain_or_kept_labels() {
        const PLAYED: f32 = 0.25;
        let (mut ones, mut zeros, mut kept, mut unknown) = (0, 0, 0, 0);
        for seed in 0..40 {
            let mut position = Chess::default();
            for (ply, m) in random_game(seed, 60).into_iter().enumerate() {
                let wanted = &SEVENTEEN[ply % SEVENTEEN.len()];
                let mut board = bitmaps(position.board());
                let before = board;
                let label = alter(&mut board, wanted, PLAYED, 8, seed << 32 | ply as u64);
                let mut all = Bitboard::EMPTY;
                for squares in board {
                    assert!((all & squares).is_empty(), "two men on a square");
                    all |= squares;
                }
                assert!([5, 11].into_iter().all(|king| board[king].count() == 1));
                let ends = Bitboard::from(Rank::First) | Bitboard::from(Rank::Eighth);
                assert!(PAWNS.iter().all(|plane| (board[*plane] & ends).is_empty()));
                let men = white(&board);
                match label {
                    Some(1.0) => {
                        assert_eq!(men, *wanted);
                        ones += 1;
                    }
                    Some(PLAYED) => {
                        assert_eq!(men, white(&before));
                        assert_eq!(attacked_surplus(&board, wanted), attacked_surplus(&before, wanted));
                        assert_eq!(decided(&white(&before), wanted), None);
                        kept += 1;
                    }
                    Some(label) => {
                        assert_eq!(label, 0.0);
                        assert!(men.iter().zip(wanted).any(|(men, wanted)| men < wanted));
                        zeros += 1;
                    }
                    None => unknown += 1,
                }
                position.play_unchecked(m);
            }
        }
        assert!(ones > 100 && zeros > 500 && kept > 300 && unknown > 50, "{ones} {zeros} {kept} {unknown}");
    }
}
