//! A table in memory: the results of all positions of an ending.

use crate::{
    layout::{Layout, Squares},
    squares::bit,
    wdl::Wdl,
};

/// The results of all positions of an ending.
///
/// A slice has two words for each word of the layout, first with White to move, then with Black: the wins of the side to
/// move and its losses. Bits of illegal positions have no meaning.
pub(crate) struct Table {
    pub(crate) layout: Layout,
    pub(crate) slices: Vec<Box<[u64]>>,
}

impl Table {
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
        let pair = pair(&self.slices[slice], &self.layout, turn, word);
        Some(Wdl::of_bits(pair[0] & bit(inner) != 0, pair[1] & bit(inner) != 0))
    }
}

/// The words of wins and losses of a slice.
#[inline]
pub(crate) fn pair(slice: &[u64], layout: &Layout, turn: usize, word: usize) -> [u64; 2] {
    let at = 2 * (turn * layout.words() + word);
    [slice[at], slice[at + 1]]
}
