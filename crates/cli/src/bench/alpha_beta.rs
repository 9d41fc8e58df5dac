use std::sync::atomic::AtomicBool;

use entente_search::{AlphaBeta, Game, Limits, SearchReport, SearchRequest, position_from_fen};
use shakmaty::Position;

/// The depth of each search, in plies.
pub(super) const DEPTH: u32 = 8;
/// The size of each search's transposition table, in mebibytes.
const HASH: usize = 4;

/// The number of nodes of one competitive search.
pub(super) fn nodes(fen: &str, stop: &AtomicBool) -> u64 {
    let position = position_from_fen(fen).expect("the position is valid");
    let moves = position.legal_moves().to_vec();
    let request = SearchRequest { moves, depth: DEPTH, mate: None, patient: false, lines: 1 };
    let mut nodes = 0;
    let count = &mut |report: &SearchReport<'_>| nodes = report.nodes;
    AlphaBeta::new(HASH).search(&Game::new(position), &request, Limits::until(stop), count);
    nodes
}
