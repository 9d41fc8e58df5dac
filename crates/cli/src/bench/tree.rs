use std::{convert::Infallible, slice, sync::atomic::AtomicBool};

use entente_search::{
    Game, Limits, position_from_fen,
    tree::{Backup, Edge, Exploration, Found, Judge, Judgement, Known, Puct, TreeProgress},
};
use shakmaty::{Chess, Move, Position};

/// A search ends when the first of its moves has so many visits, or something is proved of the position.
const VISITS: u32 = 600;
/// The memory of a tree, in mebibytes: so little that some grow full.
const MEMORY: usize = 2;

/// A position, and what is searched there.
#[derive(Clone, Copy, Debug)]
pub(super) enum Work {
    /// The best move against an opponent.
    Compete(&'static str),
    /// A way to a board with so few men, for both sides together.
    Trade(&'static str, usize),
}

/// The ways to trade.
pub(super) const TRADES: [Work; 3] = [
    Work::Trade("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 27),
    Work::Trade("r1bqkb1r/pp3ppp/2n1pn2/2pp4/3P4/2PBPN2/PP3PPP/RNBQK2R w KQkq - 0 6", 21),
    Work::Trade("4rrk1/pp1n1pp1/2p2q1p/3p4/3P1P2/2NBP3/PPQ3PP/4RRK1 w - - 2 20", 15),
];

/// The visits of one search.
pub(super) fn visits(work: Work, stop: &AtomicBool) -> u64 {
    let mut judge = Counter { fewest: None };
    let (fen, backup, exploration) = match work {
        Work::Compete(fen) => (fen, Backup::Competitive, Exploration::COMPETITIVE),
        Work::Trade(fen, men) => {
            judge.fewest = Some(men);
            (fen, Backup::Cooperative { best_share: 0.5 }, Exploration::COOPERATIVE)
        }
    };
    // Logarithms differ between processors, but not that of 1: so exploration does not grow.
    let exploration = Exploration { base: f32::MAX, ..exploration };
    let game = Game::new(position_from_fen(fen).expect("a position of ours"));
    let moves = game.position().legal_moves();
    let goes_on = |progress: &TreeProgress| progress.most_visited[0] < VISITS && progress.known.is_none();
    let mut search = Puct::new(MEMORY, backup, exploration);
    let limits = Limits::until(stop);
    let (_, progress) = search
        .search(&game, &moves, slice::from_mut(&mut judge), limits, |progress, _| goes_on(progress))
        .unwrap_or_else(|error: Infallible| match error {});
    progress.visits
}

/// A judge that counts men and knows the rules. Its numbers are quotients of small whole ones, so that they are the same on
/// every processor.
struct Counter {
    /// The number of men that both sides want on the board; `None` if they are opponents.
    fewest: Option<usize>,
}

impl Counter {
    /// What the position is worth: for opponents the men more than the other side has, else how few there are.
    fn found(&self, position: &Chess) -> Found {
        let men = position.board().occupied().count();
        let value = match self.fewest {
            None => (2.0 * position.us().count() as f32 - men as f32) / 16.0,
            Some(fewest) => 1.0 - men.saturating_sub(fewest) as f32 / 32.0,
        };
        Found { value, drawn: 0.0 }
    }

    /// How the game has ended, if it has.
    fn end(&self, game: &Game, depth: u32) -> Option<Judgement> {
        let Some(fewest) = self.fewest else { return Judgement::if_over(game, depth) };
        let value = if game.position().board().occupied().count() <= fewest { 1.0 } else { 0.0 };
        (value == 1.0 || game.is_over()).then_some(Judgement::Ended {
            found: Found { value, drawn: 0.0 },
            known: Some(Known { value, plies: 0 }),
        })
    }
}

impl Judge for Counter {
    type Error = Infallible;

    fn judge(&mut self, game: &Game, depth: u32, _: Limits<'_>) -> Result<Judgement, Infallible> {
        if let Some(end) = self.end(game, depth) {
            return Ok(end);
        }
        // Captures and promotions are looked at first.
        let weight = |m: &Move| if m.is_capture() || m.is_promotion() { 4.0 } else { 1.0 };
        let moves = game.position().legal_moves();
        let all: f32 = moves.iter().map(weight).sum();
        let edges = moves.iter().map(|m| Edge::new(*m, weight(m) / all, None)).collect();
        Ok(Judgement::Open { found: self.found(game.position()), edges })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_searched_decides_the_visits() {
        let stop = AtomicBool::new(false);
        let visits = |work| visits(work, &stop);
        let mate = "7k/8/6K1/8/8/8/8/R7 w - - 0 1";
        assert!(visits(Work::Compete(mate)) < u64::from(VISITS), "it is proved");
        for work in TRADES {
            assert!(visits(work) > 10, "{work:?}");
            assert_eq!(visits(work), visits(work), "{work:?}");
        }
    }
}
