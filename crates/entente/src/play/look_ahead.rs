//! A short alpha-beta search from each position that the tree search of play evaluates.
//!
//! A network trained on human moves misses tactics that were not in its training data, and a tree of a few hundred
//! visits looks too few plies ahead to find them. A full-width search finds them (Baier and Winands 2018, "MCTS-minimax
//! hybrids with state evaluations").

use entente_search::{
    AlphaBeta, Game, Limits, Score, SearchEvent, SearchReport, SearchRequest,
    tree::{Edge, Found},
};
use shakmaty::Move;

/// How far to look ahead, and the weight of the result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LookAhead {
    /// The number of nodes of the search; 0 for no search.
    pub nodes: u32,
    /// The weight of the search's score in the position's value, from 0 to 1; the rest is the network's. A mate has
    /// weight 1.
    pub share: f32,
    /// The share of the prior that goes to the search's best move, from 0 to 1.
    pub prior: f32,
}

impl LookAhead {
    /// No look-ahead.
    pub const NONE: LookAhead = LookAhead { nodes: 0, share: 0.0, prior: 0.0 };
}

/// A short look-ahead search, with its transposition table.
pub(super) struct LookAheadSearch {
    how: LookAhead,
    search: AlphaBeta,
}

/// The memory of a search, in mebibytes: small enough to fit into the processor's caches.
const MEMORY: usize = 1;
/// The maximum depth, in plies. If few moves are left, deeper iterations would find nothing new.
const DEPTH: u32 = 12;
/// The share of the prior that goes to a mating move. It is not 1, because a caller may want other moves, too.
const MATE_PRIOR: f32 = 0.9;

impl LookAheadSearch {
    /// A search that corrects a network as `how` says.
    pub(super) fn new(how: LookAhead) -> LookAheadSearch {
        LookAheadSearch { how, search: AlphaBeta::new(MEMORY) }
    }

    /// Forgets earlier games.
    pub(super) fn forget(&mut self) {
        self.search.forget();
    }

    /// Corrects the network's evaluation `found` of the position of `game`, which must have a legal move, and its
    /// priors. Both are unchanged if there is no look-ahead, if the first iteration could not be completed, or if
    /// limits other than the nodes end the search.
    pub(super) fn correct(&mut self, game: &Game, limits: Limits<'_>, found: &mut Found, edges: &mut [Edge]) {
        if self.how.nodes == 0 {
            return;
        }
        let request = request(edges.iter().map(|edge| edge.m).collect());
        // The clock limits the whole search. A look-ahead search that has begun is completed after the time is up; that
        // takes milliseconds, unless it has far more nodes than the default.
        let limits = Limits { nodes: u64::from(self.how.nodes), timer: None, ..limits };
        let mut completed = None;
        let mut note = |report: &SearchReport<'_>| match report.event {
            SearchEvent::Variations(lines) if report.nodes < limits.nodes => completed = Some(lines[0].score),
            _ => {}
        };
        let best = self.search.search(game, &request, limits, &mut note).swap_remove(0);
        let Some(completed) = completed.filter(|_| !limits.forbid(0, 0)) else { return };
        // The last, incomplete iteration may have refuted the best move without reaching the next best one.
        let score = if best.score.rank() > completed.rank() { best.score } else { completed };
        let (share, prior) = match score {
            Score::Mate(moves) if moves > 0 => (1.0, MATE_PRIOR),
            Score::Mate(_) => (1.0, self.how.prior),
            Score::Centipawns(_) => (self.how.share, self.how.prior),
        };
        let seen = Found::of(score);
        found.value += share * (seen.value - found.value);
        found.drawn += share * (seen.drawn - found.drawn);
        for edge in edges {
            let is_best = f32::from(u8::from(edge.m == best.moves[0]));
            edge.prior += prior * (is_best - edge.prior);
        }
    }

    /// The best of `moves`, according to a search of `nodes` nodes, or of fewer if other `limits` end it. `moves` must
    /// be legal and not empty. The result does not depend on earlier searches.
    pub(super) fn best(&mut self, game: &Game, moves: Vec<Move>, nodes: u32, limits: Limits<'_>) -> Move {
        if let [only] = moves[..] {
            return only;
        }
        self.forget();
        let limits = Limits { nodes: u64::from(nodes), ..limits };
        self.search.search(game, &request(moves), limits, &mut |_| ())[0].moves[0]
    }
}

