use std::ops::Neg;

/// The result of a position with best play, for the side to move, as if there were no fifty-move rule.
///
/// Worse results are less than better ones, so the result of a position is the greatest of `-result` over its moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Wdl {
    /// The side to move is checkmated, or will be.
    Loss,
    /// No side can force checkmate.
    Draw,
    /// The side to move can force checkmate.
    Win,
}

impl Wdl {
    /// The word for it: "win", "draw" or "loss".
    pub fn word(self) -> &'static str {
        match self {
            Self::Loss => "loss",
            Self::Draw => "draw",
            Self::Win => "win",
        }
    }

    /// The result as the given planes of bits have it.
    pub(crate) fn of_bits(win: bool, loss: bool) -> Self {
        match (win, loss) {
            (true, _) => Self::Win,
            (false, true) => Self::Loss,
            (false, false) => Self::Draw,
        }
    }
}

/// The same result for the other side.
impl Neg for Wdl {
    type Output = Self;

    fn neg(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }
}
