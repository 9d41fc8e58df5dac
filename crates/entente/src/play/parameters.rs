use entente_search::tree::Exploration;

use super::look_ahead::LookAhead;

/// What steers a tree search of play, and what its judges think.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    /// Which move is looked at next.
    pub exploration: Exploration,
    /// The network's logits are divided by it for the priors: above 1 they are more even.
    pub prior_temperature: f32,
    /// The alpha-beta search that corrects what the network overlooks.
    pub look_ahead: LookAhead,
}

impl Parameters {
    /// The usual ones.
    pub const DEFAULT: Parameters = Parameters {
        exploration: Exploration::COMPETITIVE,
        prior_temperature: 1.0,
        look_ahead: LookAhead { nodes: 2000, share: 0.7, prior: 0.25 },
    };
}
