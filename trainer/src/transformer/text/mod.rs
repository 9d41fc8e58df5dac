//! Games as text files for the transformer: each move with the board before it.
//!
//! A line is `move_index|board|rights`. The index is the number of the move in a vocabulary. The board has 64 numbers,
//! a1, b1 to h8: 1 to 6 for White's pawn, knight, bishop, rook, queen and king, −1 to −6 for Black's, and 0 for an
//! empty square. The rights are six digits: whether White can castle kingside and queenside, the same for Black (0 or
//! 1), the file of a pawn that can be captured en passant (1 to 8, or 0), and the side to move (1 for White, 0 for
//! Black). The lines of a game follow each other, and a line with the initial position begins a game. A game that
//! returns to the initial position with all rights is therefore read as two games.

mod check;
mod files;
mod line;
mod write;

pub use check::{Checked, Fault, read_games};
pub use files::text_files;
pub use line::Line;
pub use write::{GameText, Progress, SPLIT_LINES, SequenceWriter, split_path};
