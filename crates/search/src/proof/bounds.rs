//! The least numbers of moves that were computed already.

use shakmaty::{Board, Color};

use super::{goal::Goal, keys::State};

/// Remembers [`Goal::moves_needed`]: it depends on the men of one side and the pawns of the other, which most moves
/// leave as they are, and costs more than all the rest of a node.
pub(super) struct Bounds {
    /// 56 bits of the key beside those that say where it is, and in the lower eight the number; 0 is no entry.
    entries: Vec<u64>,
}

/// Entries: eight megabytes a thread.
const ENTRIES: usize = 1 << 20;
const NUMBER: u64 = 0xff;

impl Bounds {
    pub(super) fn new() -> Bounds {
        Bounds { entries: vec![0; ENTRIES] }
    }

    /// [`Goal::moves_needed`] of `color`; `board` makes the board that `state` is of.
    pub(super) fn moves_needed<'a>(
        &mut self,
        goal: &Goal,
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
