use std::sync::atomic::AtomicBool;

use entente_search::{Game, Limits, Score, Variation};
use shakmaty::{Chess, Move, Position};

use super::FixedSearch;

/// The solution of a position, for exercises.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The best line: up to the mate if there is one, otherwise a few moves. Never empty.
    pub moves: Vec<Move>,
    /// The evaluation for the side to move.
    pub score: Score,
}

/// Finds solutions with the strongest search of play. The number of nodes is fixed, so they are the same on every
/// machine.
pub struct Solver {
    search: FixedSearch,
}

impl Solver {
    /// The number of nodes of a search.
    pub const NODES: u64 = 200_000;
    /// The maximum number of plies of a line that does not mate. Later moves of a search's line are guesses.
    pub const PLIES: usize = 5;

    /// A solver with the embedded evaluation network.
    pub fn new() -> Solver {
        Solver { search: FixedSearch::new(Solver::NODES, FixedSearch::MEBIBYTES) }
    }

    /// The solution for the side to move; `None` if the game is over.
    pub fn solve(&mut self, position: &Chess) -> Option<Solution> {
        let mut game = Game::new(position.clone());
        if game.is_over() {
            return None;
        }
        // The result must not depend on earlier positions.
        self.search.forget();
        let Variation { score, moves: mut line, .. } = self.best(&game, None)?;
        let (plies, mate) = match score {
            Score::Centipawns(_) => (Solver::PLIES, None),
            Score::Mate(moves) => {
                let plies = 2 * moves.unsigned_abs() as usize - usize::from(moves > 0);
                (plies, Some(moves.unsigned_abs()))
            }
        };
        let mut moves = Vec::new();
        loop {
            for m in line.into_iter().take(plies - moves.len()) {
                game.play(m);
                moves.push(m);
            }
            // If the table has lost the end of a mating line, another search continues it.
            if mate.is_none() || moves.len() >= plies || game.is_over() {
                return Some(Solution { moves, score });
            }
            let Some(rest) = self.best(&game, mate) else { return Some(Solution { moves, score }) };
            line = rest.moves;
        }
    }

    /// The best line. If `mate` is given, the search ends when it has found a mate in that many moves.
    fn best(&mut self, game: &Game, mate: Option<u32>) -> Option<Variation> {
        let stop = AtomicBool::new(false);
        let moves = game.position().legal_moves();
        self.search.lines(game, &moves, 1, mate, Limits::until(&stop)).into_iter().next()
    }
}

impl Default for Solver {
    fn default() -> Solver {
        Solver::new()
    }
}

#[cfg(test)]
mod tests {
    use entente_search::position_from_fen;

    use super::*;

    fn position(fen: &str) -> Chess {
        position_from_fen(fen).unwrap()
    }

    #[test]
    fn a_mate_is_shown_to_its_end() {
        for (fen, mate, plies) in [
            ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", 1, 1),
            ("7k/8/5K2/8/8/8/8/6R1 w - - 0 1", 2, 3),
            ("7r/8/8/8/8/1k6/8/K7 w - - 0 1", -1, 2),
        ] {
            let position = position(fen);
            let solution = Solver::new().solve(&position).unwrap();
            assert_eq!((solution.score, solution.moves.len()), (Score::Mate(mate), plies), "{fen}");
            let mut last = position.clone();
            solution.moves.iter().for_each(|&m| last.play_unchecked(m));
            assert!(last.is_checkmate(), "{fen}");
        }
    }

    #[test]
    fn a_solution_is_short_and_the_same_whatever_was_solved_before() {
        let position = position("8/5pk1/R5p1/7p/1P6/5PP1/1r4KP/8 w - - 0 1");
        let mut solver = Solver::new();
        let first = solver.solve(&position).unwrap();
        assert!((1..=Solver::PLIES).contains(&first.moves.len()));
        solver.solve(&Chess::default()).unwrap();
        assert_eq!(solver.solve(&position), Some(first));
    }

    #[test]
    fn a_game_that_is_over_has_no_solution() {
        for fen in [
            "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",
            "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
            "8/8/8/8/8/8/8/K1k5 w - - 0 1",
        ] {
            assert_eq!(Solver::new().solve(&position(fen)), None, "{fen}");
        }
    }
}
