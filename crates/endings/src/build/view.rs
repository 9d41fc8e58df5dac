//! The positions after a capture, in the order of the slice in progress, so that each is read once from its table.

use super::sub::{Outcome, Place, Sub};
use crate::{
    layout::{Layout, Squares},
    squares::{TO_TRIANGLE, TRIANGLE},
};

/// The outcomes, for the side that captured, of all positions of some men; the words are about one of them, the inner.
pub(super) struct View {
    words: Vec<Outcome>,
    /// The outer men of the slice, in order.
    outer: Vec<usize>,
    is_triangle: bool,
}

impl View {
    /// The positions of `sub`, in which the man `inner` of the slice and the men `outer` remain.
    pub(super) fn new(sub: &Sub, layout: &Layout, mover: usize, outer: Vec<usize>, inner: usize) -> Self {
        // If White's king is the inner man, it stands anywhere.
        let is_triangle = layout.is_triangle && outer.first() == Some(&0);
        let first = if is_triangle { TRIANGLE.len() } else { 64 };
        let count = first << (6 * (outer.len() - 1));
        let words = (0..count).map(|word| {
            let mut at = Squares::default();
            let mut rest = word;
            for &man in outer.iter().rev() {
                at[man] = (rest & 63) as u8;
                rest >>= 6;
            }
            if is_triangle {
                at[0] = TRIANGLE[usize::from(at[0])];
            }
            sub.outcome(mover, &at, Place::Man(inner), !0)
        });
        Self { words: words.collect(), outer, is_triangle }
    }

    /// The outcomes for all squares of the inner man.
    #[inline]
    pub(super) fn read(&self, at: &Squares) -> Outcome {
        if self.is_triangle {
            let (king, symmetry) = TO_TRIANGLE[usize::from(at[0])];
            let others = &self.outer[1..];
            let word = others
                .iter()
                .fold(usize::from(king), |word, &man| word << 6 | usize::from(symmetry.square(at[man])));
            if symmetry.0 == 0 { self.words[word] } else { self.words[word].mirrored(symmetry) }
        } else {
            self.words[self.outer.iter().fold(0, |word, &man| word << 6 | usize::from(at[man]))]
        }
    }
}
