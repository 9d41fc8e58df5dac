use std::fmt::{self, Write};

use shakmaty::{Chess, File, Position, Rank, Square};

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
