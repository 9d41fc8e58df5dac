use shakmaty::Move;

use super::{Limits, Score, Timer};

/// What to search for.
#[derive(Clone, Debug)]
pub struct SearchRequest {
    /// The moves to choose from: legal, and at least one.
    pub moves: Vec<Move>,
    /// The depth of the last iteration, in plies; for a tree search, the length of the longest line.
    pub depth: u32,
    /// If set, the search ends when it finds a mate in at most this number of moves.
    pub mate: Option<u32>,
    /// True to use all the time even if the result can no longer change.
    pub patient: bool,
    /// The number of best moves for which to report a line.
    pub lines: usize,
}

impl SearchRequest {
    /// The depth of a search without a depth limit.
    pub const NO_DEPTH: u32 = u32::MAX;

    /// Asks for the best of these moves, with no limit but those of the search.
    pub fn best_of(moves: impl Into<Vec<Move>>) -> SearchRequest {
        SearchRequest {
            moves: moves.into(),
            depth: SearchRequest::NO_DEPTH,
            mate: None,
            patient: false,
            lines: 1,
        }
    }

    /// The depth of playouts, if the depth is limited.
    pub(super) fn playout_depth(&self) -> Option<u32> {
        (self.depth < SearchRequest::NO_DEPTH).then(|| self.depth.saturating_sub(1))
    }

    /// True if the search may end with this score after an iteration of `depth` plies: the requested mate is found, or
    /// there is a clock and a deeper search could not change the answer.
    pub(super) fn is_answered(&self, score: Score, depth: u32, limits: Limits<'_>) -> bool {
        let mate = match score {
            Score::Mate(moves) => Some(moves),
            Score::Centipawns(_) => None,
        };
        if let (Some(moves), Some(most)) = (mate, self.mate) {
            return (1..=i64::from(most)).contains(&i64::from(moves));
        }
        let timed = limits.timer.is_some_and(Timer::is_set);
        // No mate can be shorter than one found within the depth of an iteration.
        let decided = mate.is_some_and(|moves| 2 * moves.unsigned_abs() <= depth);
        timed && !self.patient && (decided || self.moves.len() == 1)
    }
}
