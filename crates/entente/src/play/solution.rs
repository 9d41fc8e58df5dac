use std::sync::atomic::AtomicBool;

use entente_search::{Game, Limits, Score, Variation};
use shakmaty::{Chess, Color, Move, Position, Role};

use super::FixedSearch;

/// The solution of a position, for exercises.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The best line: up to the mate if there is one, otherwise a few moves. Never empty.
    pub moves: Vec<Move>,
    /// The evaluation for the side to move.
    pub score: Score,
    /// Other first moves that win as well, or mate in as few moves.
    pub others: Vec<Move>,
}

/// Finds solutions with the strongest search of play. The number of nodes is fixed, so they are the same on every
/// machine.
pub struct Solver {
    search: FixedSearch,
}

impl Solver {
    /// The number of nodes of a search.
    pub const NODES: u64 = 200_000;
    /// The number of plies of a line that does not mate. Later moves of a search's line are guesses.
    pub const PLIES: usize = 5;
    /// The maximum number of plies of a line that goes on until the win is clear.
    pub const MAX_PLIES: usize = 15;
    /// The score of a win, in centipawns.
    pub const WIN: i32 = 200;
    /// The lead in men that makes a win clear, in centipawns.
    const CLEAR_LEAD: i32 = 200;
    /// Another first move solves an exercise if its score is at most this much lower, in centipawns.
    const TOLERANCE: i32 = 100;
    /// The maximum number of other first moves.
    const MAX_OTHERS: usize = 2;

    /// A solver with the embedded evaluation network.
    pub fn new() -> Solver {
        Solver { search: FixedSearch::new(Solver::NODES, FixedSearch::MEBIBYTES) }
    }

    /// The solution for the side to move; `None` if the game is over.
    pub fn solve(&mut self, position: &Chess) -> Option<Solution> {
        let game = Game::new(position.clone());
        if game.is_over() {
            return None;
        }
        // The result must not depend on earlier positions.
        self.search.forget();
        let all = game.position().legal_moves().to_vec();
        let Variation { score, moves: line, .. } = self.best(&game, &all, None)?;
        let others = self.others(&game, all, *line.first()?, score);
        let moves = match score {
            Score::Mate(mate) => self.mating_line(game, line, mate),
            Score::Centipawns(centipawns) => self.line(game, line, centipawns),
        };
        Some(Solution { moves, score, others })
    }

    /// A line to the mate.
    fn mating_line(&mut self, mut game: Game, mut line: Vec<Move>, mate: i32) -> Vec<Move> {
        let plies = 2 * mate.unsigned_abs() as usize - usize::from(mate > 0);
        let mut moves = Vec::new();
        loop {
            for m in line.into_iter().take(plies - moves.len()) {
                game.play(m);
                moves.push(m);
            }
            if moves.len() >= plies || game.is_over() {
                return moves;
            }
            // If the table has lost the end of the line, another search continues it.
            let legal = game.position().legal_moves().to_vec();
            let Some(rest) = self.best(&game, &legal, Some(mate.unsigned_abs())) else { return moves };
            line = rest.moves;
        }
    }

    /// The first moves of a line, and if it wins, more of them until the winner is clearly ahead in men.
    fn line(&mut self, mut game: Game, line: Vec<Move>, centipawns: i32) -> Vec<Move> {
        let winner = if centipawns > 0 { game.position().turn() } else { game.position().turn().other() };
        let is_won = centipawns.abs() >= Solver::WIN;
        // After the loser's reply, which may take something back.
        let is_clear = |game: &Game| {
            game.position().turn() == winner && lead(game.position(), winner) >= Solver::CLEAR_LEAD
        };
        let is_clear_at_once = lead(game.position(), winner) >= Solver::CLEAR_LEAD;
        let mut moves: Vec<Move> = Vec::new();
        let mut ahead = line.into_iter();
        while !game.is_over() {
            let is_enough = !is_won || is_clear_at_once || is_clear(&game);
            if moves.len() >= if is_enough { Solver::PLIES } else { Solver::MAX_PLIES } {
                break;
            }
            let Some(m) = ahead.next() else {
                if is_enough {
                    break;
                }
                let legal = game.position().legal_moves().to_vec();
                let Some(rest) = self.best(&game, &legal, None) else { break };
                ahead = rest.moves.into_iter();
                continue;
            };
            game.play(m);
            moves.push(m);
        }
        moves
    }

