use std::ops::{Add, AddAssign, Sub};

/// A pair of values for the middlegame and the endgame, in centipawns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tapered {
    /// The value with all men on the board.
    pub middlegame: i32,
    /// The value with only kings and pawns.
    pub endgame: i32,
}

/// The phase of the initial position: 1 for each knight and bishop, 2 for each rook, 4 for each queen.
pub const FULL_PHASE: i32 = 24;

/// A constructor with a short name, for tables of values.
pub(super) const fn s(middlegame: i32, endgame: i32) -> Tapered {
    Tapered { middlegame, endgame }
}

impl Add for Tapered {
    type Output = Tapered;

    fn add(self, other: Tapered) -> Tapered {
        s(self.middlegame + other.middlegame, self.endgame + other.endgame)
    }
}

impl Sub for Tapered {
    type Output = Tapered;

    fn sub(self, other: Tapered) -> Tapered {
        s(self.middlegame - other.middlegame, self.endgame - other.endgame)
    }
}

impl AddAssign for Tapered {
    fn add_assign(&mut self, other: Tapered) {
        *self = *self + other;
    }
}

impl Tapered {
    /// The value multiplied by `count`.
    pub(super) fn times(self, count: usize) -> Tapered {
        s(self.middlegame * count as i32, self.endgame * count as i32)
    }

    /// The value interpolated for a phase, in centipawns.
    pub fn at(self, phase: i32) -> i32 {
        let phase = phase.clamp(0, FULL_PHASE);
        (self.middlegame * phase + self.endgame * (FULL_PHASE - phase)) / FULL_PHASE
    }
}
