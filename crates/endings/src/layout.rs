//! How the positions of an ending are numbered.
//!
//! The men other than pawns are in a fixed order: the two kings, then White's pieces, then Black's, the strongest
//! first. The last of them is the *inner* man: a word of 64 bits has a bit for each of its squares. The squares of the
//! others, the *outer* men, number the words of a slice, and the pawns number the slices. Without pawns White's king
//! stands in a triangle of ten squares. With pawns it stands anywhere, and of two mirrored arrangements of pawns there
//! is only one. Some positions have two places, those with White's king on the diagonal or with two equal men; both
//! have the result.

use shakmaty::Role;

use crate::{
    material::{Material, ROLES},
    pawns::PawnSlices,
    squares::{Symmetry, TO_TRIANGLE, TRIANGLE},
};

/// Squares of the men other than pawns, in the order of the layout; those after the last man have no meaning.
pub(crate) type Squares = [u8; 5];

/// The numbering of the positions of an ending.
#[derive(Debug)]
pub(crate) struct Layout {
    pub(crate) material: Material,
    /// Colour (0 is the stronger side) and role of the men other than pawns, kings first.
    pub(crate) men: Vec<(usize, Role)>,
    pub(crate) pawns: PawnSlices,
    /// Whether White's king is in the triangle, because there are no pawns.
    pub(crate) is_triangle: bool,
}

impl Layout {
    pub(crate) fn new(material: Material) -> Self {
        let sides = material.sides();
        let mut men = vec![(0, Role::King), (1, Role::King)];
        for (color, side) in sides.iter().enumerate() {
            for (role, &count) in ROLES.iter().zip(side).filter(|(role, _)| **role != Role::Pawn) {
                men.extend(std::iter::repeat_n((color, *role), usize::from(count)));
            }
        }
        let pawns = PawnSlices::new(usize::from(sides[0][4]), usize::from(sides[1][4]));
        Self { material, men, is_triangle: material.pawns() == 0, pawns }
    }

    /// The number of words of a plane of a slice, that is, of arrangements of the outer men.
    pub(crate) fn words(&self) -> usize {
        let others = 1 << (6 * (self.men.len() - 2));
        others * if self.is_triangle { TRIANGLE.len() } else { 64 }
    }

    /// The number of bytes of the table in memory: two bits for each position and side to move.
    pub(crate) fn bytes(&self) -> usize {
        self.pawns.len() * self.words() * 2 * 2 * size_of::<u64>()
    }

    /// The square of the outer men of a word.
    #[inline]
    pub(crate) fn outer_squares(&self, word: usize) -> Squares {
        let outer = self.men.len() - 1;
        let mut squares = [0; 5];
        let mut rest = word;
        for place in (0..outer).rev() {
            squares[place] = (rest & 63) as u8;
            rest >>= 6;
        }
        if self.is_triangle {
            squares[0] = TRIANGLE[usize::from(squares[0])];
        }
        squares
    }

    /// The word of outer men on these squares, and the symmetry that brings them there.
    #[inline]
    pub(crate) fn word(&self, squares: &Squares) -> (usize, Symmetry) {
        let outer = self.men.len() - 1;
        let (king, symmetry) = if self.is_triangle {
            TO_TRIANGLE[usize::from(squares[0])]
        } else {
            (squares[0], Symmetry::NONE)
        };
        let mut word = usize::from(king);
        for &square in &squares[1..outer] {
            word = word << 6 | usize::from(symmetry.square(square));
        }
        (word, symmetry)
    }

    /// The word and the bit of a position.
    #[inline]
    pub(crate) fn position(&self, squares: &Squares) -> (usize, u8) {
        let (word, symmetry) = self.word(squares);
        (word, symmetry.square(squares[self.men.len() - 1]))
    }
}
