//! Generated positions to practise, for worksheets, studies and cards.

use entente_search::Score;
use shakmaty::{Chess, Move, Position};

use super::{
    PolicyRecord, Provenance,
    pgn::{self, movetext},
    ratings,
};
use crate::{
    difficulty::PuzzleRating,
    generation::Generation,
    solution::{Solution, WrongTry},
};

/// The number of men up to which a search cannot tell a small advantage from a draw.
const FEW_MEN: usize = 7;
/// The least score that is an advantage with so few men, in centipawns.
const SURE_WIN: i32 = 300;

/// A position with its number, its solution and the game that led to it.
#[derive(Clone, Debug)]
pub struct Exercise<'a> {
    /// The number, counted from 1.
    pub number: u64,
    /// The position in which the game starts.
    pub root: &'a Chess,
    /// The moves of the game.
    pub moves: &'a [Move],
    /// The position to solve, in which the game ends.
    pub position: &'a Chess,
    /// The ratings of White and Black, if the game is like those of rated players.
    pub ratings: [Option<u16>; 2],
    /// How the game differs from human games, if it does.
    pub caveat: Option<&'static str>,
    /// The best line; `None` if the game is over.
    pub solution: Option<&'a Solution>,
    /// The most tempting move that does not solve the position, and its refutation, if there is one.
    pub wrong_try: Option<&'a WrongTry>,
    /// The predicted rating as a puzzle; `None` if it is not one, or was not rated.
    pub puzzle: Option<PuzzleRating>,
}

impl Provenance {
    /// The position of a generation as an exercise.
    pub fn exercise<'a>(
        &'a self,
        number: u64,
        generation: &'a Generation,
        solution: Option<&'a Solution>,
    ) -> Exercise<'a> {
        let Generation { moves, position, report, .. } = generation;
        let policy = report.as_ref().and_then(|report| PolicyRecord::new(report, moves.len()));
        Exercise {
            number,
            root: &self.root,
            moves,
            position,
            ratings: policy.as_ref().map_or([None, None], PolicyRecord::ratings),
            caveat: policy.as_ref().and_then(|policy| policy.delivered_by.caveat()),
            solution,
            wrong_try: None,
            puzzle: generation.puzzle,
        }
    }
}

