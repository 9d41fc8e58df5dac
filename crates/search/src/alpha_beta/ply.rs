use shakmaty::{Chess, Move, Position, Role};

use super::value::{MAX_PLY, Value};

/// What a deep search knows of a ply of the line that it looks at.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ply {
    /// What the scorer says of the position; nothing in check.
    pub worth: Option<Value>,
    /// A move that is left out, to see how good the others are.
    pub excluded: Option<Move>,
    /// The man that moved there, and where to, as [`placed`] numbers it; nothing after a pass.
    pub played: Option<u16>,
}

/// The kinds of men of both sides on each square.
pub(super) const PLACES: usize = 12 * 64;

/// A number below [`PLACES`] for the man that a move brings somewhere.
pub(super) fn placed(position: &Chess, m: Move) -> u16 {
    let role = m.role() as u16 - Role::Pawn as u16;
    (6 * position.turn() as u16 + role) * 64 + u16::from(u8::from(m.to()))
}

impl Ply {
    /// Those of a search, if it is deep; else none.
    pub(super) fn stack(is_deep: bool) -> Vec<Ply> {
        vec![Ply::default(); if is_deep { MAX_PLY as usize + 1 } else { 0 }]
    }
}
