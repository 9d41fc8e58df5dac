//! Searches that say which moves are best.

use std::convert::Infallible;

use shakmaty::{Chess, Move};

use crate::{
    network::EvaluationNetwork,
    scorer::NetworkScorer,
    search::{AlphaBeta, Game, Limits, SearchRequest, Variation},
};

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

/// Entente's own search, by the embedded evaluation network.
pub(super) struct Own {
    search: AlphaBeta<NetworkScorer>,
    nodes: u64,
}

impl Own {
    /// A search of so many nodes, with a table of so many mebibytes.
    pub fn new(nodes: u64, mebibytes: usize) -> Own {
        let scorer = NetworkScorer::new(EvaluationNetwork::embedded());
        Own { search: AlphaBeta::with_scorer(mebibytes, scorer), nodes }
    }

    /// What the position is worth to the side to move once captures are played out, in centipawns.
    pub fn standing(&mut self, position: &Chess) -> i32 {
        self.search.settled(position)
    }
}

impl Referee for Own {
    type Error = Infallible;

    fn lines(
        &mut self,
        position: &Chess,
        moves: &[Move],
        count: usize,
        limits: Limits<'_>,
    ) -> Result<Vec<Variation>, Infallible> {
        self.search.forget();
        let request = SearchRequest {
            moves: moves.to_vec(),
            depth: AlphaBeta::MAX_DEPTH,
            mate: None,
            patient: true,
            lines: count,
        };
        let limits = Limits { nodes: self.nodes, ..limits };
        let mut lines = self.search.search(&Game::new(position.clone()), &request, limits, &mut |_| ());
        lines.truncate(count);
        Ok(lines)
    }
}
