//! A pawn's first move of two squares.

use shakmaty::{Color, Rank, Square};

/// A double step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DoubleStep {
    /// The pawn's side.
    pub color: Color,
    /// The pawn's initial square.
    pub from: Square,
    /// The square two ranks ahead.
    pub to: Square,
}

impl DoubleStep {
    /// The double step that passes the square `behind`; `None` if none does.
    pub fn over(behind: Square) -> Option<DoubleStep> {
        let color = match behind.rank() {
            Rank::Third => Color::White,
            Rank::Sixth => Color::Black,
            _ => return None,
        };
        let forward = color.fold_wb(8, -8);
        Some(DoubleStep { color, from: behind.offset(-forward)?, to: behind.offset(forward)? })
    }
}
