//! Squares as numbers (a1 = 0, b1 = 1, …, h8 = 63), sets of squares as words of 64 bits, and the symmetries of the
//! board.

use shakmaty::{Bitboard, Color, Role, Square, attacks};

/// The squares to which symmetry can bring a king when there are no pawns: the triangle a1, d1, d4.
pub(crate) const TRIANGLE: [u8; 10] = [0, 1, 2, 3, 9, 10, 11, 18, 19, 27];

/// A symmetry of the board: first bit 0 mirrors the files and bit 1 the ranks, then bit 2 mirrors at the diagonal
/// a1-h8.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Symmetry(pub(crate) u8);

impl Symmetry {
    pub(crate) const NONE: Self = Self(0);

    /// The symmetry followed by the mirror at the diagonal.
    pub(crate) const fn then_diagonal(self) -> Self {
        Self(self.0 ^ 4)
    }

    /// Where a square goes.
    #[inline]
    pub(crate) const fn square(self, square: u8) -> u8 {
        let flipped = square ^ ((self.0 & 1) * 7) ^ ((self.0 >> 1 & 1) * 56);
        if self.0 & 4 == 0 { flipped } else { (flipped & 7) << 3 | flipped >> 3 }
    }

    /// Where a set of squares goes.
    #[inline]
    pub(crate) const fn set(self, set: u64) -> u64 {
        let mut set = flip(set, self.0);
        if self.0 & 4 != 0 {
            set = transpose(set);
        }
        set
    }

    /// The set that goes to the given one.
    #[inline]
    pub(crate) const fn source(self, set: u64) -> u64 {
        flip(if self.0 & 4 == 0 { set } else { transpose(set) }, self.0)
    }
}

/// Mirrors the files (bit 0) and the ranks (bit 1).
#[inline]
const fn flip(mut set: u64, axes: u8) -> u64 {
    if axes & 2 != 0 {
        set = set.swap_bytes();
    }
    if axes & 1 != 0 {
        set = set.reverse_bits().swap_bytes();
    }
    set
}

/// Mirrors at the diagonal a1-h8 by exchanging blocks of four, two and one squares.
const fn transpose(mut set: u64) -> u64 {
    let swapped = 0x0f0f_0f0f_0000_0000 & (set ^ (set << 28));
    set ^= swapped ^ (swapped >> 28);
    let swapped = 0x3333_0000_3333_0000 & (set ^ (set << 14));
    set ^= swapped ^ (swapped >> 14);
    let swapped = 0x5500_5500_5500_5500 & (set ^ (set << 7));
    set ^ swapped ^ (swapped >> 7)
}

/// For each square the place in the triangle to which a symmetry brings it, and that symmetry.
pub(crate) const TO_TRIANGLE: [(u8, Symmetry); 64] = {
    let mut table = [(0, Symmetry::NONE); 64];
    let mut square = 0;
    while square < 64 {
        let (file, rank) = (square & 7, square >> 3);
        let mut symmetry = Symmetry((file > 3) as u8 | ((rank > 3) as u8) << 1);
        let flipped = symmetry.square(square as u8);
        if flipped >> 3 > flipped & 7 {
            symmetry = symmetry.then_diagonal();
        }
        let target = symmetry.square(square as u8);
        let mut place = 0;
        while TRIANGLE[place] != target {
            place += 1;
        }
        table[square] = (place as u8, symmetry);
        square += 1;
    }
    table
};

/// Whether a square is on the diagonal a1-h8.
#[inline]
pub(crate) const fn is_diagonal(square: u8) -> bool {
    square >> 3 == square & 7
}

#[inline]
pub(crate) const fn bit(square: u8) -> u64 {
    1 << square
}

/// The squares of a set, ascending.
#[inline]
pub(crate) fn squares(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let square = set.trailing_zeros() as u8;
            set &= set - 1;
            square
        })
    })
}

fn square(index: u8) -> Square {
    Square::new(u32::from(index))
}

/// The squares that a man attacks; of pawns, `color` 0 is White.
#[inline]
pub(crate) fn attacked(role: Role, color: usize, from: u8, occupied: u64) -> u64 {
    let color = if color == 0 { Color::White } else { Color::Black };
    attacks::attacks(square(from), role.of(color), Bitboard(occupied)).into()
}

/// The squares strictly between two squares of a line, rank, file or diagonal; none if they share no line.
#[inline]
pub(crate) fn between(first: u8, second: u8) -> u64 {
    attacks::between(square(first), square(second)).into()
}

