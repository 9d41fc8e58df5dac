//! The constraint on the final positions of an opening book.

use entente_constraint::{Atom, Constraint, ParseError};

/// The usual length of a line, in plies.
const PLIES: u16 = 16;
/// The usual window for the evaluation of a final position for White, in centipawns.
const WINDOW: &str = "-50..50";

/// The constraint on each final position of a book: `given`, a length in plies, and a window for the evaluation, such as
/// `-50..50`, in centipawns for White.
///
/// Without a length, lines have 16 plies, unless `given` says something about plies or material. Without a window, it is
/// from −50 to 50, unless `given` says something about the evaluation.
///
/// # Errors
/// [`ParseError`] if the window is not one.
pub fn book_constraint(
    given: Option<&Constraint>,
    plies: Option<u16>,
    window: Option<&str>,
) -> Result<Constraint, ParseError> {
    let contains = |is_it: fn(&Atom) -> bool| given.is_some_and(|given| given.atoms().into_iter().any(is_it));
    let has_length = contains(|atom| matches!(atom, Atom::Ply(_) | Atom::Material(_)));
    let mut parts = Vec::new();
    match plies {
        Some(plies) => parts.push(format!("ply={plies}")),
        None if !has_length => parts.push(format!("ply={PLIES}")),
        None => {}
    }
    parts.extend(given.map(|given| format!("({given})")));
    match window {
        Some(window) => parts.push(format!("eval={window}")),
        None if !contains(|atom| atom.is_evaluation()) => parts.push(format!("eval={WINDOW}")),
        None => {}
    }
    parts.join(" ").parse()
}
