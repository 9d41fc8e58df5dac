//! Finds solutions move after move.

use entente_constraint::{Men, Theme, child_of};
use entente_endings::Endings;
use entente_search::{Limits, Score, Variation};
use shakmaty::{Chess, Color, Move, Position};

use super::{Referee, Solution, success};
use crate::play::FixedSearch;

/// Finds solutions with the strongest search of play. The number of nodes is fixed, so they are the same on every
/// machine.
pub struct Solver {
    pub(super) search: FixedSearch,
}

impl Solver {
    /// The number of nodes of a search.
    pub const NODES: u64 = 200_000;

    /// A solver with the embedded evaluation network.
    pub fn new() -> Solver {
        Solver::with_nodes(Solver::NODES)
    }

    /// A solver with `nodes` nodes for each search.
    pub fn with_nodes(nodes: u64) -> Solver {
        Solver { search: FixedSearch::new(nodes, FixedSearch::MEBIBYTES) }
    }

    /// The same solver with tables of endings: what they know is exact.
    pub fn with_endings(mut self, endings: Option<&Endings>) -> Solver {
        self.search = self.search.with_endings(endings);
        self
    }

    /// The solution for the side to move, with its themes; `None` if the game is over.
    pub fn solve(&mut self, position: &Chess) -> Option<Solution> {
        self.solve_after(position, None)
    }

    /// The same, if the move before is known: then a recapture takes no hanging man.
    pub fn solve_after(&mut self, position: &Chess, previous: Option<Move>) -> Option<Solution> {
        let Ok(solution) = Solving::new(&mut self.search, Limits::none()).solve(position);
        let mut solution = solution?;
        solution.themes = self.themes(position, previous, &solution);
        solution.is_exact = self.search.knows(position);
        Some(solution)
    }

    /// The themes of a solution, also those that take a search. There are none if other first moves do as well.
    fn themes(&mut self, position: &Chess, previous: Option<Move>, solution: &Solution) -> Vec<Theme> {
        let Some(success) = solution.success(0) else { return Vec::new() };
        let mut solving = Solving::new(&mut self.search, Limits::none());
        let shown = |theme: &Theme| {
            let Ok(shown) = solving.shows(*theme, position, previous, (solution, success), 0);
            shown
        };
        Theme::ALL.into_iter().filter(shown).collect()
    }
}

impl Default for Solver {
    fn default() -> Solver {
        Solver::new()
    }
}

/// The number of plies of a line that neither mates nor wins. Later moves of a search's line are guesses.
const PLIES: usize = 5;
/// The maximum number of plies of a line that goes on while moves are forced, or until the win is clear.
pub(crate) const MAX_PLIES: usize = 15;
/// The lead in men that makes a win clear, in pawns.
const CLEAR_LEAD: i32 = 2;
/// Another first move solves an exercise if its score is at most this much lower, in centipawns.
const TOLERANCE: i32 = 100;
/// The maximum number of other first moves.
const MAX_OTHERS: usize = 2;

/// A search for the solution of a position, by a referee.
pub(crate) struct Solving<'a, R> {
    referee: &'a mut R,
    limits: Limits<'a>,
    /// How much clearer than necessary a single good move must be, in centipawns.
    pub(super) margin: i32,
}

