use shakmaty::{Chess, Move, Position as _};

/// A position and the length of the game that led to it. Conditions are tested against this.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    /// The position.
    pub position: &'a Chess,
    /// The number of plies from the root of the game.
    pub ply: u32,
}

impl Situation<'_> {
    /// The start of a game.
    pub fn root(position: &Chess) -> Situation<'_> {
        Situation { position, ply: 0 }
    }
}

/// The position after `m`, a legal move.
#[inline]
pub fn child_of(position: &Chess, m: Move) -> Chess {
    let mut child = position.clone();
    child.play_unchecked(m);
    child
}

/// The number of plies played before `position` according to its move number, if the game began with White's move 1.
pub fn plies_before(position: &Chess) -> u32 {
    (position.fullmoves().get() - 1).saturating_mul(2).saturating_add(position.turn().fold_wb(0, 1))
}
