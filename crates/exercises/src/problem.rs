//! Exercises as boards of a worksheet.

use entente::records::Exercise;
use entente_constraint::Constraint;
use entente_render::Problem;

/// The exercise as a board of a worksheet.
pub fn problem(exercise: &Exercise<'_>) -> Problem {
    Problem {
        position: exercise.position.clone(),
        task: exercise.task().to_owned(),
        players: match exercise.players() {
            unknown if unknown.is_empty() => unknown,
            // A number alone would look like the difficulty.
            ratings => format!("players {ratings}"),
        },
        line: together(&exercise.line()),
        value: exercise.value(),
        wrong: together(&exercise.wrong_line()),
        game: together(&exercise.game()),
    }
}

/// The title of a worksheet and the paragraph under it: what is given, or else the constraint, and its words.
pub fn heading(title: Option<&str>, constraint: &str) -> (String, String) {
    match title {
        Some(title) => (title.to_owned(), String::new()),
        None => (constraint.to_owned(), in_words(constraint)),
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
