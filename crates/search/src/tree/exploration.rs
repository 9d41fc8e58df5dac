use crate::PortableMath as _;

/// The parameters of move selection (PUCT).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exploration {
    /// The weight of the priors relative to the values found, at few visits.
    pub factor: f32,
    /// The number of visits over which the weight of the priors grows logarithmically (Silver et al. 2018, "A general
    /// reinforcement learning algorithm that masters chess, shogi, and Go through self-play", supplement).
    pub base: f32,
    /// The first play urgency reduction. An unvisited move counts as the value of its node minus this number, times the
    /// square root of the sum of the visited moves' priors.
    pub first_play_reduction: f32,
}

impl Exploration {
    /// The parameters for play against an opponent, where values are in [−1, 1].
    pub const COMPETITIVE: Exploration =
        Exploration { factor: 1.5, base: 18_368.0, first_play_reduction: 0.3 };

    /// The parameters for cooperation, where values are in [0, 1].
    pub const COOPERATIVE: Exploration =
        Exploration { factor: 1.0, base: 18_368.0, first_play_reduction: 0.1 };

    /// The weight of the priors at a node with this number of visits.
    pub(super) fn at(&self, visits: u32) -> f32 {
        self.factor + ((visits as f32 + self.base + 1.0) / self.base).portable_ln()
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
