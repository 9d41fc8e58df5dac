//! A short alpha-beta search from each position that a tree search of play judges.
//!
//! A network that has learnt what people play sees no tactics that it has not met, and a tree of a few hundred visits
//! looks too little ahead to find them; full-width search does (Baier and Winands 2013, "Monte-Carlo tree search and
//! minimax hybrids").

use std::sync::atomic::AtomicBool;

use shakmaty::Move;

use super::tree::{Edge, Found};
use crate::search::{AlphaBeta, Game, Limits, Request, Score};

/// How far is looked ahead, and how much it counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LookAhead {
    /// Nodes of the search; 0: none.
    pub nodes: u32,
    /// The share of what it finds in the position's value, between 0 and 1; the rest is the network's. A mate is all.
    pub share: f32,
    /// The share of its best move in the priors, between 0 and 1.
    pub prior: f32,
}

impl LookAhead {
    /// None at all.
    pub const NONE: LookAhead = LookAhead { nodes: 0, share: 0.0, prior: 0.0 };
}

/// Looks ahead, and remembers what it has seen.
pub(super) struct Scout {
    how: LookAhead,
    search: AlphaBeta,
}

/// Memory of a search, in mebibytes: so little that it stays in the caches of the processor.
const MEMORY: usize = 1;
/// The deepest iteration, in plies.
const DEPTH: u32 = 12;

/// Nothing ends a search but its nodes: it takes a few milliseconds.
static NEVER: AtomicBool = AtomicBool::new(false);

impl Scout {
    /// One that looks ahead so far; `None` if it is not to look at all.
    pub fn new(how: LookAhead) -> Option<Scout> {
        (how.nodes > 0).then(|| Scout { how, search: AlphaBeta::new(MEMORY) })
    }

    /// Forgets earlier games.
    pub fn forget(&mut self) {
        self.search.forget();
    }

    /// Corrects what the network has `found` of the position of `game`, which has at least one legal move, and its priors.
    pub fn correct(&mut self, game: &Game, found: &mut Found, edges: &mut [Edge]) {
        let moves: Vec<Move> = edges.iter().map(|edge| edge.m).collect();
        let request = Request { moves, depth: DEPTH, mate: None, patient: false, lines: 1 };
        let limits = Limits { nodes: u64::from(self.how.nodes), ..Limits::until(&NEVER) };
        let best = self.search.search(game, &request, limits, &mut |_| {}).swap_remove(0);
        // There is nothing to say against a mate.
        let (share, prior) = match best.score {
            Score::Mate(moves) if moves > 0 => (1.0, 1.0),
            Score::Mate(_) => (1.0, self.how.prior),
            Score::Centipawns(_) => (self.how.share, self.how.prior),
        };
        found.value += share * (Found::value_of(best.score) - found.value);
        for edge in edges {
            let certain = f32::from(u8::from(edge.m == best.moves[0]));
            edge.prior += prior * (certain - edge.prior);
        }
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::Position;

    use super::*;
    use crate::search::position_from_fen;

    /// What a scout makes of a position of which the network says nothing but that it is bad: its value, the move that it
    /// likes best with its prior, and the sum of all priors.
    fn look(fen: &str, how: LookAhead) -> (f32, String, f32, f32) {
        let game = Game::new(position_from_fen(fen).unwrap());
        let moves = game.position().legal_moves();
        let even = 1.0 / moves.len() as f32;
        let mut edges: Vec<Edge> = moves.iter().map(|m| Edge::new(*m, even, None)).collect();
        let mut found = Found { value: -0.5, drawn: 0.0 };
        Scout::new(how).unwrap().correct(&game, &mut found, &mut edges);
        let best = edges.iter().max_by(|a, b| a.prior.total_cmp(&b.prior)).unwrap();
        let sum = edges.iter().map(|edge| edge.prior).sum();
        (found.value, best.m.to_string(), best.prior - (1.0 - how.prior) * even, sum)
    }

    #[test]
    fn what_it_finds_counts_as_much_as_was_asked_and_a_mate_is_all() {
        let how = LookAhead { nodes: 20_000, share: 0.5, prior: 0.25 };
        let (value, best, prior, sum) = look("4k3/8/8/3q4/8/4N3/4P3/4K3 w - - 0 1", how);
        assert!((0.0..0.25).contains(&value), "half way from -0.5 to nearly 1: {value}");
        assert_eq!(best, "Ne3xd5");
        assert!((prior - 0.25).abs() < 1e-5 && (sum - 1.0).abs() < 1e-5, "{prior} {sum}");
        let (value, best, _, sum) = look("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", how);
        assert_eq!((value, best.as_str()), (1.0, "Ra1-a6"));
        assert!((sum - 1.0).abs() < 1e-5, "{sum}");
        assert!(Scout::new(LookAhead::NONE).is_none());
    }
}
