//! The least numbers of moves that were computed already.

use shakmaty::{Bitboard, Board, Color, Square};

use super::{goal::Goal, keys::Keys};

/// Remembers [`Goal::moves_needed`]: it depends on the men of one side and the pawns of the other, which most moves
/// leave as they are, and costs more than all the rest of a node.
pub(super) struct Bounds {
    /// The upper bits of the key, and in the lower eight the number; 0 is no entry.
    entries: Vec<u64>,
}

/// Entries: eight megabytes a thread.
const ENTRIES: usize = 1 << 20;
const NUMBER: u64 = 0xff;

impl Bounds {
    pub fn new() -> Bounds {
        Bounds { entries: vec![0; ENTRIES] }
    }

    /// [`Goal::moves_needed`] of `color`; `keys` are those of `board`.
    pub fn moves_needed(
        &mut self,
        goal: &Goal,
        (board, keys): (&Board, &Keys),
        rights: Bitboard,
        en_passant: Option<Square>,
        color: Color,
    ) -> u8 {
        let key = keys.side(color, rights, en_passant);
        let entry = &mut self.entries[(key >> 8) as usize % ENTRIES];
        if *entry & !NUMBER != key & !NUMBER {
            let number = goal.moves_needed(board, rights, en_passant, color);
            *entry = key & !NUMBER | u64::from(number);
        }
        (*entry & NUMBER) as u8
    }
}
