use anyhow::Context as _;
use entente::{
    difficulty::{Rater, with_few_quiet_moves},
    generation::{Generation, Outcome},
    records::{Exercise, Format, Provenance},
    solution::{Solution, Solver, WrongTry},
};
use entente_constraint::Constraint;
use entente_endings::Endings;
use entente_network::NetworkError;
use entente_search::Limits;
use shakmaty::{Chess, Position as _};

use super::{anki::anki, arguments::Layout};
use crate::render::{Problem, Sheet};

/// The rating of solvers if the games have none.
const USUAL: u16 = 1500;

/// The positions of a run with their solutions, as exercises.
pub(super) struct Practice<'a> {
    context: &'a Provenance,
    format: Format,
    solver: Solver,
    rater: Rater,
    /// Why the rating of a position failed.
    failure: Option<NetworkError>,
    layout: Layout,
    sheet: Sheet,
}

impl<'a> Practice<'a> {
    /// The most positions on a worksheet.
    pub(super) const MAX: u64 = 1200;

    /// Exercises without positions yet. `command` generates all of them again. Solutions are exact where `endings` know.
    ///
    /// # Errors
    /// If the network cannot be loaded that rates puzzles.
    pub(super) fn new(
        context: &'a Provenance,
        format: Format,
        layout: Layout,
        (command, endings): (String, Option<&Endings>),
    ) -> Result<Practice<'a>, NetworkError> {
        let (title, lead) = match &layout.title {
            Some(title) => (title.clone(), String::new()),
            None => (context.constraint.clone(), in_words(&context.constraint)),
        };
        let (per_page, paper) = (layout.per_page, layout.paper);
        let sheet = Sheet { title, lead, problems: Vec::new(), per_page, paper, command };
        let (solver, rater) = (Solver::new().with_endings(endings), Rater::new()?);
        Ok(Practice { context, format, solver, rater, failure: None, layout, sheet })
    }

    /// Adds a position, and returns the text to write at once, which may be empty. `None` if the position was not
    /// found.
    pub(super) fn add(&mut self, number: u64, generation: &Generation) -> Option<String> {
        if generation.outcome != Outcome::Found {
            return None;
        }
        let position = with_few_quiet_moves(&generation.position);
        let solution = self.solver.solve_after(&position, generation.moves.last().copied());
        let mut exercise = self.context.exercise(number, generation, solution.as_ref());
        exercise.position = &position;
        if !self.layout.has_games {
            exercise.moves = &[];
        }
        match self.rater.rate(&position, Limits::none()) {
            Ok(rating) => exercise.puzzle = rating,
            Err(error) => self.failure = Some(error),
        }
        let rating = position.turn().fold_wb(exercise.ratings[0], exercise.ratings[1]);
        let wrong_try = solution.as_ref().and_then(|solution| self.wrong_try(&position, solution, rating));
        exercise.wrong_try = wrong_try.as_ref();
        match self.format {
            Format::Study => Some(exercise.study(self.context)),
            Format::Anki => Some(anki(&exercise)),
            _ => {
                self.sheet.problems.push(problem(&exercise));
                Some(String::new())
            }
        }
    }

    /// The most tempting move for players of the rating that does not solve the position, with its refutation.
    fn wrong_try(&mut self, position: &Chess, solution: &Solution, rating: Option<u16>) -> Option<WrongTry> {
        let tempting = self.rater.tempting(position, rating.unwrap_or(USUAL)).unwrap_or_else(|error| {
            self.failure = Some(error);
            Vec::new()
        });
        tempting.into_iter().find_map(|tried| self.solver.wrong_try(position, solution, tried))
    }

    /// The text to write after the last position.
    ///
    /// # Errors
    /// If no font for a PDF is installed, or a position could not be rated.
    pub(super) fn finish(self) -> anyhow::Result<Vec<u8>> {
        if let Some(failure) = self.failure {
            return Err(failure).context("puzzle ratings");
        }
        match self.format {
            Format::Worksheet if self.layout.is_pdf => self.sheet.pdf().context("--output"),
            Format::Worksheet => Ok(self.sheet.html().into_bytes()),
            _ => Ok(Vec::new()),
        }
    }
}

fn problem(exercise: &Exercise<'_>) -> Problem {
    Problem {
        position: exercise.position.clone(),
        task: exercise.task().to_owned(),
        players: exercise.players(),
        line: together(&exercise.line()),
        value: exercise.value(),
        wrong: together(&exercise.wrong_line()),
        game: together(&exercise.game()),
    }
}

/// Moves with no-break spaces after the numbers, so that a line break never separates a number from its move.
fn together(moves: &str) -> String {
    moves.replace(". ", ".\u{a0}")
}

/// A constraint in words on one line; empty if that would be too long or ambiguous.
fn in_words(constraint: &str) -> String {
    const LONGEST: usize = 300;
    let Ok(constraint) = constraint.parse::<Constraint>() else { return String::new() };
    let lines: Vec<String> = constraint.in_words().into_iter().map(|line| line.text).collect();
    // One line cannot show the indentation, which shows what belongs together.
    let is_flat = constraint.in_words().iter().all(|line| line.depth == 0);
    let words = lines.join("; ");
    if !is_flat || words.len() > LONGEST {
        return String::new();
    }
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_short_and_flat_constraints_are_put_into_words() {
        assert_eq!(in_words("N@f5 turn=white"), "A white knight stands on f5; White is to move");
        assert_eq!(in_words("Q=0 | q=0"), "");
        assert_eq!(in_words(&["N@f5"; 20].join(" & ")), "");
    }
}