/// The eight directions of queens as (step, squares that are not on the edge toward which the step goes). The first
/// four are those of rooks.
const DIRECTIONS: [(i8, u64); 8] = {
    const NOT_A: u64 = !0x0101_0101_0101_0101;
    const NOT_H: u64 = !0x8080_8080_8080_8080;
    const NOT_1: u64 = !0xff;
    const NOT_8: u64 = !(0xff << 56);
    [
        (1, NOT_H),
        (-1, NOT_A),
        (8, NOT_8),
        (-8, NOT_1),
        (9, NOT_H & NOT_8),
        (7, NOT_A & NOT_8),
        (-7, NOT_H & NOT_1),
        (-9, NOT_A & NOT_1),
    ]
};

/// For each of the eight directions and each square, the number of steps to the edge.
const STEPS: [[u8; 64]; 8] = {
    let mut steps = [[0; 64]; 8];
    let mut direction = 0;
    while direction < 8 {
        let (step, inner) = DIRECTIONS[direction];
        let mut from = 0;
        while from < 64 {
            let mut at = from as i8;
            while inner >> at & 1 == 1 {
                at += step;
                steps[direction][from] += 1;
            }
            from += 1;
        }
        direction += 1;
    }
    steps
};

/// Which of [`DIRECTIONS`] a queen, rook or bishop moves in.
const fn directions(role: Role) -> std::ops::Range<usize> {
    match role {
        Role::Queen => 0..8,
        Role::Rook => 0..4,
        Role::Bishop => 4..8,
        _ => 0..0,
    }
}

/// For a queen, rook or bishop: for each direction its step and the number of steps to the edge.
#[inline]
pub(crate) fn rays(role: Role, from: u8) -> impl Iterator<Item = (i8, u8)> {
    directions(role).map(move |direction| (DIRECTIONS[direction].0, STEPS[direction][from as usize]))
}

#[inline]
const fn shift(set: u64, step: i8) -> u64 {
    if step > 0 { set << step } else { set >> -step }
}

/// The squares attacked by men of one role on any square of a set, where sliders pass the squares that are not
/// occupied.
#[inline]
pub(crate) fn spread(role: Role, from: u64, occupied: u64) -> u64 {
    match role {
        Role::King => {
            let row = (from & DIRECTIONS[0].1) << 1 | (from & DIRECTIONS[1].1) >> 1;
            row | (row | from) << 8 | (row | from) >> 8
        }
        Role::Knight => {
            let (right, left) = (DIRECTIONS[0].1, DIRECTIONS[1].1);
            let (one, two) = ((from & right) << 1, ((from & right) << 1 & right) << 1);
            let (back, far) = ((from & left) >> 1, ((from & left) >> 1 & left) >> 1);
            (one | back) << 16 | (one | back) >> 16 | (two | far) << 8 | (two | far) >> 8
        }
        _ => directions(role).fold(0, |set, direction| set | slide(DIRECTIONS[direction], from, !occupied)),
    }
}

/// What sliders on a set attack in one direction: Kogge and Stone's parallel prefix.
#[inline]
fn slide((step, inner): (i8, u64), from: u64, empty: u64) -> u64 {
    // A square is entered only by a step that does not go over the edge.
    let entered = shift(inner, step);
    let mut reached = from;
    let mut free = empty & entered;
    reached |= free & shift(reached, step);
    free &= shift(free, step);
    reached |= free & shift(reached, 2 * step);
    free &= shift(free, 2 * step);
    reached |= free & shift(reached, 4 * step);
    shift(reached & inner, step)
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng, rngs::StdRng};

    use super::*;

    #[test]
    fn symmetries_move_sets_as_they_move_squares() {
        for number in 0..8 {
            let symmetry = Symmetry(number);
            for square in 0..64 {
                assert_eq!(symmetry.set(bit(square)), bit(symmetry.square(square)));
                assert_eq!(symmetry.source(bit(symmetry.square(square))), bit(square));
            }
        }
        for square in 0..64_u8 {
            let (place, symmetry) = TO_TRIANGLE[usize::from(square)];
            assert_eq!(symmetry.square(square), TRIANGLE[usize::from(place)]);
        }
    }

    #[test]
    fn a_set_attacks_what_its_squares_attack() {
        let mut random = StdRng::seed_from_u64(1);
        for _ in 0..2000 {
            let from = random.next_u64() & random.next_u64() & random.next_u64();
            let occupied = random.next_u64() & random.next_u64() & !from;
            for role in [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight] {
                let expected = squares(from).fold(0, |set, square| set | attacked(role, 0, square, occupied));
                assert_eq!(spread(role, from, occupied), expected, "{role:?} {from:x} {occupied:x}");
            }
        }
    }

    #[test]
    fn rays_reach_the_edge() {
        for from in 0..64_u8 {
            for role in [Role::Queen, Role::Rook, Role::Bishop] {
                let set = rays(role, from).flat_map(|(step, count)| {
                    (1..=count as i8).map(move |number| bit((from as i8 + number * step) as u8))
                });
                assert_eq!(set.fold(0, |set, bit| set | bit), attacked(role, 0, from, 0));
            }
        }
    }
}