    /// The other first moves that solve the exercise.
    fn others(&mut self, game: &Game, mut moves: Vec<Move>, best: Move, score: Score) -> Vec<Move> {
        let solves = |other: Score| match (score, other) {
            (Score::Mate(best), Score::Mate(other)) => best > 0 && 0 < other && other <= best,
            (Score::Centipawns(best), Score::Centipawns(other)) => {
                other >= Solver::WIN && best - other <= Solver::TOLERANCE
            }
            (Score::Centipawns(_), Score::Mate(other)) => other > 0,
            (Score::Mate(_), Score::Centipawns(_)) => false,
        };
        let mut others = Vec::new();
        moves.retain(|m| *m != best);
        // Otherwise there is nothing to be solved.
        let wins = match score {
            Score::Centipawns(centipawns) => centipawns >= Solver::WIN,
            Score::Mate(moves) => moves > 0,
        };
        while wins && others.len() < Solver::MAX_OTHERS && !moves.is_empty() {
            let mate = if let Score::Mate(moves) = score { Some(moves.unsigned_abs()) } else { None };
            let Some(next) = self.best(game, &moves, mate).filter(|next| solves(next.score)) else { break };
            let Some(first) = next.moves.first() else { break };
            others.push(*first);
            moves.retain(|m| m != first);
        }
        others
    }

    /// The best line that begins with one of `moves`. If `mate` is given, the search ends when it has found a mate in
    /// that many moves.
    fn best(&mut self, game: &Game, moves: &[Move], mate: Option<u32>) -> Option<Variation> {
        let stop = AtomicBool::new(false);
        self.search.lines(game, moves, 1, mate, Limits::until(&stop)).into_iter().next()
    }
}

/// How far `color` is ahead in men, in centipawns.
fn lead(position: &Chess, color: Color) -> i32 {
    let worth = |color: Color| -> i32 {
        let values = [
            (Role::Pawn, 100),
            (Role::Knight, 300),
            (Role::Bishop, 300),
            (Role::Rook, 500),
            (Role::Queen, 900),
        ];
        let men = |role: Role| position.board().by_piece(role.of(color)).count() as i32;
        values.into_iter().map(|(role, value)| value * men(role)).sum()
    };
    worth(color) - worth(color.other())
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
        assert!((1..=Solver::MAX_PLIES).contains(&first.moves.len()));
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

    #[test]
    fn a_winning_line_goes_on_until_the_men_are_won() {
        // A fork: the queen falls on the third ply, and the loser's reply ends the line.
        let position = position("4k3/2q2ppp/8/3N4/8/8/5PPP/6K1 w - - 0 1");
        let solution = Solver::new().solve(&position).unwrap();
        let mut last = position.clone();
        solution.moves.iter().for_each(|m| last.play_unchecked(*m));
        assert!(solution.moves.len() >= Solver::PLIES.min(4), "{:?}", solution.moves);
        assert!(lead(&position, Color::White) < 0 && lead(&last, Color::White) >= Solver::CLEAR_LEAD);
    }

    #[test]
    fn all_moves_that_mate_in_as_few_moves_are_named() {
        let others = |fen: &str| {
            let solution = Solver::new().solve(&position(fen)).unwrap();
            solution.others.len()
        };
        assert_eq!(others("6k1/5ppp/8/8/8/8/8/R3R1K1 w - - 0 1"), 1, "either rook mates");
        assert_eq!(others("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"), 0);
        assert_eq!(others("6k1/5ppp/8/8/8/8/5PPP/6K1 w - - 0 1"), 0, "nothing wins");
    }
}
