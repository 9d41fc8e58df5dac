use entente_search::{Game, Limits, SearchRequest};

use super::players::Players;

/// A move to be found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turn<'a> {
    /// The game so far.
    pub game: &'a Game,
    /// What is asked; it may name no move where there is none.
    pub request: &'a SearchRequest,
    /// How to play.
    pub style: &'a PlayStyle,
    /// When to end; a strength below the best may end it sooner.
    pub limits: Limits<'a>,
}

/// How to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PlayStyle {
    /// How strongly; as well as possible if not given.
    pub elo: Option<u32>,
    /// Whether a strength is that of people who look at what comes of their moves: the policy has a skill, which is not
    /// switched off.
    pub is_skilled: bool,
    /// Who plays, as far as the network is told.
    pub players: Players,
    /// What moves are drawn by. A game with the same seed is the same again; each of its moves has another draw.
    pub seed: u64,
}
