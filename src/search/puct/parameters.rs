/// What steers the choice of the next move to look at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    /// How much the priors count against the values found so far: the factor of exploration at few visits,
    pub exploration: f32,
    /// … which grows by the logarithm of the visits over this number (Silver et al. 2018, "A general reinforcement
    /// learning algorithm that masters chess, shogi, and Go through self-play", supplement).
    pub exploration_base: f32,
    /// A move that was never visited counts as its node's value less this much, times the root of the sum of the visited
    /// ones' priors.
    pub first_play_reduction: f32,
}

impl Parameters {
    /// For play against an opponent, where values lie between −1 and 1.
    pub const COMPETITIVE: Parameters =
        Parameters { exploration: 1.5, exploration_base: 18_368.0, first_play_reduction: 0.3 };

    /// For cooperation, where values lie between 0 and 1.
    pub const COOPERATIVE: Parameters =
        Parameters { exploration: 1.0, exploration_base: 18_368.0, first_play_reduction: 0.1 };
}