impl<'a, R: Referee> Solving<'a, R> {
    /// A search by `referee` within these limits.
    pub(crate) fn new(referee: &'a mut R, limits: Limits<'a>) -> Solving<'a, R> {
        Solving { referee, limits, margin: 0 }
    }

    /// The same search, for solutions in which each forced move is clearer than necessary by this many centipawns.
    pub(crate) fn with_margin(self, margin: i32) -> Solving<'a, R> {
        Solving { margin, ..self }
    }

    /// The solution for the side to move; `None` if the game is over.
    ///
    /// # Errors
    /// If the referee does not answer.
    pub(crate) fn solve(&mut self, position: &Chess) -> Result<Option<Solution>, R::Error> {
        if is_over(position) {
            return Ok(None);
        }
        let lines = self.two_best(position)?;
        let [best, rest @ ..] = lines.as_slice() else { return Ok(None) };
        let Some(&first) = best.moves.first() else { return Ok(None) };
        let second = rest.first().map(|line| line.score);
        let others = self.others(position, first, best.score, rest.first())?;
        let (forced, moves) = match best.score {
            Score::Mate(mate) => {
                let moves = self.mating_line(position, best.moves.clone(), mate)?;
                (if mate > 0 { moves.len() } else { 1 }, moves)
            }
            Score::Centipawns(centipawns) => {
                let (moves, expected) = self.forced_line(position, &lines)?;
                (moves.len(), self.clear_line(position, moves, expected, centipawns)?)
            }
        };
        let (score, themes, is_exact) = (best.score, Vec::new(), false);
        Ok(Some(Solution { moves, forced, score, is_exact, second, others, themes }))
    }

    /// A line to the mate.
    pub(super) fn mating_line(
        &mut self,
        position: &Chess,
        mut line: Vec<Move>,
        mate: i32,
    ) -> Result<Vec<Move>, R::Error> {
        let plies = 2 * mate.unsigned_abs() as usize - usize::from(mate > 0);
        let mut position = position.clone();
        let mut moves = Vec::new();
        loop {
            for m in line.into_iter().take(plies - moves.len()) {
                position.play_unchecked(m);
                moves.push(m);
            }
            if moves.len() >= plies || is_over(&position) {
                return Ok(moves);
            }
            // If the table has lost the end of the line, another search continues it.
            let Some(rest) = self.best(&position, &position.legal_moves(), Some(mate.unsigned_abs()))? else {
                return Ok(moves);
            };
            line = rest.moves;
        }
    }

    /// The moves up to the solver's last move that is the only good one, and how the search's line goes on. `lines` are
    /// the best two lines at the start.
    fn forced_line(
        &mut self,
        position: &Chess,
        lines: &[Variation],
    ) -> Result<(Vec<Move>, Vec<Move>), R::Error> {
        let margin = self.margin;
        let is_forced = |lines: &[Variation]| match lines {
            [best, second, ..] => success(best.score, second.score, margin).is_some(),
            [_] => true,
            [] => false,
        };
        let mut line = lines[0].moves.clone();
        let mut position = child_of(position, line[0]);
        let mut moves = vec![line.remove(0)];
        if !is_forced(lines) {
            return Ok((moves, line));
        }
        while moves.len() + 2 <= MAX_PLIES && !is_over(&position) {
            if line.is_empty() {
                line = match self.best(&position, &position.legal_moves(), None)? {
                    Some(reply) => reply.moves,
                    None => break,
                };
            }
            let answered = child_of(&position, line[0]);
            if is_over(&answered) {
                break;
            }
            let lines = self.two_best(&answered)?;
            if !is_forced(&lines) {
                break;
            }
            moves.push(line[0]);
            line.clone_from(&lines[0].moves);
            position = child_of(&answered, line[0]);
            moves.push(line.remove(0));
        }
        Ok((moves, line))
    }

    /// `moves`, continued by the search's line `ahead` for a few plies in all; if the line wins, until the winner is
    /// clearly ahead in men.
    fn clear_line(
        &mut self,
        position: &Chess,
        mut moves: Vec<Move>,
        ahead: Vec<Move>,
        centipawns: i32,
    ) -> Result<Vec<Move>, R::Error> {
        let winner = if centipawns > 0 { position.turn() } else { position.turn().other() };
        let is_won = centipawns.abs() >= Solution::WIN;
        let is_clear_at_once = lead(position, winner) >= CLEAR_LEAD;
        let mut position = position.clone();
        moves.iter().for_each(|m| position.play_unchecked(*m));
        let mut ahead = ahead.into_iter();
        while !is_over(&position) {
            // After the loser's reply, which may take something back.
            let is_clear = position.turn() == winner && lead(&position, winner) >= CLEAR_LEAD;
            let is_enough = !is_won || is_clear_at_once || is_clear;
            if moves.len() >= if is_enough { PLIES } else { MAX_PLIES } {
                break;
            }
            let Some(m) = ahead.next() else {
                if is_enough {
                    break;
                }
                let Some(rest) = self.best(&position, &position.legal_moves(), None)? else { break };
                ahead = rest.moves.into_iter();
                continue;
            };
            position.play_unchecked(m);
            moves.push(m);
        }
        Ok(moves)
    }

    /// The other first moves that solve the exercise. `next` is the best of them, if it is known.
    fn others(
        &mut self,
        position: &Chess,
        best: Move,
        score: Score,
        next: Option<&Variation>,
    ) -> Result<Vec<Move>, R::Error> {
        let mut others = Vec::new();
        let mut moves: Vec<Move> = position.legal_moves().to_vec();
        moves.retain(|m| *m != best);
        let mut next = next.cloned();
        while let Some(first) =
            next.filter(|next| solves(score, next.score)).and_then(|next| next.moves.first().copied())
        {
            others.push(first);
            moves.retain(|m| *m != first);
            if others.len() == MAX_OTHERS || moves.is_empty() {
                break;
            }
            let mate = if let Score::Mate(moves) = score { Some(moves.unsigned_abs()) } else { None };
            next = self.best(position, &moves, mate)?;
        }
        Ok(others)
    }

    /// The two best lines, by two searches, so that each has all the nodes; one if there is only one legal move.
    fn two_best(&mut self, position: &Chess) -> Result<Vec<Variation>, R::Error> {
        let mut moves = position.legal_moves().to_vec();
        let mut lines = Vec::new();
        while let (false, true) = (moves.is_empty(), lines.len() < 2) {
            let Some(line) = self.best(position, &moves, None)? else { break };
            moves.retain(|m| Some(m) != line.moves.first());
            lines.push(line);
        }
        Ok(lines)
    }

    /// The best line that begins with one of `moves`. If `mate` is given, the search may end when it has found a mate
    /// in that many moves.
    pub(super) fn best(
        &mut self,
        position: &Chess,
        moves: &[Move],
        mate: Option<u32>,
    ) -> Result<Option<Variation>, R::Error> {
        Ok(self.referee.lines(position, moves, 1, mate, self.limits)?.into_iter().next())
    }
}

