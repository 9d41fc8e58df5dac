use entente::constraint::Target;
use shakmaty::{Chess, Move};

use crate::dataset::goal::GameInfo;

/// What games are compared in: constraints, and windows of ratings.
#[derive(Clone, Debug)]
pub struct Grid {
    /// The constraints.
    pub targets: Vec<Target>,
    /// The middles of the windows.
    pub ratings: Vec<u16>,
    /// How far from the middle both players' ratings may be.
    pub reach: u16,
    /// The longest game, in plies.
    pub max_plies: usize,
}

impl Grid {
    /// The window of a game between players of these ratings; `None` if they are not both in one.
    pub fn window(&self, ratings: [u16; 2]) -> Option<usize> {
        let is_near = |middle: u16| ratings.iter().all(|rating| rating.abs_diff(middle) <= self.reach);
        self.ratings.iter().position(|middle| is_near(*middle))
    }
}

/// A game, cut where it first met a constraint.
#[derive(Clone, Debug)]
pub struct MetGame {
    /// Index into [`Grid::targets`].
    pub constraint: usize,
    /// Index into [`Grid::ratings`].
    pub rating: usize,
    /// The players' ratings, as they are told to the judge.
    pub info: GameInfo,
    /// To the position that met it; at least one.
    pub moves: Vec<Move>,
    /// That position.
    pub last: Chess,
    /// −ln of what the judge would have given each move, in nats; empty before it was asked.
    pub surprise: Vec<f32>,
}

/// A move is rare if the judge gives it less than this.
const RARE: f32 = 0.01;

impl MetGame {
    /// The sum of the surprise of the plies from `from`, up to `to`, in nats.
    pub fn surprise_within(&self, from: usize, to: usize) -> f64 {
        let plies = self.surprise.iter().take(to).skip(from);
        plies.map(|surprise| f64::from(*surprise)).sum()
    }

    /// How many of its plies are rare.
    pub fn rare(&self) -> usize {
        self.surprise.iter().filter(|surprise| **surprise > -RARE.ln()).count()
    }
}
