//! Moves that keep the material and the pawns, for the 64 squares of the inner man at once.
//!
//! Such moves can be taken back: a piece that moves from one square to another can move back, whatever else stands on
//! the board. So the same steps lead from positions to those before them and to those after them.

use shakmaty::Role;

use crate::{
    layout::{Layout, Squares},
    squares::{Symmetry, TO_TRIANGLE, TRIANGLE, attacked, bit, is_diagonal, rays, spread, squares},
};

/// The moves of an ending's pieces with the pawns of one slice.
pub(super) struct Moves<'a> {
    pub(super) layout: &'a Layout,
    /// What one square of each outer man is worth in numbers of words.
    strides: [usize; 5],
    /// The squares of the pawns.
    pub(super) pawns: u64,
}

impl<'a> Moves<'a> {
    pub(super) fn new(layout: &'a Layout, slice: usize) -> Self {
        let outer = layout.men.len() - 1;
        let mut strides = [0; 5];
        for (place, stride) in strides[..outer].iter_mut().enumerate() {
            *stride = 1 << (6 * (outer - 1 - place));
        }
        let pawns = layout.pawns.pawns(slice).iter().fold(0, |set, &pawn| set | bit(pawn));
        Self { layout, strides, pawns }
    }

    /// The squares of the outer men and of the pawns.
    #[inline]
    pub(super) fn occupied(&self, at: &Squares) -> u64 {
        at[..self.layout.men.len() - 1].iter().fold(self.pawns, |set, &square| set | bit(square))
    }

    /// Calls `visit` with each word that moves of `side`'s outer men lead to, the symmetry that brings the inner man
    /// there, and those squares of the inner man, of the given ones, that do not block the move. Ends when it returns
    /// true.
    ///
    /// If White's king reaches the diagonal, two words stand for the same positions; `both` visits both of them.
    #[inline(always)]
    fn outer(
        &self,
        side: usize,
        word: usize,
        at: &Squares,
        inner: u64,
        both: bool,
        mut visit: impl FnMut(usize, Symmetry, u64) -> bool,
    ) {
        let occupied = self.occupied(at);
        let outer = self.layout.men.len() - 1;
        for place in 0..outer {
            let (color, role) = self.layout.men[place];
            if color != side {
                continue;
            }
            let (from, stride) = (at[place], self.strides[place]);
            let rest = word.wrapping_sub(usize::from(from).wrapping_mul(stride));
            let target = |square: u8| rest.wrapping_add(usize::from(square).wrapping_mul(stride));
            match role {
                Role::King if place == 0 && self.layout.is_triangle => {
                    for square in squares(attacked(role, 0, from, 0)) {
                        let (king, symmetry) = TO_TRIANGLE[usize::from(square)];
                        let end = |symmetry: Symmetry| {
                            let others = (1..outer)
                                .map(|other| usize::from(symmetry.square(at[other])) * self.strides[other]);
                            others.sum::<usize>() + usize::from(king) * stride
                        };
                        if visit(end(symmetry), symmetry, inner) {
                            return;
                        }
                        if both && is_diagonal(TRIANGLE[usize::from(king)]) {
                            let other = symmetry.then_diagonal();
                            visit(end(other), other, inner);
                        }
                    }
                }
                Role::King | Role::Knight => {
                    for square in squares(attacked(role, 0, from, 0) & !occupied) {
                        if visit(target(square), Symmetry::NONE, inner) {
                            return;
                        }
                    }
                }
                _ => {
                    for (step, count) in rays(role, from) {
                        let (mut square, mut free) = (from, inner);
                        for _ in 0..count {
                            square = square.wrapping_add_signed(step);
                            free &= !bit(square);
                            if occupied & bit(square) != 0 || free == 0 {
                                break;
                            }
                            if visit(target(square), Symmetry::NONE, free) {
                                return;
                            }
                        }
                    }
                }
            }
        }
    }

    /// Of the positions of a word, those from which a move of `side` leads into a set. Complete only for the squares
    /// `wanted`: once all of them are found, the rest is left out.
    #[inline]
    pub(super) fn reaching(&self, side: usize, set: &[u64], word: usize, at: &Squares, wanted: u64) -> u64 {
        let mut found = 0;
        let &(color, role) = self.layout.men.last().expect("there are kings");
        if color == side && set[word] != 0 {
            found = spread(role, set[word], self.occupied(at));
            if found & wanted == wanted {
                return found;
            }
        }
        self.outer(side, word, at, !0, false, |end, symmetry, free| {
            found |= symmetry.source(set[end]) & free;
            found & wanted == wanted
        });
        found
    }

    /// Calls `visit` with the words, and the positions in them, from which a move of `side` leads to the positions
    /// `reached` of a word.
    #[inline]
    pub(super) fn before(
        &self,
        side: usize,
        word: usize,
        at: &Squares,
        reached: u64,
        mut visit: impl FnMut(usize, u64),
    ) {
        let &(color, role) = self.layout.men.last().expect("there are kings");
        if color == side {
            visit(word, spread(role, reached, self.occupied(at)));
        }
        self.outer(side, word, at, reached, true, |end, symmetry, free| {
            visit(end, symmetry.set(free));
            false
        });
    }
}
