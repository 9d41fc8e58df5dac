//! Searches that say which moves are best.

use std::convert::Infallible;

use entente_search::{Game, Limits, Variation};
use shakmaty::{Chess, Move};

use crate::play::FixedSearch;

/// A search that says which moves are best.
pub trait Referee {
    /// Why it could not say.
    type Error;

    /// The best lines that begin with one of `moves`, the best first: as many as `count`, or as there are moves. It depends
    /// on nothing that was asked before, unless `limits` end it early.
    ///
    /// # Errors
    /// If it does not answer.
    fn lines(
        &mut self,
        position: &Chess,
        moves: &[Move],
        count: usize,
        limits: Limits<'_>,
    ) -> Result<Vec<Variation>, Self::Error>;
}

/// Entente's own search.
impl Referee for FixedSearch {
    type Error = Infallible;

    fn lines(
        &mut self,
        position: &Chess,
        moves: &[Move],
        count: usize,
        limits: Limits<'_>,
    ) -> Result<Vec<Variation>, Infallible> {
        self.forget();
        let game = Game::new(position.clone());
        Ok(FixedSearch::lines(self, &game, moves, count, None, limits))
    }
}
