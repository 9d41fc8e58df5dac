//! Piece-squares: the inputs of the evaluation network, which tell the kind and square of each man from the viewpoint
//! of one side.
//!
//! Each side sees the board from its own first rank, with its own men first. The board is mirrored if the side's king
//! stands on the e- to h-files: apart from castling, chess is symmetric, so the network need not learn everything
//! twice. (Inputs such as Stockfish's `HalfKA` go further and also depend on the king's square.)

use shakmaty::{Board, Color, File, Piece, Square};

/// The number of inputs of one side. The inputs of men on the board are 1, all others are 0.
pub const INPUTS: usize = 2 * 6 * 64;
/// The most men on a board.
pub const MAX_MEN: usize = 32;
/// The number of output buckets, which are selected by the number of men.
pub const BUCKETS: usize = 8;

/// How one side sees the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Viewpoint {
    side: Color,
    is_mirrored: bool,
}

impl Viewpoint {
    /// The viewpoint of `side`, whose king stands on `king`.
    pub fn new(side: Color, king: Square) -> Viewpoint {
        Viewpoint { side, is_mirrored: king.file() >= File::E }
    }

    /// The viewpoint of `side` on `board`. Without a king of that side, the board is not mirrored.
    pub fn of(side: Color, board: &Board) -> Viewpoint {
        Viewpoint { side, is_mirrored: board.king_of(side).is_some_and(|king| king.file() >= File::E) }
    }

    /// The index, below [`INPUTS`], of a man on a square.
    pub fn input(self, piece: Piece, square: Square) -> usize {
        let square = if self.side == Color::White { square } else { square.flip_vertical() };
        let square = if self.is_mirrored { square.flip_horizontal() } else { square };
        let kind = piece.role as usize - 1 + if piece.color == self.side { 0 } else { 6 };
        64 * kind + usize::from(square)
    }

    /// The indices of all men on the board.
    pub fn inputs(self, board: &Board) -> impl Iterator<Item = usize> {
        board.clone().into_iter().map(move |(square, piece)| self.input(piece, square))
    }
}

/// The output bucket, below [`BUCKETS`], for a number of men on the board.
pub fn bucket(men: usize) -> usize {
    men.saturating_sub(1).min(MAX_MEN - 1) * BUCKETS / MAX_MEN
}

#[cfg(test)]
mod tests {
    use shakmaty::{Position, fen::Fen};

    use super::*;

    fn inputs(fen: &str, side: Color) -> Vec<usize> {
        let board =
            fen.parse::<Fen>().unwrap().into_position::<shakmaty::Chess>(shakmaty::CastlingMode::Standard);
        let board = board.unwrap().board().clone();
        let mut inputs: Vec<usize> = Viewpoint::of(side, &board).inputs(&board).collect();
        inputs.sort_unstable();
        inputs
    }

    #[test]
    fn own_men_come_first_and_the_board_is_seen_from_the_own_side() {
        // The pawn on e2 has index 64·0 + 12, the king on a1 64·5 + 0, the enemy king on c8 64·11 + 58.
        assert_eq!(inputs("2k5/8/8/8/8/8/4P3/K7 w - - 0 1", Color::White), [12, 320, 762]);
        // Black sees the board flipped: the enemy pawn on e7, the enemy king on a8, the own king on c1.
        assert_eq!(inputs("2k5/8/8/8/8/8/4P3/K7 w - - 0 1", Color::Black), [322, 436, 760]);
    }

    #[test]
    fn mirrored_boards_and_exchanged_colours_give_the_same_inputs() {
        let fen = "2k5/3r4/8/8/8/1N6/4P3/K7 w - - 0 1";
        let mirrored = "5k2/4r3/8/8/8/6N1/3P4/7K w - - 0 1";
        let exchanged = "k7/4p3/1n6/8/8/8/3R4/2K5 b - - 0 1";
        for side in Color::ALL {
            assert_eq!(inputs(fen, side), inputs(mirrored, side));
            assert_eq!(inputs(fen, side), inputs(exchanged, !side));
        }
    }

    #[test]
    fn each_bucket_covers_four_numbers_of_men() {
        assert_eq!([2, 4, 5, 8, 9, 28, 29, 32].map(bucket), [0, 0, 1, 1, 2, 6, 7, 7]);
    }
}
