use shakmaty::{Chess, Move, Position, Role};

use super::value::{MAX_PLY, Value};

/// An entry of the search stack: what a deep search knows about a ply of the current line.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ply {
    /// The corrected evaluation; `None` in check.
    pub static_eval: Option<Value>,
    /// The move excluded by a singular extension search.
    pub excluded: Option<Move>,
    /// The move played here, as [`placed`] numbers it; `None` for a null move.
    pub played: Option<u16>,
    /// Whether the moves of this ply are searched to verify a null move.
    pub verifies: bool,
    /// Whether the node is expected to fail high.
    pub is_cut: bool,
    /// The number of extensions by two plies on the way to the node.
    pub doubles: u32,
}

/// The number of pairs of a kind of man and a square.
pub(super) const PLACES: usize = 12 * 64;

/// The number, below [`PLACES`], of the moving man and its target square.
pub(super) fn placed(position: &Chess, m: Move) -> u16 {
    let role = m.role() as u16 - Role::Pawn as u16;
    (6 * position.turn() as u16 + role) * 64 + u16::from(u8::from(m.to()))
}

impl Ply {
    /// The stack of a deep search; empty for a short one.
    pub(super) fn stack(is_deep: bool) -> Vec<Ply> {
        vec![Ply::default(); if is_deep { MAX_PLY as usize + 1 } else { 0 }]
    }
}
