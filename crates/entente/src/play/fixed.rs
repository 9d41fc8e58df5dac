//! A search whose answer depends on nothing but the question.

use entente_search::{
    AlphaBeta, Game, Limits, SearchRequest, Variation,
    scorer::{EvaluationNetwork, NetworkScorer},
};
use shakmaty::Move;

/// The strongest search of play, by the embedded evaluation network, of so many nodes a question: the same on every machine.
pub(crate) struct FixedSearch {
    search: AlphaBeta<NetworkScorer>,
    nodes: u64,
}

impl FixedSearch {
    /// Memory that is enough for some hundred thousand nodes, in mebibytes.
    pub(crate) const MEBIBYTES: usize = 16;

    /// A search of so many nodes, with a table of so many mebibytes.
    pub(crate) fn new(nodes: u64, mebibytes: usize) -> FixedSearch {
        let scorer = NetworkScorer::new(EvaluationNetwork::embedded());
        FixedSearch { search: AlphaBeta::with_scorer(mebibytes, scorer), nodes }
    }

    /// Forgets what was asked before, which may change the next answer.
    pub(crate) fn forget(&mut self) {
        self.search.forget();
    }

    /// The best lines that begin with one of `moves`, the best first, as many as `count` or as there are moves. The search
    /// ends when it has found a mate in as few moves as `mate` says. Of `limits` the nodes do not count.
    pub(crate) fn lines(
        &mut self,
        game: &Game,
        moves: &[Move],
        count: usize,
        mate: Option<u32>,
        limits: Limits<'_>,
    ) -> Vec<Variation> {
        let request = SearchRequest {
            moves: moves.to_vec(),
            depth: SearchRequest::NO_DEPTH,
            mate,
            patient: true,
            lines: count,
        };
        let limits = Limits { nodes: self.nodes, ..limits };
        self.search.search(game, &request, limits, &mut |_| ())
    }

    /// What a position is worth to the side to move once captures are played out, in centipawns.
    pub(crate) fn standing(&mut self, position: &shakmaty::Chess) -> i32 {
        self.search.settled(position)
    }
}
