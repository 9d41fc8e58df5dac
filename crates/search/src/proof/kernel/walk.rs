//! Moves taken back from a diagram, so that a search has an easier goal: in a diagram full of promoted pieces, kings are in
//! the line of many of them, and few moves can have been the last.

use entente_constraint::legality::{Problem, earlier_by_a_quiet_move};
use rand::{Rng, seq::IndexedRandom};
use shakmaty::{Chess, Color, Move, Position};

use crate::game::is_drawn;

/// Takes back up to `plies` moves of pieces that captured nothing, from the last problem of `walk`, at random, but to no
/// position with a check if there is one without. The last problem is the earliest one.
pub(super) fn back(walk: &[Problem], plies: u32, rng: &mut impl Rng) -> Vec<Problem> {
    let mut walk = walk.to_vec();
    for _ in 0..plies {
        let Some(now) = walk.last() else { break };
        let earlier = earlier_by_a_quiet_move(now);
        let calm: Vec<&Problem> = earlier.iter().filter(|before| !is_check(before)).collect();
        let chosen = calm.choose(rng).copied().or_else(|| earlier.choose(rng));
        let Some(chosen) = chosen.cloned() else { break };
        walk.push(chosen);
    }
    walk
}

fn is_check(problem: &Problem) -> bool {
    let board = &problem.board;
    Color::ALL.into_iter().any(|color| {
        board.king_of(color).is_some_and(|king| board.attacks_to(king, !color, board.occupied()).any())
    })
}

/// Plays the moves that were taken back, from the earliest problem; `None` if one of them is not legal.
pub(super) fn forward(walk: &[Problem], position: &mut Chess) -> Option<Vec<Move>> {
    let later = walk.iter().rev().skip(1);
    later
        .map(|problem| {
            let leads = |m: &&Move| {
                let mut next = position.clone();
                next.play_unchecked(**m);
                *next.board() == problem.board
            };
            let m = position.legal_moves().iter().find(leads).copied()?;
            // The game must not have ended by the 75-move rule before.
            if is_drawn(position) {
                return None;
            }
            position.play_unchecked(m);
            Some(m)
        })
        .collect()
}
