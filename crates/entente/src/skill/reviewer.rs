use entente_search::{
    AlphaBeta, Game, Limits, Score, SearchRequest,
    scorer::{EvaluationNetwork, NetworkScorer},
};
use shakmaty::{Move, Position};

/// Evaluates positions of a game with a search of full strength.
pub struct Reviewer {
    search: AlphaBeta<NetworkScorer>,
}

/// The result of a search of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The evaluation for the side to move in centipawns, from −[`Reviewer::MAX`] to [`Reviewer::MAX`].
    pub value: i32,
    /// The best move; `None` if the game is over: checkmate, stalemate or insufficient material.
    pub best: Option<Move>,
}

/// The memory of the transposition table in mebibytes. Results for a position of a game help in the next one.
const TABLE: usize = 16;

impl Reviewer {
    /// The maximum of an evaluation, in centipawns. A mate has this value.
    pub const MAX: i32 = 1000;

    /// A reviewer that has not evaluated anything. It uses the network for short searches, because the cautions of
    /// players were fitted to what is found with it.
    pub fn new() -> Reviewer {
        let scorer = NetworkScorer::new(EvaluationNetwork::embedded());
        Reviewer { search: AlphaBeta::with_scorer(TABLE, scorer) }
    }

    /// Forgets earlier games. Later results depend only on games since then.
    pub fn forget(&mut self) {
        self.search.forget();
    }

    /// The result of a search of `nodes` nodes in the current position; `None` if `limits` end it early.
    pub fn review(&mut self, game: &Game, nodes: u64, limits: Limits<'_>) -> Option<Finding> {
        let position = game.position();
        let moves: Vec<_> = position.legal_moves().into_iter().collect();
        let limits = Limits { nodes, ..limits };
        let (score, best) = if moves.is_empty() {
            (Score::without_moves(position), None)
        } else if position.is_insufficient_material() {
            (Score::Centipawns(0), None)
        } else {
            let request =
                SearchRequest { moves, depth: AlphaBeta::MAX_DEPTH, mate: None, patient: true, lines: 1 };
            let variation = self.search.search(game, &request, limits, &mut |_| ()).swap_remove(0);
            (variation.score, variation.moves.first().copied())
        };
        (!limits.forbid(0, 0)).then(|| Finding { value: score.within(Reviewer::MAX), best })
    }
}

impl Default for Reviewer {
    fn default() -> Reviewer {
        Reviewer::new()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use entente_search::position_from_fen;

    use super::*;

    const NODES: u64 = 30_000;

    fn game(fen: &str) -> Game {
        Game::new(position_from_fen(fen).unwrap())
    }

    #[test]
    fn mates_and_draws_have_their_values() {
        let stop = AtomicBool::new(false);
        for (fen, value, best) in [
            // Checkmate, stalemate, a mate in one, a mate after the only move, bare kings.
            ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", -1000, None),
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 0, None),
            ("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", 1000, Some("Qf1-f8")),
            ("7k/8/6K1/8/8/8/8/5R2 b - - 0 1", -1000, Some("Kh8-g8")),
            ("7k/8/6K1/8/8/8/8/8 b - - 0 1", 0, None),
        ] {
            let found = Reviewer::new().review(&game(fen), NODES, Limits::until(&stop)).unwrap();
            let move_found = found.best.map(|m| m.to_string());
            assert_eq!((found.value, move_found.as_deref()), (value, best), "{fen}");
        }
    }

    #[test]
    fn a_stop_leaves_no_result_and_forgotten_games_have_no_effect() {
        let stop = AtomicBool::new(false);
        let limits = Limits::until(&stop);
        let [one, other] = [
            game("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"),
            game("8/5k2/3p4/1p1Pp2p/pP2Pp1P/P4P1K/8/8 b - - 99 50"),
        ];
        let mut reviewer = Reviewer::new();
        let first = reviewer.review(&one, NODES, limits);
        assert!(first.is_some_and(|found| found.value.abs() < 150), "{first:?}");
        reviewer.review(&other, NODES, limits);
        reviewer.forget();
        assert_eq!(reviewer.review(&one, NODES, limits), first);
        stop.store(true, Ordering::Relaxed);
        assert_eq!(reviewer.review(&one, NODES, limits), None);
    }
}
