use std::fmt::{self, Write};

use shakmaty::{Chess, EnPassantMode, File, Move, Position, Rank, Square, fen::Fen, san::SanPlus};

/// The FEN of a position. It names an en passant square only if a pawn can be captured there.
pub fn fen(position: &Chess) -> Fen {
    Fen::from_position(position, EnPassantMode::Legal)
}

/// Writes the board as letters with coordinates, White at the bottom, and the side to move.
///
/// # Errors
/// If `out` cannot be written.
pub fn write_board(out: &mut impl Write, position: &Chess) -> fmt::Result {
    for rank in Rank::ALL.into_iter().rev() {
        write!(out, "  {rank} ")?;
        for file in File::ALL {
            let square = Square::from_coords(file, rank);
            let man = position.board().piece_at(square).map_or('.', |piece| piece.char());
            write!(out, " {man}")?;
        }
        writeln!(out)?;
    }
    writeln!(out, "     a b c d e f g h   {} to move", position.turn().fold_wb("White", "Black"))
}

/// The moves in standard algebraic notation, without move numbers.
pub fn san(root: &Chess, moves: &[Move]) -> Vec<String> {
    let mut position = root.clone();
    moves.iter().map(|&m| SanPlus::from_move_and_play_unchecked(&mut position, m).to_string()).collect()
}

/// The ratings of two players as text: both if they differ, one if they are equal or only one is known, and `None` if
/// neither is known.
pub fn ratings(ratings: [Option<u16>; 2]) -> Option<String> {
    match ratings {
        [Some(white), Some(black)] if white != black => Some(format!("{white}–{black}")),
        [Some(rating), _] | [None, Some(rating)] => Some(rating.to_string()),
        [None, None] => None,
    }
}
