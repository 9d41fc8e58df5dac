//! Solutions of positions: what to play, how far it is forced, and what else works.
//!
//! A position goes in; a [`Solution`] comes out. A [`Referee`] is a search that finds the best moves; `solver.rs` asks
//! it move after move. [`Solver`] does this with Entente's own search, for exercises; the judge does it with its
//! referees, for conditions on solutions.

mod calibration;
mod defences;
mod referee;
mod solver;
mod themes;
mod wrong_try;

use entente_constraint::{SolutionLine, Theme, child_of};
use entente_search::{Score, gives_up};
use shakmaty::{Chess, Move, Position as _};

pub(crate) use calibration::calibrated;
pub use referee::Referee;
pub use solver::Solver;
pub(crate) use solver::{MAX_PLIES, Solving};
pub use wrong_try::WrongTry;

/// The solution of a position, for exercises.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The best line: up to the mate if there is one, otherwise to where the win is clear, or a few moves. Never empty.
    pub moves: Vec<Move>,
    /// The number of moves of both sides, from the first, up to the last move of the solver that is the only good one.
    /// The moves after it show that the win is clear. 1 if already the first move has an alternative.
    pub forced: usize,
    /// The evaluation for the side to move.
    pub score: Score,
    /// True if tables of endings know the result: a win from [`Score::KNOWN_WIN`] on, otherwise a draw.
    pub is_exact: bool,
    /// The evaluation of the best other first move; `None` if there is only one legal move.
    pub second: Option<Score>,
    /// Other first moves that win as well, or mate in as few moves.
    pub others: Vec<Move>,
    /// What the forced part is about, if only one first move is good; empty unless it was asked for.
    pub themes: Vec<Theme>,
}

/// What the side to move achieves by the best move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Success {
    /// It mates, or wins at least two pawns' worth.
    Win,
    /// It keeps the balance, and every other move loses.
    Draw,
}

impl Solution {
    /// The least evaluation of a win, in centipawns.
    pub const WIN: i32 = 200;
    /// The evaluations between which a game is balanced, in centipawns.
    const BALANCE: i32 = 60;
    /// How much worse every other move must be, in centipawns, for a move to be the only good one.
    pub const ONLY: i32 = 150;
    /// Beyond this evaluation, in centipawns, a game counts as decided, and differences do not matter.
    pub const DECIDED: i32 = 600;

    /// What the best move achieves, if no other move does as well, with a margin in centipawns.
    pub fn success(&self, margin: i32) -> Option<Success> {
        success(self.score, self.second?, margin)
    }

    /// The forced part of the solution. `previous` is the move that led to `position`, if it is known.
    pub fn line(&self, position: &Chess, previous: Option<Move>) -> SolutionLine {
        SolutionLine::new(position.clone(), &self.moves[..self.forced], previous)
    }

    /// The themes that a person would name: without those that others imply.
    pub fn main_themes(&self) -> Vec<Theme> {
        let has = |wanted: fn(&Theme) -> bool| self.themes.iter().any(wanted);
        let is_implied = |theme: &Theme| match theme {
            Theme::Mate => true,
            Theme::Sacrifice => has(|theme| theme.is_sacrifice() && *theme != Theme::Sacrifice),
            Theme::AdvancedPawn => has(|theme| matches!(theme, Theme::Promotion | Theme::Underpromotion)),
            Theme::Promotion => has(|theme| *theme == Theme::Underpromotion),
            Theme::Defence => has(|theme| matches!(theme, Theme::Perpetual | Theme::Stalemate)),
            _ => false,
        };
        self.themes.iter().copied().filter(|theme| !is_implied(theme)).collect()
    }

    /// The number of moves of the solver in the forced part.
    pub fn length(&self) -> usize {
        self.forced.div_ceil(2)
    }
}

/// What a move with this score achieves, if the best other move has the score `second`. With a `margin`, in centipawns, a
/// win must be higher and clearer than necessary by that much, and a balance narrower by a quarter of it.
pub(crate) fn success(score: Score, second: Score, margin: i32) -> Option<Success> {
    match (score, second) {
        (Score::Mate(best), Score::Mate(other)) if best > 0 => {
            (other <= 0 || other > best).then_some(Success::Win)
        }
        (Score::Mate(best), _) => (best > 0).then_some(Success::Win),
        (Score::Centipawns(best), _) => {
            let second = second.within(Solution::DECIDED);
            let is_only = score.within(Solution::DECIDED) - second >= Solution::ONLY + margin;
            let is_balanced = best.abs() <= Solution::BALANCE - margin / 4 && second <= -Solution::ONLY;
            match best {
                _ if !is_only => None,
                best if best >= Solution::WIN + margin => Some(Success::Win),
                _ => is_balanced.then_some(Success::Draw),
            }
        }
    }
}

/// True for captures, promotions and checks.
pub(crate) fn is_sharp(position: &Chess, m: Move) -> bool {
    m.is_capture() || m.is_promotion() || child_of(position, m).is_check()
}

/// What a sacrifice gives up at least, in centipawns.
pub(crate) const MORE_THAN_A_PAWN: i32 = 150;

/// True if a move lets the opponent win more than a pawn by an exchange on its square.
pub(crate) fn is_sacrifice(position: &Chess, m: Move) -> bool {
    gives_up(position, m, MORE_THAN_A_PAWN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_succeeds_if_every_other_one_is_worse() {
        let (points, mate) = (Score::Centipawns, Score::Mate);
        for (score, second, expected) in [
            (points(250), points(90), Some(Success::Win)),
            (points(250), points(110), None),
            (points(900), points(700), None),
            (points(900), points(400), Some(Success::Win)),
            (points(10), points(-200), Some(Success::Draw)),
            (points(10), points(-100), None),
            (points(-100), points(-400), None),
            (points(120), points(-400), None),
            (points(0), mate(-3), Some(Success::Draw)),
            (points(300), mate(5), None),
            (mate(2), mate(2), None),
            (mate(2), mate(3), Some(Success::Win)),
            (mate(2), points(900), Some(Success::Win)),
            (mate(-2), mate(-1), None),
        ] {
            assert_eq!(success(score, second, 0), expected, "{score:?} {second:?}");
        }
        assert_eq!(success(points(250), points(90), 50), None);
        assert_eq!(
            [40, 41].map(|score| success(points(score), points(-400), 80)),
            [Some(Success::Draw), None]
        );
    }
}