fn request(moves: Vec<Move>) -> SearchRequest {
    SearchRequest { moves, depth: DEPTH, mate: None, patient: true, lines: 1 }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use entente_search::position_from_fen;
    use shakmaty::Position;

    use super::*;

    const HOW: LookAhead = LookAhead { nodes: 20_000, share: 0.5, prior: 0.25 };
    const HANGING_QUEEN: &str = "4k3/8/8/3q4/8/4N3/4P3/4K3 w - - 0 1";
    const MATE_IN_TWO: &str = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";

    /// Corrects a position that the network evaluates as bad and whose moves have equal priors. Returns the evaluation,
    /// the move with the highest prior, that prior, and its prior before. Checks that the priors still add up to 1.
    fn look(fen: &str, how: LookAhead, stopped: bool) -> (Found, String, f32, f32) {
        let game = Game::new(position_from_fen(fen).unwrap());
        let moves = game.position().legal_moves();
        let even = 1.0 / moves.len() as f32;
        let mut edges: Vec<Edge> = moves.iter().map(|m| Edge::new(*m, even, None)).collect();
        let mut found = Found { value: -0.5, drawn: 0.5 };
        let stop = AtomicBool::new(stopped);
        LookAheadSearch::new(how).correct(&game, Limits::until(&stop), &mut found, &mut edges);
        let sum: f32 = edges.iter().map(|edge| edge.prior).sum();
        assert!((sum - 1.0).abs() < 1e-5, "{sum}");
        let best = edges.iter().max_by(|a, b| a.prior.total_cmp(&b.prior)).unwrap();
        (found, best.m.to_string(), best.prior, even)
    }

    fn near(a: f32, b: f32) -> bool {
        (a - b).abs() < 1e-5
    }

    #[test]
    fn the_result_has_the_weight_that_was_set() {
        let (found, best, prior, even) = look(HANGING_QUEEN, HOW, false);
        assert!((0.1..0.25).contains(&found.value), "half way from -0.5 to nearly 1: {found:?}");
        assert!((0.25..0.35).contains(&found.drawn), "half way from 0.5 to nearly 0: {found:?}");
        assert_eq!(best, "Ne3xd5");
        assert!(near(prior, 0.75 * even + 0.25), "{prior}");
    }

    #[test]
    fn a_mate_has_full_weight_for_either_side_but_other_moves_keep_a_prior() {
        let (found, best, prior, even) = look(MATE_IN_TWO, HOW, false);
        assert_eq!((found, best.as_str()), (Found { value: 1.0, drawn: 0.0 }, "Ra1-a6"));
        assert!(near(prior, 0.1 * even + 0.9), "{prior}");
        // Black must take the rook, and is mated by the pawn.
        let (found, ..) = look("kbK5/pp6/RP6/8/8/8/8/8 b - - 0 1", HOW, false);
        assert_eq!(found, Found { value: -1.0, drawn: 0.0 });
    }

    #[test]
    fn a_search_that_is_cut_short_changes_nothing() {
        let before = Found { value: -0.5, drawn: 0.5 };
        for (how, stopped) in [(HOW, true), (LookAhead { nodes: 1, ..HOW }, false), (LookAhead::NONE, false)]
        {
            let (found, _, prior, even) = look(HANGING_QUEEN, how, stopped);
            assert_eq!((found, prior), (before, even), "{how:?}");
        }
    }

    #[test]
    fn the_best_of_several_moves_is_found() {
        let game = Game::new(position_from_fen(HANGING_QUEEN).unwrap());
        let legal = game.position().legal_moves();
        let stop = AtomicBool::new(false);
        let of = |texts: &[&str], nodes| {
            let named = |text: &&str| *legal.iter().find(|m| m.to_string() == *text).unwrap();
            let moves = texts.iter().map(named).collect();
            LookAheadSearch::new(LookAhead::NONE).best(&game, moves, nodes, Limits::until(&stop)).to_string()
        };
        assert_eq!(of(&["Ke1-f2", "Ne3xd5", "Ne3-c4"], 300), "Ne3xd5");
        assert_eq!(of(&["Ne3-c4"], 300), "Ne3-c4");
        // Without a search it is the first move.
        assert_eq!(of(&["Ke1-f2", "Ne3xd5"], 0), "Ke1-f2");
    }
}
