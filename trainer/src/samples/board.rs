use entente_constraint::thesis::Counts;
use entente_network::encoding::thesis::{BOARD_PLANES, Bitmaps, WHITE_PLANES};
use shakmaty::{Bitboard, Color, Piece, Role, attacks};

/// Maximum number of men on a board.
const MAX_MEN: usize = 32;

/// A position as the network sees it, in 24 bytes: the occupied squares, and for each of them, from a1 to h8, the plane
/// of its man in four bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PackedBoard {
    occupied: u64,
    men: [u8; MAX_MEN / 2],
}

impl PackedBoard {
    /// Packs the bitmaps of a board.
    ///
    /// # Panics
    ///
    /// If there are more than 32 men.
    pub fn new(bitmaps: &Bitmaps) -> PackedBoard {
        let occupied = bitmaps.iter().fold(Bitboard::EMPTY, |all, plane| all | *plane);
        assert!(occupied.count() <= MAX_MEN, "more than {MAX_MEN} men on a board");
        let mut men = [0; MAX_MEN / 2];
        for (plane, squares) in bitmaps.iter().enumerate() {
            for square in *squares {
                let index = (occupied.0 & ((1 << u32::from(square)) - 1)).count_ones() as usize;
                men[index / 2] |= (plane as u8) << (index % 2 * 4);
            }
        }
        PackedBoard { occupied: occupied.0, men }
    }

    /// White's queens, rooks, bishops, knights and pawns.
    pub fn white(&self) -> Counts {
        white(&self.bitmaps())
    }

    /// The twelve bitmaps, as returned by [`entente_network::encoding::thesis::bitmaps`].
    pub fn bitmaps(&self) -> Bitmaps {
        let mut bitmaps = [Bitboard::EMPTY; BOARD_PLANES];
        for (index, square) in Bitboard(self.occupied).into_iter().enumerate() {
            let plane = self.men[index / 2] >> (index % 2 * 4) & 15;
            bitmaps[usize::from(plane)].add(square);
        }
        bitmaps
    }

    /// A hash of the whole board, to distribute boards over buckets.
    pub(super) fn hash(&self) -> u64 {
        let half = |range: std::ops::Range<usize>| {
            self.men[range].iter().fold(0, |bits: u64, byte| bits << 8 | u64::from(*byte))
        };
        [self.occupied, half(0..8), half(8..16)]
            .into_iter()
            .fold(0, |hash: u64, part| super::permutation::mix(hash ^ part))
    }
}

/// The number of White's queens, rooks, bishops, knights and pawns.
pub(super) fn white(board: &Bitmaps) -> Counts {
    WHITE_PLANES.map(|plane| board[plane].count() as u8)
}

/// For White's queens, rooks, bishops, knights and pawns, whether Black attacks at least one of the kind. Pinned men
/// attack, too.
pub(super) fn attacked_white(board: &Bitmaps) -> [bool; 5] {
    let occupied = board.iter().fold(Bitboard::EMPTY, |all, squares| all | *squares);
    let black = &board[BOARD_PLANES / 2..];
    let attacked = Role::ALL.into_iter().zip(black).fold(Bitboard::EMPTY, |attacked, (role, squares)| {
        let man = Piece { color: Color::Black, role };
        squares
            .into_iter()
            .fold(attacked, |attacked, square| attacked | attacks::attacks(square, man, occupied))
    });
    WHITE_PLANES.map(|plane| (board[plane] & attacked).any())
}

#[cfg(test)]
mod tests {
    use entente_network::encoding::thesis::bitmaps;
    use shakmaty::{Chess, Position};

    use super::*;
    use crate::samples::satisfaction::tests::random_game;

    #[test]
    fn black_attacks_the_men_that_it_could_capture() {
        let attacked = |fen: &str| {
            let setup: shakmaty::fen::Fen = fen.parse().unwrap();
            attacked_white(&bitmaps(&setup.into_setup().board))
        };
        assert_eq!(attacked("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), [false; 5]);
        // The bishop on c8 attacks the queen, and the pawn on e5 attacks the knight. White's rook shields the bishop.
        let fen = "2b1k3/8/8/4p3/3N2Q1/8/8/r1R1BK2 b - - 0 1";
        assert_eq!(attacked(fen), [true, true, false, true, false]);
        assert_eq!(attacked("4k3/8/8/8/3p4/2P5/8/4K3 w - - 0 1"), [false, false, false, false, true]);
    }

    #[test]
    fn unpacking_is_the_inverse_of_packing() {
        for seed in 0..20 {
            let mut position = Chess::default();
            for m in random_game(seed, 200) {
                let planes = bitmaps(position.board());
                assert_eq!(PackedBoard::new(&planes).bitmaps(), planes);
                position.play_unchecked(m);
            }
        }
    }
}
