use shakmaty::Move;

use super::{Limits, Score, Timer};

/// What is asked of a search.
#[derive(Clone, Debug)]
pub struct SearchRequest {
    /// The moves to choose from, all legal; not empty.
    pub moves: Vec<Move>,
    /// The deepest iteration, in plies; of a tree search, the plies of the longest line followed.
    pub depth: u32,
    /// Ends the search when a mate in so many moves is found.
    pub mate: Option<u32>,
    /// Use the time up even where nothing can change any more.
    pub patient: bool,
    /// How many of the best moves to report a line of.
    pub lines: usize,
}

impl SearchRequest {
    /// The depth of a search that nobody limits in depth.
    pub const NO_DEPTH: u32 = u32::MAX;

    /// The depth of playouts, if any is asked for.
    pub(super) fn playout_depth(&self) -> Option<u32> {
        (self.depth < SearchRequest::NO_DEPTH).then(|| self.depth.saturating_sub(1))
    }

    /// True if looking deeper than so many plies cannot give a better answer than one of this score.
    pub(super) fn is_answered(&self, score: Score, depth: u32, limits: Limits<'_>) -> bool {
        let mate = match score {
            Score::Mate(moves) => Some(moves),
            Score::Centipawns(_) => None,
        };
        if let (Some(moves), Some(most)) = (mate, self.mate) {
            return (1..=i64::from(most)).contains(&i64::from(moves));
        }
        let timed = limits.timer.is_some_and(Timer::is_set);
        // No mate is sooner than one found within the plies of an iteration.
        let decided = mate.is_some_and(|moves| 2 * moves.unsigned_abs() <= depth);
        timed && !self.patient && (decided || self.moves.len() == 1)
    }
}
