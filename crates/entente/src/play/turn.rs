use entente_search::{Game, Limits, SearchRequest};

use super::players::Players;

/// A move to find.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turn<'a> {
    /// The game so far.
    pub game: &'a Game,
    /// The request. It may have no moves if the position has none.
    pub request: &'a SearchRequest,
    /// How to play.
    pub style: &'a PlayStyle,
    /// When to end. A limited strength may end the search sooner.
    pub limits: Limits<'a>,
}

/// How to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PlayStyle {
    /// The strength; `None` for the best play.
    pub elo: Option<u32>,
    /// Whether a limited strength looks ahead as humans do: the policy has a skill, and it is not switched off.
    pub is_skilled: bool,
    /// What the network is told about the players.
    pub players: Players,
    /// The seed of the draws. A game with the same seed is the same again; each of its moves has its own draw.
    pub seed: u64,
}
