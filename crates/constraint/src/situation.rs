use shakmaty::{Chess, Move, Position as _};

/// A position and how the game came to it: all that conditions are decided by.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    /// The position.
    pub position: &'a Chess,
    /// Plies from the root of the game.
    pub ply: u32,
}

impl Situation<'_> {
    /// The beginning of a game.
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

/// The plies that a position's move number says the game had, if it began where games begin.
pub fn plies_before(position: &Chess) -> u32 {
    (position.fullmoves().get() - 1).saturating_mul(2).saturating_add(position.turn().fold_wb(0, 1))
}
