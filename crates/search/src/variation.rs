use shakmaty::Move;

use super::Score;

/// A line of play and its value for the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variation {
    /// The value.
    pub score: Score,
    /// The chances to win, draw and lose, in thousandths that add up to 1000.
    pub chances: [u32; 3],
    /// The moves; never empty.
    pub moves: Vec<Move>,
}

impl Variation {
    /// A line of which nothing but the score is known.
    pub fn of(score: Score, moves: Vec<Move>) -> Variation {
        Variation { score, chances: score.chances(), moves }
    }
}