/// True if a move with the score `other` solves an exercise as the best move with the score `best` does.
fn solves(best: Score, other: Score) -> bool {
    match (best, other) {
        (Score::Mate(best), Score::Mate(other)) => best > 0 && 0 < other && other <= best,
        (Score::Centipawns(best), Score::Centipawns(other)) => {
            other >= Solution::WIN && best - other <= TOLERANCE
        }
        (Score::Centipawns(_), Score::Mate(other)) => other > 0,
        (Score::Mate(_), Score::Centipawns(_)) => false,
    }
}

/// True if the game has ended by the position alone.
fn is_over(position: &Chess) -> bool {
    position.legal_moves().is_empty() || position.is_insufficient_material() || position.halfmoves() >= 100
}

/// How far `color` is ahead in men, in pawns.
fn lead(position: &Chess, color: Color) -> i32 {
    Men::on(position.board()).lead(color)
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
    fn checks_without_end_save_the_game() {
        let themes = |fen: &str| Solver::new().solve(&position(fen)).unwrap().themes;
        // Black, far behind, checks from g3 and h3.
        let saved = themes("1n3rk1/r4pp1/1Npp3p/p3p3/P1B1P1Pq/2PP4/8/R1BQ1RK1 b - - 0 23");
        assert!(saved.contains(&Theme::Perpetual) && saved.contains(&Theme::Defence), "{saved:?}");
        // The king must take the opposition, without any check.
        let held = themes("8/8/4k3/8/4KP2/8/8/8 b - - 0 1");
        assert!(!held.contains(&Theme::Perpetual), "{held:?}");
    }

    #[test]
    fn a_solution_is_short_and_the_same_whatever_was_solved_before() {
        let position = position("8/5pk1/R5p1/7p/1P6/5PP1/1r4KP/8 w - - 0 1");
        let mut solver = Solver::new();
        let first = solver.solve(&position).unwrap();
        assert!((1..=MAX_PLIES).contains(&first.moves.len()));
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
        assert!(solution.moves.len() >= PLIES.min(4), "{:?}", solution.moves);
        assert!(lead(&position, Color::White) < 0 && lead(&last, Color::White) >= CLEAR_LEAD);
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

    #[test]
    fn a_recapture_takes_no_hanging_man() {
        let before = position("3r2k1/5ppp/8/3r4/8/8/5PPP/3R2K1 w - - 0 1");
        let m = before.legal_moves().into_iter().find(|m| m.is_capture()).unwrap();
        let after = child_of(&before, m);
        let themes = |previous| Solver::new().solve_after(&after, previous).unwrap().themes;
        assert!(themes(None).contains(&Theme::Hanging));
        assert!(!themes(Some(m)).contains(&Theme::Hanging));
    }
}
