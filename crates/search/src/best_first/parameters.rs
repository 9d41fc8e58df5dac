//! The parameters of an attempt, which vary so that attempts differ.

use entente_constraint::guide::{Estimate, PLY};
use rand::{Rng, RngExt};

/// The parameters of a [`BestFirst`](super::BestFirst) search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BestFirstParameters {
    /// The weight of an estimated ply. A ply played has weight 1.
    pub weight: f32,
    /// The greatest random amount added to each position's value, in plies.
    pub noise: f32,
    /// The most positions searched.
    pub nodes: u64,
    /// The index of the attempt, which chooses the alternatives that the guide considers; see
    /// [`Guide::focus_for`](entente_constraint::guide::Guide::focus_for).
    pub attempt: u32,
    /// The most random plies before the plan, for variety. There are none if the game must be short.
    pub opening: u32,
}

impl BestFirstParameters {
    /// The most random plies before a plan.
    pub const OPENING: u32 = 8;
    /// The positions of the shortest attempts.
    const FIRST_NODES: u64 = 20_000;
    /// The most positions of any attempt. They take about 40 bytes each, so this bounds the memory.
    const MAX_NODES: u64 = 2_500_000;
    /// Pairs of weight and noise, used in turn. Which of them is fastest depends on the target.
    const STYLES: [(f32, f32); 3] = [(2.0, 2.0), (2.0, 0.5), (3.0, 1.0)];

    /// The effort of an attempt in a series, counted from 0.
    ///
    /// Some targets are found by luck in a short attempt, others only in a long one. The lengths follow the universal
    /// sequence of Luby, Sinclair and Zuckerman (1993), which is within a logarithmic factor of the best sequence for
    /// the target.
    pub fn of_attempt(attempt: u32) -> BestFirstParameters {
        let (weight, noise) =
            BestFirstParameters::STYLES[attempt as usize % BestFirstParameters::STYLES.len()];
        let nodes =
            (BestFirstParameters::FIRST_NODES * luby(attempt + 1)).min(BestFirstParameters::MAX_NODES);
        // A random opening does not help for every target, so every other attempt has none.
        let opening = if attempt.is_multiple_of(2) { BestFirstParameters::OPENING } else { 0 };
        BestFirstParameters { weight, noise, nodes, attempt, opening }
    }

    /// The priority of a position, of which lower is better. Ties are broken at random.
    pub(super) fn value(self, ply: u32, estimate: Estimate, rng: &mut impl Rng) -> u64 {
        let left = estimate.total() as f32 / PLY as f32;
        let value = ply as f32 + self.weight * left + self.noise * rng.random::<f32>();
        (((value * 64.0) as u64) << 32) | u64::from(rng.random::<u32>())
    }
}

/// An element of the Luby sequence 1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8, …, counted from 1.
fn luby(mut index: u32) -> u64 {
    loop {
        let length = 32 - index.leading_zeros();
        if index == u32::MAX >> (32 - length) {
            return 1 << (length - 1);
        }
        index -= (1 << (length - 1)) - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attempts_are_usually_short_and_occasionally_long() {
        let lengths: Vec<u64> = (1..=15).map(luby).collect();
        assert_eq!(lengths, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
        assert!(
            (0..2000)
                .all(|attempt| BestFirstParameters::of_attempt(attempt).nodes
                    <= BestFirstParameters::MAX_NODES)
        );
    }
}
