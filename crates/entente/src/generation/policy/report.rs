use serde::{Deserialize, Serialize};

/// How a game of the policy came about.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct PolicyReport {
    /// What found the game; `None` if nothing did.
    pub by: Option<Delivery>,
    /// White's and Black's rating, if they were told.
    pub ratings: [Option<u16>; 2],
    /// The sum of −ln of what people without a goal would have given the moves, in nats.
    pub surprise: f64,
    /// The plies that the surprise is of.
    pub judged: u32,
    /// The sum of what the mask took away, each ply in [0, 1].
    pub masked: f64,
    /// Plies played while the plies were running out.
    pub tilted: u32,
    /// Plies played by search.
    pub finished: u32,
}

/// What found a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Delivery {
    /// A population.
    Natural,
    /// A game by itself.
    Fast,
    /// A game by tree search.
    Tree,
    /// Best-first search, without the policy.
    Search,
}

impl Delivery {
    /// Its word in records.
    pub fn word(self) -> &'static str {
        match self {
            Delivery::Natural => "natural",
            Delivery::Fast => "fast",
            Delivery::Tree => "tree",
            Delivery::Search => "search",
        }
    }

    /// What such a game is, in plain words.
    pub fn in_words(self) -> &'static str {
        match self {
            Delivery::Natural => "as people play",
            Delivery::Fast => "as people play, but led to the goal",
            Delivery::Tree => "by tree search",
            Delivery::Search => "by search, not as people play",
        }
    }

    /// What sets such a game apart from people's, in a few words.
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
    /// The mean of −ln of what people without a goal would have given the moves, in nats a ply; `None` without moves.
    pub fn mean_surprise(&self) -> Option<f64> {
        (self.judged > 0).then(|| self.surprise / f64::from(self.judged))
    }
}
