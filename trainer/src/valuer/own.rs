use std::sync::atomic::AtomicBool;

use entente_search::{AlphaBeta, Game, Limits, Score, SearchRequest};
use shakmaty::Position;

use super::Valuer;

/// Memory of the search, in mebibytes; UCI engines use the same by default.
const MEMORY: usize = 16;

/// Entente's alpha-beta search with its hand-written evaluation.
pub(super) struct Own {
    search: AlphaBeta,
    nodes: u64,
}

impl Own {
    /// Creates the search, with this number of nodes per position.
    pub(super) fn new(nodes: u64) -> Own {
        Own { search: AlphaBeta::new(MEMORY), nodes }
    }
}

impl Valuer for Own {
    fn name(&self) -> &str {
        "Entente's alpha-beta search"
    }

    fn begin(&mut self) -> anyhow::Result<()> {
        self.search.forget();
        Ok(())
    }

    fn score(&mut self, game: &Game) -> anyhow::Result<Score> {
        let moves = game.position().legal_moves().to_vec();
        let request =
            SearchRequest { moves, depth: AlphaBeta::MAX_DEPTH, mate: None, patient: false, lines: 1 };
        let stop = AtomicBool::new(false);
        let limits = Limits { nodes: self.nodes, ..Limits::until(&stop) };
        let lines = self.search.search(game, &request, limits, &mut |_| ());
        // There is always a line, because the position has a legal move.
        Ok(lines[0].score)
    }
}
