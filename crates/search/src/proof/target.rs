//! Problems in the constraint language.

use entente_constraint::{RIGHTS, Target, homes, legality::Problem};
use shakmaty::Chess;

/// The problem in the constraint language, for games from `start`: everything except en passant captures.
pub fn diagram_target(problem: &Problem, start: &Chess) -> Target {
    let mut text = format!("fen={}", problem.board);
    if let Some(turn) = problem.turn {
        text += &format!(" turn={}", turn.fold_wb("white", "black"));
    }
    if let Some(rooks) = problem.castling {
        let held =
            RIGHTS.into_iter().filter(|(_, color, side)| rooks.contains(homes(start, *color, *side)[1].0));
        let letters: String = held.map(|(letter, ..)| letter).collect();
        text += &format!(" castling={}", if letters.is_empty() { "none" } else { &letters });
    }
    Target::new(text.parse().expect("it is a constraint")).expect("a diagram is never too complex")
}
