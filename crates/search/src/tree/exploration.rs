/// What steers the choice of the next move to look at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exploration {
    /// How much the priors count against the values found so far, at few visits,
    pub factor: f32,
    /// … which grows by the logarithm of the visits over this number (Silver et al. 2018, "A general reinforcement
    /// learning algorithm that masters chess, shogi, and Go through self-play", supplement).
    pub base: f32,
    /// A move that was never visited counts as its node's value less this much, times the root of the sum of the visited
    /// ones' priors.
    pub first_play_reduction: f32,
}

impl Exploration {
    /// For play against an opponent, where values lie between −1 and 1.
    pub const COMPETITIVE: Exploration =
        Exploration { factor: 1.5, base: 18_368.0, first_play_reduction: 0.3 };

    /// For cooperation, where values lie between 0 and 1.
    pub const COOPERATIVE: Exploration =
        Exploration { factor: 1.0, base: 18_368.0, first_play_reduction: 0.1 };

    /// How much the priors count at a node visited so often.
    pub(super) fn at(&self, visits: u32) -> f32 {
        self.factor + ((visits as f32 + self.base + 1.0) / self.base).ln()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exploration_grows_with_the_visits() {
        let exploration = Exploration::COMPETITIVE;
        assert!((exploration.at(0) - exploration.factor).abs() < 1e-3);
        assert!(exploration.at(100_000) > exploration.at(1000));
    }
}
