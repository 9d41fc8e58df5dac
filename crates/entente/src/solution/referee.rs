//! Searches that find the best moves.

use std::convert::Infallible;

use entente_search::{Game, Limits, Variation};
use shakmaty::{Chess, Move, Position as _};

use super::calibrated;
use crate::play::FixedSearch;

/// A search that finds the best moves.
pub trait Referee {
    /// Why it could not answer.
    type Error;

    /// The best lines that begin with one of `moves`, the best first: `count` of them, or as many as there are moves.
    /// The search may end when it has found a mate in at most `mate` moves. The answer does not depend on earlier
    /// requests, unless `limits` end the search early.
    ///
    /// # Errors
    /// If it does not answer.
    fn lines(
        &mut self,
        position: &Chess,
        moves: &[Move],
        count: usize,
        mate: Option<u32>,
        limits: Limits<'_>,
    ) -> Result<Vec<Variation>, Self::Error>;

    /// The evaluation that a score of a search of `position` stands for, in centipawns.
    fn evaluation(&self, score: i32, _position: &Chess) -> i32 {
        score
    }
}

/// Entente's own search.
impl Referee for FixedSearch {
    type Error = Infallible;

    fn lines(
        &mut self,
        position: &Chess,
        moves: &[Move],
        count: usize,
        mate: Option<u32>,
        limits: Limits<'_>,
    ) -> Result<Vec<Variation>, Infallible> {
        self.forget();
        let game = Game::new(position.clone());
        Ok(FixedSearch::lines(self, &game, moves, count, mate, limits))
    }

    fn evaluation(&self, score: i32, position: &Chess) -> i32 {
        calibrated(score, position.board().occupied().count())
    }
}
