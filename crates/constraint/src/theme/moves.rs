//! Single moves of a kind, and draws by repetition.

use shakmaty::{Chess, Color, Move, Position as _, Role};

use super::line::{SolutionLine, Step};
use crate::child_of;

/// A pawn of the solver promotes, to something else than a queen if `under`.
pub(super) fn promotion(line: &SolutionLine, under: bool) -> bool {
    line.steps().any(|step| step.m.promotion().is_some_and(|role| !under || role != Role::Queen))
}

/// The solver takes a pawn in passing.
pub(super) fn en_passant(line: &SolutionLine) -> bool {
    line.steps().any(|step| step.m.is_en_passant())
}

/// A pawn of the solver gets to the sixth rank or beyond.
pub(super) fn advanced_pawn(line: &SolutionLine) -> bool {
    line.steps().any(|step| is_advanced(&step, line.solver()))
}

fn is_advanced(step: &Step<'_>, solver: Color) -> bool {
    let rank = solver.fold_wb(u32::from(step.m.to().rank()), 7 - u32::from(step.m.to().rank()));
    step.m.role() == Role::Pawn && rank >= 5
}

/// A move of the solver, not its last, that is no capture, promotion, check or answer to a check, is not made by the
/// king or by an advanced pawn, and attacks nothing.
pub(super) fn quiet(line: &SolutionLine) -> bool {
    line.pairs().any(|(step, _)| {
        let attacked = step.board_after().attacks_from(step.m.to()) & step.enemies();
        let is_calm = !step.m.is_capture() && !step.m.is_promotion() && step.m.role() != Role::King;
        is_calm
            && !step.before.is_check()
            && !step.after.is_check()
            && attacked.is_empty()
            && !is_advanced(&step, line.solver())
    })
}

/// The solver is stalemated, or would be if the man that moved last were taken.
pub(super) fn stalemate(line: &SolutionLine) -> bool {
    let is_over = |position: &Chess| position.turn() == line.solver() && position.is_stalemate();
    let Some(last) = line.steps().next_back() else { return false };
    let takes = |reply: &&Move| reply.is_capture() && reply.to() == last.m.to();
    is_over(line.last())
        || last.after.legal_moves().iter().filter(takes).any(|reply| is_over(&child_of(last.after, *reply)))
}

/// True if a later position is the same as an earlier one: the men, the side to move and the castling rights.
pub fn is_repetition(earlier: &Chess, later: &Chess) -> bool {
    earlier.board() == later.board()
        && earlier.turn() == later.turn()
        && earlier.castles().castling_rights() == later.castles().castling_rights()
}

/// The solver checks with every move, and a position comes again.
pub(super) fn perpetual(line: &SolutionLine) -> bool {
    let positions = line.positions();
    let is_repeated = positions
        .iter()
        .enumerate()
        .any(|(index, position)| positions[..index].iter().any(|earlier| is_repetition(earlier, position)));
    is_repeated && line.steps().all(|step| step.after.is_check())
}
