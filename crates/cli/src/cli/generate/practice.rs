use anyhow::Context as _;
use entente::{
    generation::{Generation, Outcome},
    records::{Exercise, Format, Provenance},
    solution::Solver,
};
use entente_constraint::Constraint;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _};

use super::{anki::anki, arguments::Layout};
use crate::render::{Problem, Sheet};

/// The positions of a run with their solutions, as exercises.
pub(super) struct Practice<'a> {
    context: &'a Provenance,
    format: Format,
    solver: Solver,
    layout: Layout,
    sheet: Sheet,
}

impl<'a> Practice<'a> {
    /// The most positions on a worksheet.
    pub(super) const MAX: u64 = 1200;

    /// Exercises without positions yet. `command` generates all of them again.
    pub(super) fn new(
        context: &'a Provenance,
        format: Format,
        layout: Layout,
        command: String,
    ) -> Practice<'a> {
        let (title, lead) = match &layout.title {
            Some(title) => (title.clone(), String::new()),
            None => (context.constraint.clone(), in_words(&context.constraint)),
        };
        let (per_page, paper) = (layout.per_page, layout.paper);
        let sheet = Sheet { title, lead, problems: Vec::new(), per_page, paper, command };
        Practice { context, format, solver: Solver::new(), layout, sheet }
    }

    /// Adds a position, and returns the text to write at once, which may be empty. `None` if the position was not
    /// found.
    pub(super) fn add(&mut self, number: u64, generation: &Generation) -> Option<String> {
        if generation.outcome != Outcome::Found {
            return None;
        }
        let position = with_few_quiet_moves(&generation.position);
        let solution = self.solver.solve(&position);
        let mut exercise = self.context.exercise(number, generation, solution.as_ref());
        exercise.position = &position;
        match self.format {
            Format::Study => Some(exercise.study(self.context)),
            Format::Anki => Some(anki(&exercise)),
            _ => {
                self.sheet.problems.push(problem(&exercise));
                Some(String::new())
            }
        }
    }

    /// The text to write after the last position.
    ///
    /// # Errors
    /// If no font for a PDF is installed.
    pub(super) fn finish(self) -> anyhow::Result<Vec<u8>> {
        match self.format {
            Format::Worksheet if self.layout.is_pdf => self.sheet.pdf().context("--output"),
            Format::Worksheet => Ok(self.sheet.html().into_bytes()),
            _ => Ok(Vec::new()),
        }
    }
}

/// The most half-moves since the last capture or pawn move that a position to practise counts. With more, the rule of
/// fifty moves would be a part of the exercise, and the board does not show it.
const MAX_HALFMOVES: u32 = 20;

/// The position with at most [`MAX_HALFMOVES`] on its clock; the position itself if the rule has ended the game.
fn with_few_quiet_moves(position: &Chess) -> Chess {
    let mut setup = position.to_setup(EnPassantMode::Legal);
    if position.halfmoves() >= 100 {
        return position.clone();
    }
    setup.halfmoves = setup.halfmoves.min(MAX_HALFMOVES);
    setup.position(CastlingMode::Standard).unwrap_or_else(|_| position.clone())
}

fn problem(exercise: &Exercise<'_>) -> Problem {
    Problem {
        position: exercise.position.clone(),
        task: exercise.task().to_owned(),
        players: exercise.players(),
        line: together(&exercise.line()),
        value: exercise.value(),
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
    use entente::records::fen;
    use entente_search::position_from_fen;

    use super::*;

    #[test]
    fn the_clock_of_an_exercise_is_at_most_20() {
        for (clock, shown) in [(0, 0), (20, 20), (82, 20), (99, 20), (100, 100)] {
            let position =
                |clock: u32| position_from_fen(&format!("8/5k2/8/3R4/8/8/8/4K3 b - - {clock} 105")).unwrap();
            let bounded = with_few_quiet_moves(&position(clock));
            assert_eq!(fen(&bounded).to_string(), fen(&position(shown)).to_string());
        }
        let passed =
            position_from_fen("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3").unwrap();
        assert_eq!(with_few_quiet_moves(&passed), passed);
    }

    #[test]
    fn only_short_and_flat_constraints_are_put_into_words() {
        assert_eq!(in_words("N@f5 turn=white"), "A white knight stands on f5; White is to move");
        assert_eq!(in_words("Q=0 | q=0"), "");
        assert_eq!(in_words(&["N@f5"; 20].join(" & ")), "");
    }
}
