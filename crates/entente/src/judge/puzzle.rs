//! Decides conditions on the rating that a position has as a puzzle.

use std::mem;

use entente_constraint::Comparison;
use entente_network::NetworkError;
use entente_search::{Limits, Score, Variation};
use shakmaty::Chess;

use crate::difficulty::{Puzzle, PuzzleRating, Rater};

/// Compares the predicted ratings of puzzles.
pub(super) struct PuzzleJudge {
    rater: Rater,
    /// Why the last prediction failed.
    failure: Option<NetworkError>,
}

impl PuzzleJudge {
    /// A judge that has not rated anything.
    ///
    /// # Errors
    /// [`NetworkError`] if the policy of human moves cannot be loaded.
    pub(super) fn new() -> Result<PuzzleJudge, NetworkError> {
        Ok(PuzzleJudge { rater: Rater::new()?, failure: None })
    }

    /// True if the position is a puzzle whose rating satisfies the comparison; `None` if `limits` end the search, or
    /// after a [failure](PuzzleJudge::failure).
    pub(super) fn holds(
        &mut self,
        comparison: Comparison<i16>,
        position: &Chess,
        limits: Limits<'_>,
    ) -> Option<bool> {
        match self.rater.rate(position, limits) {
            Ok(_) if limits.forbid(0, 0) => None,
            Ok(rating) => Some(rating.is_some_and(|rated| comparison.holds(rated.rating))),
            Err(error) => {
                self.failure = Some(error);
                None
            }
        }
    }

    /// The rating of a position, if it was rated lately and is a puzzle.
    pub(super) fn known(&self, position: &Chess) -> Option<PuzzleRating> {
        self.rater.known(position)
    }

    /// Why a prediction failed since the last call, if one did.
    pub(super) fn failure(&mut self) -> Option<NetworkError> {
        mem::take(&mut self.failure)
    }
}

/// True if the two best lines of a short search look like those of a puzzle. Two moves that mate do, too.
pub(super) fn seems_puzzle(lines: &[Variation]) -> bool {
    let [best, next, ..] = lines else { return false };
    Puzzle::is_goal(best.score)
        && (matches!(best.score, Score::Mate(_)) || !Puzzle::solves(best.score, next.score))
}
