use shakmaty::Move;

use super::Score;

/// A line of play and its value for the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variation {
    /// The score.
    pub score: Score,
    /// The probabilities of a win, a draw and a loss, in thousandths that add up to 1000.
    pub chances: [u32; 3],
    /// The moves; at least one.
    pub moves: Vec<Move>,
    /// The depth of the iteration that found it, in plies; `None` if the whole report has one depth.
    pub depth: Option<u32>,
}

impl Variation {
    /// A line with the probabilities that follow from its score.
    pub fn of(score: Score, moves: Vec<Move>) -> Variation {
        Variation { score, chances: score.chances(), moves, depth: None }
    }
}
