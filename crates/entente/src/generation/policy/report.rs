use serde::{Deserialize, Serialize};

/// How a policy produced a game.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct PolicyReport {
    /// How the game was found; `None` if it was not.
    pub by: Option<Delivery>,
    /// The ratings of White and Black, if the network was given them.
    pub ratings: [Option<u16>; 2],
    /// The sum of −ln of the probabilities that the policy without a goal gives the moves, in nats.
    pub surprise: f64,
    /// The number of plies in this sum.
    pub judged: u32,
    /// The sum of the masked probabilities, in [0, 1] for each ply.
    pub masked: f64,
    /// The number of plies at which the action values changed the policy because few plies were left.
    pub tilted: u32,
    /// The number of plies played by search.
    pub finished: u32,
}

/// How a game was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Delivery {
    /// It was drawn from a population.
    Natural,
    /// It was played by itself.
    Fast,
    /// Its moves were drawn from tree searches.
    Tree,
    /// It was found by best-first search, without the policy.
    Search,
}

impl Delivery {
    /// The word in records.
    pub fn word(self) -> &'static str {
        match self {
            Delivery::Natural => "natural",
            Delivery::Fast => "fast",
            Delivery::Tree => "tree",
            Delivery::Search => "search",
        }
    }

    /// A description of such games.
    pub fn in_words(self) -> &'static str {
        match self {
            Delivery::Natural => "as people play",
            Delivery::Fast => "as people play, but led to the goal",
            Delivery::Tree => "by tree search",
            Delivery::Search => "by search, not as people play",
        }
    }

    /// How such games differ from human ones, in a few words; `None` if they do not.
    pub fn caveat(self) -> Option<&'static str> {
        match self {
            Delivery::Natural => None,
            Delivery::Fast => Some("led to the goal"),
            Delivery::Tree => Some("by tree search"),
            Delivery::Search => Some("by search"),
        }
    }
}

impl PolicyReport {
    /// The mean of −ln of the probabilities that the policy without a goal gives the moves, in nats per ply; `None` if
    /// there are no moves.
    pub fn mean_surprise(&self) -> Option<f64> {
        (self.judged > 0).then(|| self.surprise / f64::from(self.judged))
    }
}
