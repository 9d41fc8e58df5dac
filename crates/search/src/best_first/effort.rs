//! How one attempt of a search is made different from the next.

use entente_constraint::guide::{Estimate, PLY};
use rand::{Rng, RngExt};

/// How hard and how greedily a [`BestFirst`](super::BestFirst) searches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effort {
    /// What a ply of the estimate counts; a ply played counts 1.
    pub weight: f32,
    /// Chance that is added to each position's value, at most, in plies.
    pub noise: f32,
    /// Positions searched, at most.
    pub nodes: u64,
    /// Which of the ways it looks at, see [`Guide::focus_for`](entente_constraint::guide::Guide::focus_for).
    pub attempt: u32,
    /// Random plies before the plan, at most, for variety; there are none if the game has to be short.
    pub opening: u32,
}

impl Effort {
    /// Random plies before a plan, at most.
    pub const OPENING: u32 = 8;
    /// Positions of the shortest attempts.
    const FIRST_NODES: u64 = 20_000;
    /// Positions of any attempt, at most: they bound the memory, some 40 bytes each.
    const MOST_NODES: u64 = 2_500_000;
    /// Weights and noise, in turn: which of them finds a plan soonest differs from target to target.
    const STYLES: [(f32, f32); 3] = [(2.0, 2.0), (2.0, 0.5), (3.0, 1.0)];

    /// The effort of one of a row of attempts, counted from 0.
    ///
    /// Some targets are found by chance in a short attempt, others only in a long one: the lengths follow Luby, Sinclair
    /// and Zuckerman (1993), whose order is nearly as good as the best for a target that one knew.
    pub fn of_attempt(attempt: u32) -> Effort {
        let (weight, noise) = Effort::STYLES[attempt as usize % Effort::STYLES.len()];
        let nodes = (Effort::FIRST_NODES * luby(attempt + 1)).min(Effort::MOST_NODES);
        // Where that is no help, every other attempt goes without.
        let opening = if attempt.is_multiple_of(2) { Effort::OPENING } else { 0 };
        Effort { weight, noise, nodes, attempt, opening }
    }

    /// Lower is better; equals are drawn by lot.
    pub(super) fn value(self, ply: u32, estimate: Estimate, rng: &mut impl Rng) -> u64 {
        let left = estimate.total() as f32 / PLY as f32;
        let value = ply as f32 + self.weight * left + self.noise * rng.random::<f32>();
        (((value * 64.0) as u64) << 32) | u64::from(rng.random::<u32>())
    }
}

/// 1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8, …; counted from 1.
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
    fn attempts_are_short_and_now_and_then_long() {
        let lengths: Vec<u64> = (1..=15).map(luby).collect();
        assert_eq!(lengths, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
        assert!((0..2000).all(|attempt| Effort::of_attempt(attempt).nodes <= Effort::MOST_NODES));
    }
}
