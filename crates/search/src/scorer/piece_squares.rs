//! Piece-squares: which men stand where, seen by one side, as the evaluation network's inputs.
//!
//! Each side sees the board from its own first rank, its own men first. Boards are seen mirrored while the side's king
//! stands on the e- to h-files: but for castling, chess knows no left and right, so the network need not learn all
//! twice. (Inputs such as Stockfish's `HalfKA` go further and tell a man from itself with another king's square.)

use shakmaty::{Board, Color, File, Piece, Square};

/// Inputs of one side, of which those of the men on the board are 1 and all others 0.
pub const INPUTS: usize = 2 * 6 * 64;
/// The most men on a board.
pub const MOST_MEN: usize = 32;
/// How many kinds of positions the last layer tells apart, by the number of men.
pub const BUCKETS: usize = 8;

/// How one side sees the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Viewpoint {
    side: Color,
    is_mirrored: bool,
}

impl Viewpoint {
    /// That of `side`, whose king stands on `king`.
    pub fn new(side: Color, king: Square) -> Viewpoint {
        Viewpoint { side, is_mirrored: king.file() >= File::E }
    }

    /// That of `side` on the board; without its king as with one on the queen's side.
    pub fn of(side: Color, board: &Board) -> Viewpoint {
        Viewpoint { side, is_mirrored: board.king_of(side).is_some_and(|king| king.file() >= File::E) }
    }

    /// Where among the [`INPUTS`] a man on a square is.
    pub fn input(self, piece: Piece, square: Square) -> usize {
        let square = if self.side == Color::White { square } else { square.flip_vertical() };
        let square = if self.is_mirrored { square.flip_horizontal() } else { square };
        let kind = piece.role as usize - 1 + if piece.color == self.side { 0 } else { 6 };
        64 * kind + usize::from(square)
    }

    /// Those of all men on the board.
    pub fn inputs(self, board: &Board) -> impl Iterator<Item = usize> {
        board.clone().into_iter().map(move |(square, piece)| self.input(piece, square))
    }
}

/// The kind of position, below [`BUCKETS`], by the number of men on the board.
pub fn bucket(men: usize) -> usize {
    men.saturating_sub(1).min(MOST_MEN - 1) * BUCKETS / MOST_MEN
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
        // The pawn on e2 counts 64·0 + 12, the king on a1 64·5 + 0; the enemy's king on c8 64·11 + 58.
        assert_eq!(inputs("2k5/8/8/8/8/8/4P3/K7 w - - 0 1", Color::White), [12, 320, 762]);
        // Black sees the same upside down: the enemy's pawn on e7, his king on a8, his own king on c1.
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
    fn buckets_take_four_men_each() {
        assert_eq!([2, 4, 5, 8, 9, 28, 29, 32].map(bucket), [0, 0, 1, 1, 2, 6, 7, 7]);
    }
}
