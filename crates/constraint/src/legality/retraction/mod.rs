//! The last move: there must be one, unless the position is the initial one.
//!
//! All unmoves are tried, each with every man that it may have captured. An unmove is possible if no rule refuses the
//! position before it, and if that position also has a possible last move, and so on for a few moves.

mod before;
mod unmoves;

use std::ops::ControlFlow;

use shakmaty::{Board, Color, attacks};

use self::before::Before;
use super::{
    checks::{self, checkers},
    double_step::DoubleStep,
    illegal::{Illegal, Rule},
    numbers, parity, placement,
    problem::Problem,
    rights,
    unmoved::Unmoved,
    words::{self, side},
};

/// How many last moves are taken back.
const PLIES: u32 = 3;
/// The most positions that are examined. If this does not suffice to refute all last moves, the diagram is not refused.
const MAX_POSITIONS: u32 = 20_000;

/// Refuses a diagram without a possible last move.
pub(super) fn refuse(problem: &Problem) -> Option<Illegal> {
    let movers: Vec<Color> = movers(problem);
    let mut left = MAX_POSITIONS;
    let found = movers.iter().any(|mover| has_last_move(&start(problem, *mover), PLIES, &mut left));
    (!found).then(|| reason(problem, &movers))
}

/// The problems of the positions before the last move, except those that a rule refuses; first those with the same men,
/// last those with a man or pawn more. Their castling rights are those of the problem, and that of castling if it was
/// the last move, although there may have been others.
pub fn earlier(problem: &Problem) -> Vec<Problem> {
    let is_possible = |before: &Before| numbers::fit(&before.board) && refuse_before(before).is_none();
    let mut found = retract(problem, is_possible);
    let (men, pawns) = (problem.board.occupied().count(), problem.board.pawns().count());
    found.sort_by_key(|before| {
        let board = &before.board;
        (board.occupied().count() - men, board.pawns().count().abs_diff(pawns))
    });
    found
}

/// The problems of the positions before the last move, [`earlier`], if it must have been a capture, a promotion or a
/// pawn's move, for example because a pawn gives check; `None` if a piece can have moved last without a capture.
pub fn before_special_move(problem: &Problem) -> Option<Vec<Problem>> {
    earlier_by_a_quiet_move(problem).is_empty().then(|| earlier(problem))
}

/// The problems of the positions before the last move, for a move of a piece that captured nothing.
pub fn earlier_by_a_quiet_move(problem: &Problem) -> Vec<Problem> {
    let board = &problem.board;
    let is_possible = |before: &Before| {
        before.board.occupied().count() == board.occupied().count()
            && before.board.pawns() == board.pawns()
            && checks::refuse(&before.board, Some(before.turn)).is_none()
    };
    retract(problem, is_possible)
}

fn retract(problem: &Problem, is_possible: impl Fn(&Before) -> bool) -> Vec<Problem> {
    let mut found = Vec::new();
    for mover in movers(problem) {
        let _ = unmoves::each(&start(problem, mover), |before| {
            if checkers(&before.board, mover.other()).is_empty() && is_possible(&before) {
                found.push(Problem {
                    castling: problem
                        .castling
                        .map(|_| before.rooks)
                        .or(Some(before.rooks).filter(|rooks| rooks.any())),
                    en_passant: before.step.map(|step| attacks::between(step.from, step.to).first()),
                    turn: Some(before.turn),
                    board: before.board,
                });
            }
            ControlFlow::Continue(())
        });
    }
    found
}

/// The position of a problem, after a move of `mover`.
fn start(problem: &Problem, mover: Color) -> Before {
    Before {
        board: problem.board.clone(),
        turn: mover.other(),
        rooks: problem.castling.unwrap_or_default(),
        step: problem.en_passant.flatten().and_then(DoubleStep::over),
        no_en_passant: problem.en_passant == Some(None),
    }
}

/// The sides that can have moved last.
fn movers(problem: &Problem) -> Vec<Color> {
    let after_double_step = problem.en_passant.flatten().and_then(DoubleStep::over);
    let known = problem.turn.map(Color::other).or(after_double_step.map(|step| step.color));
    let in_check = |color: &Color| checkers(&problem.board, *color).any();
    match known {
        Some(mover) => vec![mover],
        // A side in check has not moved last.
        None => {
            let unmoved = Unmoved::of(&problem.board, rights::keep(problem.castling.unwrap_or_default()));
            let turn = parity::turn(&problem.board, &unmoved);
            let moved_last = |color: &Color| !in_check(color) && turn != Some(*color);
            Color::ALL.into_iter().filter(moved_last).collect()
        }
    }
}

/// False if no game can reach a position because one of the last `plies` moves is impossible.
fn has_last_move(now: &Before, plies: u32, left: &mut u32) -> bool {
    if plies == 0 || now.turn == Color::White && now.board == Board::new() {
        return true;
    }
    let found = unmoves::each(now, |before| {
        if *left == 0 {
            return ControlFlow::Break(());
        }
        *left -= 1;
        // The side not to move must not be in check.
        if checkers(&before.board, now.turn).any() || !numbers::fit(&before.board) {
            return ControlFlow::Continue(());
        }
        if refuse_before(&before).is_some() || !has_last_move(&before, plies - 1, left) {
            return ControlFlow::Continue(());
        }
        ControlFlow::Break(())
    });
    found.is_break()
}

/// Why a position before a move is illegal, not considering its own last move.
fn refuse_before(before: &Before) -> Option<Illegal> {
    let unmoved = || Unmoved::of(&before.board, rights::keep(before.rooks));
    checks::refuse(&before.board, Some(before.turn))
        .or_else(|| placement::refuse(&before.board, before.rooks))
        .or_else(|| parity::refuse(&before.board, Some(before.turn), &unmoved()))
}

fn reason(problem: &Problem, movers: &[Color]) -> Illegal {
    if let Some(behind) = problem.en_passant.flatten() {
        let reason =
            format!("no pawn can have just passed {behind}: no position before that double step is legal");
        return Illegal::because(Rule::EnPassant, reason);
    }
    let [mover] = movers else {
        let reason = "neither White nor Black can have made the last move: no position before it is legal";
        return Illegal::because(Rule::LastMove, reason);
    };
    let (name, enemy) = (side(*mover), side(mover.other()));
    let checkers = checkers(&problem.board, mover.other());
    if checkers.is_empty() {
        let reason = format!("{name} moved last, but no move by {name} leads here from a legal position");
        return Illegal::because(Rule::LastMove, reason);
    }
    let give = if checkers.more_than_one() { "give" } else { "gives" };
    let reason = format!(
        "{name}'s {} {give} check to {enemy}'s king, but no last move by {name} can have led to that",
        words::men(&problem.board, checkers)
    );
    Illegal::because(Rule::Check, reason)
}
