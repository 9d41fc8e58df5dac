//! Games as the transformer's text files: each move with the board before it.
//!
//! A line is `move_index|board|rights`: the number of the move in a vocabulary; 64 numbers from −6 to 6, a1 first, then b1,
//! of pawn, knight, bishop, rook, queen and king, Black's below 0; and six digits, of White's castling on the king's and
//! the queen's side, Black's likewise (0 or 1), the file of a pawn that can be captured en passant (1 to 8, or 0) and the
//! side to move (1 White, 0 Black). A game's lines follow each other, and each game begins with a line of the initial
//! position; a game that comes back to that with all rights is two.

mod check;
mod files;
mod line;
mod write;

pub use check::{Checked, Fault, read_games};
pub use files::text_files;
pub use line::Line;
pub use write::{GameText, Progress, SPLIT_LINES, SequenceWriter, split_path};
