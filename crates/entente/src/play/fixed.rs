//! A search whose answer depends only on the position and the request.

use entente_endings::Endings;
use entente_search::{
    AlphaBeta, Game, Limits, Reporter, SearchRequest, Variation,
    scorer::{EvaluationNetwork, NetworkScorer, WIDE},
};
use shakmaty::Move;

/// The strongest search of play, with the wide evaluation network and a fixed number of nodes per request. It gives
/// the same results on every machine.
pub(crate) struct FixedSearch {
    search: AlphaBeta<NetworkScorer<WIDE>>,
    nodes: u64,
}

impl FixedSearch {
    /// Enough memory for a few hundred thousand nodes, in mebibytes.
    pub(crate) const MEBIBYTES: usize = 16;

    /// A search of `nodes` nodes, with a table of `mebibytes` mebibytes.
    pub(crate) fn new(nodes: u64, mebibytes: usize) -> FixedSearch {
        let scorer = NetworkScorer::new(EvaluationNetwork::embedded_wide());
        FixedSearch { search: AlphaBeta::with_scorer(mebibytes, scorer), nodes }
    }

    /// The same search with tables of endings, if there are any.
    pub(crate) fn with_endings(mut self, endings: Option<&Endings>) -> FixedSearch {
        if let Some(endings) = endings {
            self.search.set_endings(endings.clone());
        }
        self
    }

    /// True if tables know the result of a position.
    pub(crate) fn knows(&self, position: &shakmaty::Chess) -> bool {
        self.search.knows(position)
    }

    /// Forgets earlier requests, which may change the next answer.
    pub(crate) fn forget(&mut self) {
        self.search.forget();
    }

    /// The best lines that begin with one of `moves`, the best first: `count` of them, or as many as there are moves.
    /// The search ends when it has found a mate in at most `mate` moves. The node limit of `limits` is ignored.
    pub(crate) fn lines(
        &mut self,
        game: &Game,
        moves: &[Move],
        count: usize,
        mate: Option<u32>,
        limits: Limits<'_>,
    ) -> Vec<Variation> {
        let request = SearchRequest { mate, patient: true, lines: count, ..SearchRequest::best_of(moves) };
        self.search(game, &request, Limits { nodes: self.nodes, ..limits }, &mut |_| ())
    }

    /// The best lines of a search with its own number of nodes, that of `limits`. It reports its progress.
    pub(crate) fn search(
        &mut self,
        game: &Game,
        request: &SearchRequest,
        limits: Limits<'_>,
        report: &mut Reporter<'_>,
    ) -> Vec<Variation> {
        self.search.search(game, request, limits, report)
    }

    /// The evaluation of a position for the side to move, after captures are resolved, in centipawns.
    pub(crate) fn standing(&mut self, position: &shakmaty::Chess) -> i32 {
        self.search.settled(position)
    }
}
