//! Solves positions, and predicts how hard they are.

use std::sync::atomic::AtomicBool;

use entente::{
    difficulty::{PuzzleRating, Rater, with_few_quiet_moves},
    judge::endings::{endings_on, open, prepare},
    records::Exercise,
    solution::{Solution, Solver, WrongTry},
};
use entente_endings::{Endings, EndingsError, Material};
use entente_network::NetworkError;
use entente_search::Limits;
use shakmaty::{Chess, Move, Position as _};
use thiserror::Error;

/// The rating of solvers if the games have none.
const USUAL: u16 = 1500;

/// Finds what solvers should find. It keeps its networks and tables from position to position.
pub struct Annotator {
    solver: Solver,
    rater: Rater,
}

/// Why positions cannot be annotated.
#[derive(Debug, Error)]
pub enum AnnotatorError {
    /// The network cannot be loaded that rates puzzles.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// The tables of endings that are embedded are damaged.
    #[error(transparent)]
    Endings(#[from] EndingsError),
}

/// A position with what solvers should find.
#[derive(Clone, Debug)]
pub struct Annotated {
    /// The position, with a clock that leaves time to solve it.
    pub position: Chess,
    /// The best line; `None` if the game is over.
    pub solution: Option<Solution>,
    /// The most tempting move that does not solve the position, if there is one.
    pub wrong_try: Option<WrongTry>,
    /// The predicted rating as a puzzle; `None` if it is not one.
    pub puzzle: Option<PuzzleRating>,
}

impl Annotator {
    /// An annotator whose solutions are exact where `endings` know.
    ///
    /// # Errors
    /// If the network cannot be loaded that rates puzzles.
    pub fn new(endings: Option<&Endings>) -> Result<Annotator, NetworkError> {
        Ok(Annotator { solver: Solver::new().with_endings(endings), rater: Rater::new()? })
    }

    /// An annotator for these positions. It is exact in endings of up to four men, whose tables are made in a moment, and
    /// in those of five men whose tables have been made before. `stop` ends the making.
    ///
    /// # Errors
    /// [`AnnotatorError`] if a network or the embedded tables cannot be loaded.
    pub fn for_positions<'a>(
        positions: impl Iterator<Item = &'a Chess>,
        stop: &AtomicBool,
    ) -> Result<Annotator, AnnotatorError> {
        let (small, large): (Vec<Material>, Vec<Material>) =
            endings_on(positions).into_iter().partition(|material| material.men() <= 4);
        let endings = open(None, &small, stop)?;
        // What is missing would take minutes, so that its making is stopped before it begins.
        prepare(&endings, &large, &AtomicBool::new(true));
        Ok(Annotator::new(Some(&endings))?)
    }

    /// Solves a position that `last_move` led to. `ratings` are those of the players of White and Black: what tempts the
    /// side to move depends on them.
    ///
    /// # Errors
    /// If the network fails that rates puzzles.
    pub fn annotate(
        &mut self,
        position: &Chess,
        last_move: Option<Move>,
        ratings: [Option<u16>; 2],
    ) -> Result<Annotated, NetworkError> {
        let position = with_few_quiet_moves(position);
        let solution = self.solver.solve_after(&position, last_move);
        let puzzle = self.rater.rate(&position, Limits::none())?;
        let rating = position.turn().fold_wb(ratings[0], ratings[1]).unwrap_or(USUAL);
        let mut wrong_try = None;
        if let Some(solution) = &solution {
            let tempting = self.rater.tempting(&position, rating)?;
            wrong_try =
                tempting.into_iter().find_map(|tried| self.solver.wrong_try(&position, solution, tried));
        }
        Ok(Annotated { position, solution, wrong_try, puzzle })
    }
}

impl Annotated {
    /// The exercise: `exercise` with the position and what was found.
    pub fn exercise<'a>(&'a self, exercise: Exercise<'a>) -> Exercise<'a> {
        Exercise {
            position: &self.position,
            solution: self.solution.as_ref(),
            wrong_try: self.wrong_try.as_ref(),
            puzzle: self.puzzle.or(exercise.puzzle),
            ..exercise
        }
    }
}