impl Exercise<'_> {
    /// The side to move, or how the game ended.
    pub fn task(&self) -> &'static str {
        if self.position.is_checkmate() {
            "Checkmate"
        } else if self.position.is_stalemate() {
            "Stalemate"
        } else if pgn::result(self.position) != "*" {
            "Draw"
        } else {
            self.position.turn().fold_wb("White to move", "Black to move")
        }
    }

    /// The ratings of the players: `1500` or `1500–1800`; empty if unknown.
    pub fn players(&self) -> String {
        ratings(self.ratings).unwrap_or_default()
    }

    /// The best line in standard algebraic notation, with move numbers; empty if the game is over.
    pub fn line(&self) -> String {
        self.solution.map_or_else(String::new, |solution| movetext(self.position, &solution.moves))
    }

    /// The evaluation from White's point of view, what the solution is about, other moves that solve the exercise, and
    /// the predicted rating if it is a puzzle: `+1.35 (fork, pin); puzzle rating 1450 ± 380` or `Black mates in 3; also
    /// 31... Qg2`. Empty if the game is over.
    ///
    /// In an endgame with few men, a small advantage is not named: many such positions are drawn, and a search without
    /// tables of endgames does not know which. What tables know is said in words: `White wins`, `a draw`.
    pub fn value(&self) -> String {
        let mut value = self.bare_value();
        let themes = self.solution.map_or_else(Vec::new, Solution::main_themes);
        if !themes.is_empty() {
            let words: Vec<String> = themes.iter().map(|theme| theme.word().replace('-', " ")).collect();
            value += &format!(" ({})", words.join(", "));
        }
        let others = self.solution.map_or(&[][..], |solution| &solution.others);
        let others: Vec<String> = others.iter().map(|m| movetext(self.position, &[*m])).collect();
        let also = if others.is_empty() { String::new() } else { format!("also {}", others.join(" or ")) };
        let parts = [value, also, self.difficulty()];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
    }

    /// The predicted rating as a puzzle, with its error: `puzzle rating 1450 ± 380`. Empty if it is not a puzzle.
    pub fn difficulty(&self) -> String {
        self.puzzle.map_or_else(String::new, |rated| rated.to_string())
    }

    /// The wrong try with its refutation and the value that remains: `31. Qxd5? Nxd5 (−2.10)`. Empty if there is none.
    pub fn wrong_line(&self) -> String {
        self.wrong_try.map_or_else(String::new, |wrong| {
            let line = movetext(self.position, &wrong.moves);
            // The number, the try, and what follows.
            let mut words = line.splitn(3, ' ');
            let [number, tried, rest] = std::array::from_fn(|_| words.next().unwrap_or_default());
            format!("{number} {tried}? {rest} ({})", self.scored(wrong.score)).replace("  ", " ")
        })
    }

    fn bare_value(&self) -> String {
        self.solution.map_or_else(String::new, |solution| self.scored(solution.score))
    }

    /// A score of the side to move, from White's point of view.
    pub(super) fn scored(&self, score: Score) -> String {
        let turn = self.position.turn();
        let is_small = self.position.board().occupied().count() <= FEW_MEN;
        match score {
            Score::Mate(moves) => {
                let winner = if moves > 0 { turn } else { turn.other() };
                format!("{} mates in {}", winner.fold_wb("White", "Black"), moves.unsigned_abs())
            }
            Score::Centipawns(centipawns) if centipawns.abs() >= Score::KNOWN_WIN => {
                let winner = if centipawns > 0 { turn } else { turn.other() };
                format!("{} wins", winner.fold_wb("White", "Black"))
            }
            Score::Centipawns(_) if self.solution.is_some_and(|solution| solution.is_exact) => {
                "a draw".to_owned()
            }
            Score::Centipawns(centipawns) if is_small && centipawns.abs() < SURE_WIN => {
                "no clear advantage".to_owned()
            }
            Score::Centipawns(centipawns) => {
                let white = turn.fold_wb(centipawns, -centipawns);
                let sign = match white {
                    0 => "",
                    1.. => "+",
                    _ => "−",
                };
                format!("{sign}{}.{:02}", white.abs() / 100, white.abs() % 100)
            }
        }
    }

    /// The game in standard algebraic notation, with move numbers, and how it differs from human games.
    pub fn game(&self) -> String {
        let moves = movetext(self.root, self.moves);
        match self.caveat {
            Some(caveat) => format!("{moves} ({caveat})").trim_start().to_owned(),
            None => moves,
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use entente_search::position_from_fen;

    use super::*;

    /// An exercise without a game.
    pub(crate) fn exercise<'a>(position: &'a Chess, solution: Option<&'a Solution>) -> Exercise<'a> {
        let ratings = [Some(1500), Some(1500)];
        Exercise {
            number: 3,
            root: position,
            moves: &[],
            position,
            ratings,
            caveat: None,
            solution,
            wrong_try: None,
            puzzle: None,
        }
    }

    #[test]
    fn values_are_from_whites_point_of_view() {
        for (fen, score, value) in [
            ("8/8/8/8/8/8/8/K1kq4 w - - 0 1", Score::Centipawns(-950), "−9.50"),
            ("8/8/8/8/8/8/8/K1kq4 b - - 0 1", Score::Centipawns(950), "−9.50"),
            ("4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1", Score::Centipawns(5), "+0.05"),
            ("4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1", Score::Centipawns(0), "0.00"),
            ("4k3/4p3/8/8/8/8/PPP5/4K3 w - - 0 1", Score::Centipawns(188), "no clear advantage"),
            ("4k3/4p3/8/8/8/8/PPP5/4K3 b - - 0 1", Score::Centipawns(-300), "+3.00"),
            ("8/8/8/8/8/8/8/k1KQ4 w - - 0 1", Score::Mate(2), "White mates in 2"),
            ("8/8/8/8/8/8/8/K1kq4 w - - 0 1", Score::Mate(-3), "Black mates in 3"),
        ] {
            let position = position_from_fen(fen).unwrap();
            let solution = Solution {
                moves: position.legal_moves()[..1].to_vec(),
                forced: 1,
                score,
                is_exact: false,
                second: None,
                others: Vec::new(),
                themes: Vec::new(),
            };
            assert_eq!(exercise(&position, Some(&solution)).value(), value, "{fen}");
        }
    }

    #[test]
    fn the_task_of_a_finished_game_is_its_result() {
        for (fen, task) in [
            ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 40", "Checkmate"),
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 40", "Stalemate"),
            ("8/8/8/8/8/8/8/K1k5 w - - 0 40", "Draw"),
            ("8/8/8/8/8/8/8/K1kq4 b - - 0 1", "Black to move"),
        ] {
            let position = position_from_fen(fen).unwrap();
            assert_eq!(exercise(&position, None).task(), task, "{fen}");
        }
    }

    #[test]
    fn other_solutions_are_named_with_their_numbers() {
        let position = position_from_fen("6k1/5ppp/8/8/8/8/8/R3R1K1 w - - 0 31").unwrap();
        let solution = crate::solution::Solver::new().solve(&position).unwrap();
        let value = exercise(&position, Some(&solution)).value();
        assert!(
            ["White mates in 1; also 31. Ra8#", "White mates in 1; also 31. Re8#"].contains(&&*value),
            "{value}"
        );
    }
}
