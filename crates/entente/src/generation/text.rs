use std::fmt::{self, Write};

use shakmaty::{Chess, File, Move, Position, Rank, Square, san::SanPlus};

/// Writes the board in letters, with coordinates, White at the bottom, and who is to move.
///
/// # Errors
/// Those of `out`.
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

/// Moves in standard algebraic notation, without numbers.
pub fn san(root: &Chess, moves: &[Move]) -> Vec<String> {
    let mut position = root.clone();
    moves.iter().map(|&m| SanPlus::from_move_and_play_unchecked(&mut position, m).to_string()).collect()
}

/// The ratings of two players: one if they are equal or only one is known, none if neither is.
pub fn ratings(ratings: [Option<u16>; 2]) -> Option<String> {
    match ratings {
        [Some(white), Some(black)] if white != black => Some(format!("{white}–{black}")),
        [Some(rating), _] | [None, Some(rating)] => Some(rating.to_string()),
        [None, None] => None,
    }
}
