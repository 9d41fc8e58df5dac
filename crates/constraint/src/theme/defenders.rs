//! Defenders that are captured, drawn away or lured.

use shakmaty::{Position as _, Role};

use super::{
    exchange::{hangs, is_protected, value},
    line::SolutionLine,
};

/// The opponent's man that has to answer, by capturing the man that came or by answering a check, protected a square,
/// and the solver then captures, promotes or mates there.
pub(super) fn deflection(line: &SolutionLine) -> bool {
    line.pairs().any(|(step, next)| {
        let Some((reply, from)) = step.reply.and_then(|reply| Some((reply, reply.from()?))) else {
            return false;
        };
        let target = next.m.to();
        let is_gain = match next.m.capture() {
            Some(captured) => value(captured) >= value(next.m.role()) || hangs(next.board(), target),
            None => next.m.is_promotion(),
        };
        let is_forced = reply.to() == step.m.to() || step.after.is_check();
        // What the first move takes must not be the point.
        let is_offer = step.m.capture().is_none_or(|taken| value(taken) < value(step.m.role()));
        let guarded = step.board_after().attacks_from(from).contains(target);
        let still_guards = next.board().attacks_from(reply.to()).contains(target);
        let promotes = next.m.is_promotion() && from.file() == target.file();
        is_gain
            && is_forced
            && is_offer
            && target != reply.to()
            && target != step.m.to()
            && !hangs(step.board(), target)
            && (guarded || promotes)
            && !still_guards
    })
}

/// The solver offers a man, a king, queen or rook takes it, and is attacked there at once: the king by a check, the
/// others are then captured.
pub(super) fn decoy(line: &SolutionLine) -> bool {
    let steps: Vec<_> = line.steps().collect();
    (0..steps.len().saturating_sub(1)).any(|index| {
        let (step, next) = (&steps[index], &steps[index + 1]);
        let Some(reply) = step.reply.filter(|reply| reply.to() == step.m.to()) else { return false };
        let square = reply.to();
        let attacks_it = next.board_after().attacks_from(next.m.to()).contains(square);
        match reply.role() {
            Role::King => attacks_it || next.after.is_check() && next.after.is_checkmate(),
            Role::Queen | Role::Rook => {
                attacks_it && steps.get(index + 2).is_some_and(|third| third.m.to() == square)
            }
            _ => false,
        }
    })
}

/// The solver captures a man that protected another one, and then captures that one, or mates where it had protected.
pub(super) fn capturing_defender(line: &SolutionLine) -> bool {
    line.pairs().any(|(step, next)| {
        let (target, taken) = (next.m.to(), step.m.to());
        // A king that recaptures is drawn to the square.
        let is_drawn = step.reply.is_some_and(|reply| reply.role() == Role::King && reply.to() == taken);
        let is_gain = next.after.is_checkmate() && !is_drawn
            || next.m.capture().is_some_and(|captured| {
                value(captured) <= value(next.m.role()) && !is_protected(next.board(), target)
            });
        let is_free = step.reply.is_some_and(|reply| reply.to() != target);
        step.m.is_capture()
            && !step.m.is_en_passant()
            && is_gain
            && is_free
            && next.m.role() != Role::King
            && next.m.from() != Some(taken)
            && !step.before.is_check()
            && step.board().attacks_from(taken).contains(target)
    })
}

/// Instead of recapturing at once, the solver plays another move, and recaptures afterwards. The reply is not made by a
/// man that protected the target.
pub(super) fn intermezzo(line: &SolutionLine) -> bool {
    let mut last_reply = line.previous();
    for (step, next) in line.pairs() {
        let Some(reply) = step.reply else { return false };
        let target = next.m.to();
        let has_captured_there = last_reply.is_some_and(|m| m.is_capture() && m.to() == target);
        let was_possible = step.m.to() != target && step.before.legal_moves().contains(&next.m);
        let protectors =
            step.board_after().attacks_to(target, step.after.turn(), step.board_after().occupied());
        let was_protected_by_replier = reply.from().is_some_and(|from| protectors.contains(from));
        if next.m.is_capture()
            && has_captured_there
            && was_possible
            && reply.to() != target
            && !was_protected_by_replier
        {
            return true;
        }
        last_reply = Some(reply);
    }
    false
}
