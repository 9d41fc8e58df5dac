use entente_search::tree::Exploration;

use super::look_ahead::LookAhead;

/// The parameters of the tree search of play and of its evaluation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    /// Which move is visited next.
    pub exploration: Exploration,
    /// The temperature of the priors: the network's logits are divided by it. Above 1 the priors are more even.
    pub prior_temperature: f32,
    /// The alpha-beta search that finds what the network misses.
    pub look_ahead: LookAhead,
}

impl Parameters {
    /// The default parameters.
    pub const DEFAULT: Parameters = Parameters {
        exploration: Exploration::COMPETITIVE,
        prior_temperature: 1.0,
        look_ahead: LookAhead { nodes: 2000, share: 0.7, prior: 0.25 },
    };
}
