//! Boards that nobody played: their label is certain, or that of the played board that they were made from.

use entente_constraint::thesis::Counts;
use entente_network::encoding::thesis::{BOARD_PLANES, Bitmaps, WHITE_PLANES};
use shakmaty::{Bitboard, Rank, Square};

use super::{
    board::{attacked_white, white},
    difference::decided,
    permutation::mix,
};

/// The planes of Black's men but the king, and of the two sides' pawns.
const BLACK: [usize; 5] = [6, 7, 8, 9, 10];
const PAWNS: [usize; 2] = [0, 6];
/// The most black men taken off.
const MOST_TAKEN: u64 = 5;
/// How often men are put elsewhere until Black attacks what it attacked before.
const TRIES: usize = 4;

/// Puts some men of a board elsewhere and takes some off, and returns the label of the new board for
/// `wanted`; `None` if it is unknown, and the new board then says nothing.
///
/// `label` is that of the board as it is, `most_moved` the most men put elsewhere.
///
/// Human games hardly ever lead where a search for a constraint goes: what a network learns from them
/// alone about the number of men does not hold there. Half of the boards from which the constraint may
/// still be satisfied keep White's men, and their label if Black attacks the same kinds of surplus men as
/// before: nothing better is known of them. Without those a network learns that every unlikely board will
/// satisfy the constraint unless a man is missing. Of the others half lose White's men too many; those
/// satisfy the constraint. The rest, and half of these, lose a man that White has none too many of, as in
/// a capture too many.
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
        // The kind first: most men are pawns, but any man may be taken.
        if !spent.is_empty() {
            let plane = spent[random.below(spent.len() as u64) as usize];
            take(board, &[plane], &mut random);
        }
    }
    decided(&white(board), wanted)
}

/// Puts some men elsewhere and takes some of Black's off.
fn disturb(board: &mut Bitmaps, most_moved: u64, random: &mut Random) {
    for _ in 0..random.below(most_moved + 1) {
        relocate(board, random);
    }
    for _ in 0..random.below(MOST_TAKEN + 1) {
        take(board, &BLACK, random);
    }
}

/// Of which kinds White has men too many and Black attacks one.
fn attacked_surplus(board: &Bitmaps, wanted: &Counts) -> [bool; 5] {
    let attacked = attacked_white(board);
    std::array::from_fn(|kind| {
        attacked[kind] && board[WHITE_PLANES[kind]].count() > usize::from(wanted[kind])
    })
}

/// Puts one man on an empty square.
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

/// One of the men of these planes.
fn draw(board: &Bitmaps, planes: &[usize], random: &mut Random) -> Option<(usize, Square)> {
    let count: usize = planes.iter().map(|plane| board[*plane].count()).sum();
    let number = random.below(count as u64) as usize;
    planes.iter().flat_map(|plane| board[*plane].into_iter().map(move |square| (*plane, square))).nth(number)
}

/// SplitMix64.
struct Random(u64);

impl Random {
    /// A number less than `bound`, or 0.
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
    use crate::dataset::satisfaction::tests::random_game;

    #[test]
    fn altered_boards_are_well_formed_and_their_labels_certain_or_kept() {
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
