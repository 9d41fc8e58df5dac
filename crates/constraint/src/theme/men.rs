//! Men that hang, that are trapped, and that are given up.

use shakmaty::{Chess, Color, Position as _, Role, Square};

use super::{
    Theme,
    exchange::{hangs, value},
    line::SolutionLine,
    lines::is_pinned,
};
use crate::Men;

/// The first move takes a piece that nothing protects, it is no recapture of something worth as much, and the opponent
/// does not win it back.
pub(super) fn hanging(line: &SolutionLine) -> bool {
    let Some(step) = line.steps().next() else { return false };
    let Some(captured) = step.m.capture().filter(|captured| *captured != Role::Pawn) else { return false };
    let is_recapture = line.previous().is_some_and(|previous| {
        previous.to() == step.m.to() && previous.capture().is_some_and(|lost| value(lost) >= value(captured))
    });
    let is_kept = line
        .steps()
        .nth(1)
        .is_none_or(|next| lead(next.after, line.solver()) >= lead(step.after, line.solver()));
    !is_recapture && is_kept && is_free(step.after, step.m.to())
}

/// True if the side to move cannot capture the man on the square.
fn is_free(position: &Chess, square: Square) -> bool {
    position.board().attacks_to(square, position.turn(), position.board().occupied()).is_empty()
}

/// The solver takes a piece that could not have escaped: before the opponent's last move it was attacked and not
/// pinned, and hung wherever it could go.
pub(super) fn trapped(line: &SolutionLine) -> bool {
    line.pairs().any(|(step, next)| {
        let Some(captured) = next.m.capture().filter(|role| *role != Role::Pawn) else { return false };
        // If the man has just moved to its end, it was trapped where it came from.
        let square = match step.reply {
            Some(reply) if reply.to() == next.m.to() && reply.role() == captured => reply.from(),
            _ => Some(next.m.to()),
        };
        square.is_some_and(|square| {
            step.board_after().role_at(square) == Some(captured) && is_trapped(step.after, square)
        })
    })
}

/// True if a piece of the side to move is attacked and loses material wherever it goes.
pub(super) fn is_trapped(position: &Chess, square: Square) -> bool {
    // A pinned man is not trapped.
    let is_pinned = is_pinned(position.board(), square);
    if position.is_check() || is_pinned || !hangs(position.board(), square) {
        return false;
    }
    let moves = position.legal_moves();
    moves.iter().filter(|m| m.from() == Some(square)).all(|m| {
        let after = crate::child_of(position, *m);
        let taken = m.capture().map_or(0, value);
        taken < value(m.role()) && hangs(after.board(), m.to())
    })
}

/// What the solver gives up: after a reply and its next move, its men are worth at least two pawns less, in comparison,
/// than at the start.
pub(super) fn sacrificed(line: &SolutionLine) -> Option<Theme> {
    let solver = line.solver();
    let start = lead(line.first(), solver);
    let steps: Vec<_> = line.steps().collect();
    for (index, step) in steps.iter().enumerate() {
        let reply = step.reply?;
        // The next move may win it back at once, which is an exchange.
        let after = steps.get(index + 1)?.after;
        if lead(after, solver) - start > -2 || reply.is_promotion() {
            continue;
        }
        return Some(match (reply.capture(), step.m.capture()) {
            (Some(Role::Queen), taken) if taken != Some(Role::Queen) => Theme::QueenSacrifice,
            (Some(Role::Rook), Some(Role::Bishop | Role::Knight)) => Theme::ExchangeSacrifice,
            (Some(Role::Rook), taken) if !matches!(taken, Some(Role::Rook | Role::Queen)) => {
                Theme::RookSacrifice
            }
            (Some(Role::Bishop | Role::Knight), None | Some(Role::Pawn)) => Theme::MinorSacrifice,
            _ => Theme::Sacrifice,
        });
    }
    None
}

/// How far `color` is ahead in men, in pawns.
fn lead(position: &Chess, color: Color) -> i32 {
    Men::on(position.board()).lead(color)
}
