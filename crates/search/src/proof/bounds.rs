//! A cache of the lower bounds on moves.

use shakmaty::{Board, Color};

use super::{goal::ProofGoal, keys::State};

/// A cache of [`ProofGoal::moves_needed`]. This bound depends only on the men of one side and the pawns of the other,
/// which most moves do not change, and it costs more than the rest of a node.
pub(super) struct Bounds {
    /// Each entry has 56 bits of the key, apart from the bits that select the entry, and the bound in the lower eight
    /// bits; 0 is an empty entry.
    entries: Vec<u64>,
}

/// The number of entries. They take 8 MiB per thread.
const ENTRIES: usize = 1 << 20;
/// The bits of an entry that hold the bound.
const NUMBER: u64 = 0xff;

impl Bounds {
    pub(super) fn new() -> Bounds {
        Bounds { entries: vec![0; ENTRIES] }
    }

    /// [`ProofGoal::moves_needed`] for `color`. `board` supplies the board of `state` if the bound must be computed.
    pub(super) fn moves_needed<'a>(
        &mut self,
        goal: &ProofGoal,
        state: &State,
        color: Color,
        board: impl FnOnce() -> &'a Board,
    ) -> u8 {
        let key = state.side(color);
        let entry = &mut self.entries[key as usize % ENTRIES];
        let key = (key >> 64) as u64;
        if *entry & !NUMBER != key & !NUMBER {
            let number = goal.moves_needed(board(), state.rights, state.en_passant, color);
            *entry = key & !NUMBER | u64::from(number);
        }
        (*entry & NUMBER) as u8
    }
}
