//! One move, two threats: forks, discovered attacks and double checks.

use shakmaty::{Position as _, Role, Square, attacks};

use super::{
    exchange::{hangs, value, worth},
    line::{SolutionLine, Step},
};

/// A man other than the king comes to a square where it does not hang, and attacks at least two men: the king, men
/// worth more than itself, or pieces that hang. Later it captures, or the line goes on with something better.
pub(super) fn fork(line: &SolutionLine) -> bool {
    line.pairs().any(|(step, _)| is_fork(&step))
}

fn is_fork(step: &Step<'_>) -> bool {
    let (board, to) = (step.board_after(), step.m.to());
    let Some(man) = board.piece_at(to).filter(|man| man.role != Role::King) else { return false };
    if hangs(board, to) {
        return false;
    }
    let targets = board.attacks_from(to) & step.enemies() & !board.pawns();
    // A man that could take the attacker itself is threatened only if it is worth more.
    let is_threatened = |square: &Square| {
        worth(board, *square) > value(man.role)
            || hangs(board, *square) && !board.attacks_from(*square).contains(to)
    };
    targets.into_iter().filter(is_threatened).count() >= 2
}

/// A man of the solver steps off a line, and the bishop, rook or queen behind it gives check, or captures along the
/// line with the next move.
pub(super) fn discovered(line: &SolutionLine) -> bool {
    let is_check = |step: Step<'_>| {
        let checkers = step.after.checkers();
        checkers.any() && !checkers.contains(step.m.to()) && !step.m.is_castle()
    };
    line.steps().any(is_check)
        || line.pairs().any(|(step, next)| {
            let (Some(from), Some(next_from)) = (step.m.from(), next.m.from()) else { return false };
            // The reply did not put a man there to be recaptured.
            let is_recapture = step.reply.is_some_and(|reply| reply.to() == next.m.to());
            next.m.is_capture()
                && !is_recapture
                && !step.m.is_castle()
                && next_from != step.m.to()
                && next.m.to() != step.m.to()
                && attacks::between(next_from, next.m.to()).contains(from)
        })
}

/// Two men give check at once.
pub(super) fn double_check(line: &SolutionLine) -> bool {
    line.steps().any(|step| step.after.checkers().count() > 1)
}
