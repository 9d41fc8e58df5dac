/// What steers the choice of the next move to look at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    /// How much the priors count against the values found so far: the factor of exploration at few visits,
    pub exploration: f32,
    /// … which grows by the logarithm of the visits over this number (Silver et al. 2018, "A general reinforcement
    /// learning algorithm that masters chess, shogi, and Go through self-play", supplement).
    pub exploration_base: f32,
    /// A move that was never visited counts as its node's value less this much, times the root of the priors' sum of the
    /// visited ones.
    pub first_play_reduction: f32,
    /// The share of the best child's value in that of a node; the rest is the mean of its visits. Cooperative search only.
    pub best_share: f32,
    /// Priors are taken to the power of one over this before they are used: above 1 they are more even.
    pub prior_temperature: f32,
}

impl Default for Parameters {
    fn default() -> Parameters {
        Parameters {
            exploration: 1.5,
            exploration_base: 18_368.0,
            first_play_reduction: 0.3,
            best_share: 0.0,
            prior_temperature: 1.2,
        }
    }
}
