//! A table in memory: the results of all positions of an ending.

use crate::{
    layout::{Layout, Squares},
    squares::bit,
    wdl::Wdl,
};

/// The results of all positions of an ending.
///
pub(crate) struct Table {
    pub(crate) layout: Layout,
    pub(crate) slices: Vec<Slice>,
}

/// The results of a slice with each side to move, the stronger one first. For each word of the layout there are two:
/// the wins of the side to move and its losses. Bits of illegal positions have no meaning. Either part is empty if it
/// was not loaded.
pub(crate) type Slice = [Box<[u64]>; 2];

impl Table {
    /// Whether the results with these sides to move are loaded.
    pub(crate) fn has(&self, turns: [bool; 2]) -> bool {
        (0..2).all(|turn| !turns[turn] || !self.slices[0][turn].is_empty())
    }

    /// The result for the side to move (0 is the stronger side) with men and pawns on these squares.
    ///
    /// `None` if pawns stand where no pawn can.
    #[inline]
    pub(crate) fn value(&self, turn: usize, mut squares: Squares, pawns: &[u8]) -> Option<Wdl> {
        let mut slice = 0;
        if !self.layout.is_triangle {
            let (found, is_mirrored) = self.layout.pawns.find(pawns)?;
            slice = found;
            if is_mirrored {
                for square in &mut squares {
                    *square ^= 7;
                }
            }
        }
        let (word, inner) = self.layout.position(&squares);
        let pair = pair(&self.slices[slice], turn, word);
        Some(Wdl::of_bits(pair[0] & bit(inner) != 0, pair[1] & bit(inner) != 0))
    }
}

/// The words of wins and losses of a slice.
#[inline]
pub(crate) fn pair(slice: &Slice, turn: usize, word: usize) -> [u64; 2] {
    let words = &slice[turn][2 * word..2 * word + 2];
    [words[0], words[1]]
}
