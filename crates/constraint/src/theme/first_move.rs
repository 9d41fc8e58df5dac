//! What the first move of a solution shows of a theme, without a search.

use shakmaty::{Chess, Position as _, Role};

use super::{Theme, exchange::hangs, line::Step, lines::closes, men::is_trapped};
use crate::child_of;

impl Theme {
    /// True if a legal move may begin a solution that shows this theme, as far as the board after it tells; `None` for themes
    /// of which it tells too little. Solutions that show the theme only later are missed.
    pub fn may_begin(self, position: &Chess) -> Option<bool> {
        let begins = match self {
            Theme::Trapped => traps,
            Theme::Interference => cuts_off,
            _ => return None,
        };
        let begins =
            |m: &_| begins(Step { before: position, m: *m, after: &child_of(position, *m), reply: None });
        Some(position.legal_moves().iter().any(begins))
    }
}

/// A piece that did not hang before is trapped.
fn traps(step: Step<'_>) -> bool {
    let board = step.board_after();
    let pieces = step.enemies() & !board.pawns() & !board.kings();
    pieces.into_iter().any(|square| !hangs(step.board(), square) && is_trapped(step.after, square))
}

/// A man hangs because the line between it and its protector is closed.
fn cuts_off(step: Step<'_>) -> bool {
    let hangs_now = |square| hangs(step.board_after(), square) && !hangs(step.board(), square);
    step.m.role() != Role::King
        && step
            .enemies()
            .into_iter()
            .any(|square| closes(step.board(), square, step.m.to()) && hangs_now(square))
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen};

    use super::*;

    #[test]
    fn a_move_that_may_begin_the_solution_is_seen() {
        for (theme, fen, expected) in [
            // The king attacks the bishop, which a pawn shuts in; or it has no such pawn.
            (Theme::Trapped, "6k1/5pp1/7p/8/8/1PP5/b4PPP/2K4R w - - 0 1", Some(true)),
            (Theme::Trapped, "6k1/5pp1/7p/8/8/2P5/b4PPP/2K4R w - - 0 1", Some(false)),
            // The knight comes between the rook and the bishop; or there is no rook, and the bishop hangs already.
            (Theme::Interference, "3r2k1/5ppp/8/8/5N2/8/2Rb1PPP/6K1 w - - 0 1", Some(true)),
            (Theme::Interference, "6k1/5ppp/8/8/5N2/8/2Rb1PPP/6K1 w - - 0 1", Some(false)),
            (Theme::Fork, "6k1/6pp/4n3/8/8/8/8/4R1K1 w - - 0 1", None),
        ] {
            let position: Chess =
                fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).expect(fen);
            assert_eq!(theme.may_begin(&position), expected, "{theme} {fen}");
        }
    }
}
