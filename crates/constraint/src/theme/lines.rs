//! Bishops, rooks and queens: pins, skewers, X-rays, and lines that are closed and opened.

use shakmaty::{Bitboard, Board, Color, Position as _, Role, Square, attacks};

use super::{
    exchange::{hangs, is_protected, is_slider, value, worth},
    line::{SolutionLine, Step},
};

/// After a move of the solver, a man of the enemy is pinned to its king. Because of that, it cannot capture a man that
/// is worth more or unprotected, or it is lost to a man that is worth less, or that it cannot capture.
pub(super) fn pin(line: &SolutionLine) -> bool {
    line.steps().any(|step| {
        let (board, enemy) = (step.board_after(), step.after.turn());
        pins(board, enemy).into_iter().any(|(pinned, ray)| {
            let worth_of_pinned = worth(board, pinned);
            let reached = board.attacks_from(pinned);
            let cannot_capture = (reached & step.own() & !ray & !board.kings())
                .into_iter()
                .any(|square| worth(board, square) > worth_of_pinned || !is_protected(board, square));
            let attackers = board.attacks_to(pinned, enemy.other(), board.occupied());
            let is_lost = attackers.into_iter().any(|from| {
                worth(board, from) < worth_of_pinned
                    || !is_protected(board, pinned) && !reached.contains(from)
            });
            cannot_capture || is_lost
        })
    })
}

/// The men of `color` that are pinned to their king, each with the line between the king and the pinning man, that man
/// included.
fn pins(board: &Board, color: Color) -> Vec<(Square, Bitboard)> {
    let Some(king) = board.king_of(color) else { return Vec::new() };
    let enemy = board.by_color(color.other());
    let snipers = enemy
        & (attacks::rook_attacks(king, Bitboard::EMPTY) & (board.rooks() | board.queens())
            | attacks::bishop_attacks(king, Bitboard::EMPTY) & (board.bishops() | board.queens()));
    let pin = |sniper: Square| {
        let between = attacks::between(king, sniper);
        let pinned = (between & board.occupied()).single_square()?;
        board.by_color(color).contains(pinned).then_some((pinned, between.with(sniper)))
    };
    snipers.into_iter().filter_map(pin).collect()
}

/// True if the man on the square is pinned to its king.
pub(super) fn is_pinned(board: &Board, square: Square) -> bool {
    board.color_at(square).is_some_and(|color| pins(board, color).iter().any(|(pinned, _)| *pinned == square))
}

/// A man of the enemy steps off a line of the solver's bishop, rook or queen, which then captures a man behind it that
/// is worth less and hangs.
pub(super) fn skewer(line: &SolutionLine) -> bool {
    line.pairs().any(|(step, next)| {
        let (Some(reply), Some(from)) = (step.reply, next.m.from()) else { return false };
        let Some(left) = reply.from() else { return false };
        let Some(captured) = next.m.capture() else { return false };
        is_slider(next.m.role())
            && reply.to() != next.m.to()
            && attacks::between(from, next.m.to()).contains(left)
            && value(reply.role()) > value(captured)
            && hangs(next.board(), next.m.to())
    })
}

/// The solver captures through a man of the enemy: the enemy captures along the line, and the man behind it on the same
/// line recaptures.
pub(super) fn xray(line: &SolutionLine) -> bool {
    line.pairs().any(|(step, next)| {
        let (Some(reply), Some(from)) = (step.reply, next.m.from()) else { return false };
        let Some(reply_from) = reply.from() else { return false };
        reply.to() == step.m.to()
            && next.m.to() == reply.to()
            && next.m.role() != Role::King
            && attacks::between(from, next.m.to()).contains(reply_from)
    })
}

/// A man gets between a man of the enemy and the bishop, rook or queen that protects it, and the solver then captures
/// it. The man in between is no king; it is the solver's, or one that the enemy had to put there.
pub(super) fn interference(line: &SolutionLine) -> bool {
    line.pairs().any(|(step, next)| {
        let target = next.m.to();
        if !next.m.is_capture()
            || next.m.is_en_passant()
            || step.m.to() == target
            || step.m.role() == Role::King
            || !hangs(next.board(), target)
        {
            return false;
        }
        let Some(reply) = step.reply.filter(|reply| reply.to() != target) else { return false };
        closes(step.board(), target, step.m.to())
            || reply.role() != Role::King && closes(step.board_after(), target, reply.to())
    })
}

/// True if a man on `closing` would stand between the man on `target` and a bishop, rook or queen of its side that protects
/// it.
pub(super) fn closes(board: &Board, target: Square, closing: Square) -> bool {
    board.color_at(target).is_some_and(|color| {
        board.attacks_to(target, color, board.occupied()).into_iter().any(|protector| {
            board.role_at(protector).is_some_and(is_slider)
                && attacks::between(protector, target).contains(closing)
        })
    })
}

/// A man of the solver leaves a square or a line, and the next move of another man uses it.
pub(super) fn clearance(line: &SolutionLine) -> bool {
    line.pairs().any(|(step, next)| makes_way(&step, &next))
}

fn makes_way(step: &Step<'_>, next: &Step<'_>) -> bool {
    let (Some(cleared), Some(from)) = (step.m.from(), next.m.from()) else { return false };
    let Some(reply) = step.reply else { return false };
    let uses = next.m.to() == cleared || attacks::between(from, next.m.to()).contains(cleared);
    uses && is_slider(next.m.role())
        && from != step.m.to()
        && next.m.to() != step.m.to()
        && !next.m.is_capture()
        && !next.before.is_check()
        && reply.to() != cleared
        && !step.m.is_castle()
        && (!next.after.is_check() || reply.role() != Role::King)
}
