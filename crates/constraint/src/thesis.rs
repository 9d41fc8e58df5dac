//! The constraint sets of the thesis: exact numbers of White's men.

use shakmaty::Color;

use super::{Constraint, Tuple};

/// White's exact numbers of men (Q, R, B, N, P).
pub type Counts = [u8; 5];

/// The 17 constraints of experiment 2 (thesis, table 3.2). Experiment 1 uses the first seven.
pub const SEVENTEEN: [Counts; 17] = [
    [1, 2, 2, 2, 7],
    [1, 2, 2, 1, 8],
    [1, 2, 1, 2, 8],
    [0, 2, 2, 2, 8],
    [1, 2, 2, 1, 7],
    [1, 2, 1, 2, 7],
    [0, 2, 2, 2, 7],
    [1, 2, 1, 1, 7],
    [1, 2, 2, 0, 7],
    [1, 2, 0, 2, 7],
    [1, 1, 2, 2, 8],
    [1, 2, 2, 2, 6],
    [1, 2, 1, 1, 8],
    [1, 2, 2, 2, 5],
    [1, 2, 1, 1, 6],
    [1, 2, 2, 0, 6],
    [1, 2, 0, 2, 6],
];

/// The seven constraints of experiment 1.
pub fn seven() -> &'static [Counts] {
    &SEVENTEEN[..7]
}

/// All 486 constraints in which no kind has more men than in the initial position, in lexicographic order.
pub fn all() -> Vec<Counts> {
    let mut all = Vec::with_capacity(486);
    for queens in 0..=1 {
        for rooks in 0..=2 {
            for bishops in 0..=2 {
                for knights in 0..=2 {
                    all.extend((0..=8).map(|pawns| [queens, rooks, bishops, knights, pawns]));
                }
            }
        }
    }
    all
}

/// The constraint that White has exactly these numbers of men.
pub fn constraint(counts: Counts) -> Constraint {
    Tuple { color: Color::White, counts }.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_486_constraints_include_the_17() {
        let all = all();
        assert_eq!(all.len(), 486);
        assert!(SEVENTEEN.iter().all(|counts| all.contains(counts)));
        assert_eq!(constraint(SEVENTEEN[0]).to_string(), "(1,2,2,2,7)");
    }
}
