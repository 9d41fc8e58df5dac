use std::{convert::Infallible, slice, sync::atomic::AtomicBool};

use entente_search::{
    Game, Limits, position_from_fen,
    tree::{Backup, Edge, Exploration, Found, Known, NodeEvaluation, NodeEvaluator, Puct, TreeProgress},
};
use shakmaty::{Chess, Move, Position};

/// A search ends when its most visited move has this many visits, or when the result is proved.
const VISITS: u32 = 600;
/// The memory of a tree, in mebibytes. It is so small that some trees become full.
const MEMORY: usize = 2;

/// The search of a position.
#[derive(Clone, Copy, Debug)]
pub(super) enum Work {
    /// A competitive search for the best move.
    Compete(&'static str),
    /// A cooperative search for a position with at most this many men.
    Trade(&'static str, usize),
}

/// The cooperative searches.
pub(super) const TRADES: [Work; 3] = [
    Work::Trade("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 27),
    Work::Trade("r1bqkb1r/pp3ppp/2n1pn2/2pp4/3P4/2PBPN2/PP3PPP/RNBQK2R w KQkq - 0 6", 21),
    Work::Trade("4rrk1/pp1n1pp1/2p2q1p/3p4/3P1P2/2NBP3/PPQ3PP/4RRK1 w - - 2 20", 15),
];

/// The number of visits of one search.
pub(super) fn visits(work: Work, stop: &AtomicBool) -> u64 {
    let mut judge = Counter { fewest: None };
    let (fen, backup, exploration) = match work {
        Work::Compete(fen) => (fen, Backup::Competitive, Exploration::COMPETITIVE),
        Work::Trade(fen, men) => {
            judge.fewest = Some(men);
            (fen, Backup::Cooperative { best_share: 0.5 }, Exploration::COOPERATIVE)
        }
    };
    // The growth of exploration is switched off: it is a logarithm, and logarithms differ between processors.
    let exploration = Exploration { base: f32::MAX, ..exploration };
    let game = Game::new(position_from_fen(fen).expect("the position is valid"));
    let moves = game.position().legal_moves();
    let continues = |progress: &TreeProgress| progress.most_visited[0] < VISITS && progress.known.is_none();
    let mut search = Puct::new(MEMORY, backup, exploration);
    let limits = Limits::until(stop);
    let (_, progress) = search
        .search(&game, &moves, slice::from_mut(&mut judge), limits, |progress, _| continues(progress))
        .unwrap_or_else(|error: Infallible| match error {});
    progress.visits
}

/// A judge that counts men and knows the rules. Its values are quotients of small integers, so that they are the same
/// on every processor.
struct Counter {
    /// The number of men to reach in a cooperative search; `None` in a competitive search.
    fewest: Option<usize>,
}

impl Counter {
    /// The value of a position: the difference in men in a competitive search; in a cooperative one, larger values for
    /// fewer men.
    fn found(&self, position: &Chess) -> Found {
        let men = position.board().occupied().count();
        let value = match self.fewest {
            None => (2.0 * position.us().count() as f32 - men as f32) / 16.0,
            Some(fewest) => 1.0 - men.saturating_sub(fewest) as f32 / 32.0,
        };
        Found { value, drawn: 0.0 }
    }

    /// The judgement if the game has ended.
    fn end(&self, game: &Game, depth: u32) -> Option<NodeEvaluation> {
        let Some(fewest) = self.fewest else { return NodeEvaluation::if_over(game, depth) };
        let value = if game.position().board().occupied().count() <= fewest { 1.0 } else { 0.0 };
        (value == 1.0 || game.is_over()).then_some(NodeEvaluation::Ended {
            found: Found { value, drawn: 0.0 },
            known: Some(Known { value, plies: 0 }),
        })
    }
}

impl NodeEvaluator for Counter {
    type Error = Infallible;

    fn evaluate(&mut self, game: &Game, depth: u32, _: Limits<'_>) -> Result<NodeEvaluation, Infallible> {
        if let Some(end) = self.end(game, depth) {
            return Ok(end);
        }
        // Captures and promotions have larger priors.
        let weight = |m: &Move| if m.is_capture() || m.is_promotion() { 4.0 } else { 1.0 };
        let moves = game.position().legal_moves();
        let all: f32 = moves.iter().map(weight).sum();
        let edges = moves.iter().map(|m| Edge::new(*m, weight(m) / all, None)).collect();
        Ok(NodeEvaluation::Open { found: self.found(game.position()), edges })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn visits_depend_only_on_the_search() {
        let stop = AtomicBool::new(false);
        let visits = |work| visits(work, &stop);
        let mate = "7k/8/6K1/8/8/8/8/R7 w - - 0 1";
        assert!(visits(Work::Compete(mate)) < u64::from(VISITS), "the mate is proved");
        for work in TRADES {
            assert!(visits(work) > 10, "{work:?}");
            assert_eq!(visits(work), visits(work), "{work:?}");
        }
    }
}
